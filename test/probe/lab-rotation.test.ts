/** Every name of the lab gives `dns2` the right code in ninety-nine runs of a hundred. */
import { describe, test } from 'vitest'
import { LAB_NAMES } from '../../probe/lab/lab.ts'
import { expectRotation } from './hundred.ts'

describe('dns2', () => {
  for (const { label, dns2 } of LAB_NAMES) {
    if (dns2 === undefined) continue
    test(`${label} is ${dns2}`, { timeout: 120_000 }, () => expectRotation(label, dns2))
  }
})
