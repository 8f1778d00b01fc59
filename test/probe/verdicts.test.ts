/**
 * Every name of the lab gives `ecs` the right code in ninety-nine runs of a hundred. Those for `dns2`
 * are in `lab-rotation.test.ts`, so that two cores share the work.
 */
import { describe, test } from 'vitest'
import { LAB_NAMES } from '../../probe/lab/lab.ts'
import { expectCode } from './hundred.ts'

describe('ecs', () => {
  for (const { label, ecs } of LAB_NAMES) {
    if (ecs === undefined) continue
    test(`${label} is ${ecs}`, { timeout: 120_000 }, () => expectCode('ecs', label, ecs))
  }
})
