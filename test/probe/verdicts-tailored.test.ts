/**
 * Every name of the lab that is tailored, or claims to be, gives `ecs` the right code in ninety-nine
 * runs of a hundred. The others are in `verdicts-same.test.ts`, those for `dns2` in
 * `lab-rotation.test.ts`: files run side by side.
 */
import { describe, test } from 'vitest'
import { LAB_NAMES } from '../../probe/lab/lab.ts'
import { ANSWERS, expectCode } from './hundred.ts'

describe('ecs', () => {
  for (const { label, ecs = '' } of LAB_NAMES) {
    if (!['real', 'fake'].includes(ANSWERS.get(ecs) ?? '')) continue
    test(`${label} is ${ecs}`, { timeout: 120_000 }, () => expectCode('ecs', label, ecs))
  }
})
