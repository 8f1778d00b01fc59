/**
 * Every name of the lab that is tailored, or claims to be, gives `ecs` the right code in ninety-nine
 * runs of a hundred, and its findings. The others are in `verdicts-same.test.ts` and
 * `verdicts-breaking.test.ts`, those for `dns2` in `lab-rotation.test.ts`: files run side by side.
 */
import { describe, test } from 'vitest'
import { BREAKING } from '../../probe/lab/breaking.ts'
import { LAB_NAMES } from '../../probe/lab/lab.ts'
import { ANSWERS, expectEcs } from './hundred.ts'

describe('ecs', () => {
  for (const name of LAB_NAMES.filter(one => !BREAKING.includes(one))) {
    const { label, ecs = '' } = name
    if (!['real', 'fake'].includes(ANSWERS.get(ecs) ?? '')) continue
    test(`${label} is ${ecs}`, { timeout: 120_000 }, () => expectEcs(name))
  }
})
