/**
 * Every name of the lab that is the same for everybody, or where too little can be seen, gives `ecs`
 * the right code in ninety-nine runs of a hundred.
 */
import { describe, test } from 'vitest'
import { BREAKING } from '../../probe/lab/breaking.ts'
import { LAB_NAMES } from '../../probe/lab/lab.ts'
import { ANSWERS, expectEcs } from './hundred.ts'

describe('ecs', () => {
  for (const name of LAB_NAMES.filter(one => !BREAKING.includes(one))) {
    const { label, ecs = '' } = name
    if (!['none', 'unclear'].includes(ANSWERS.get(ecs) ?? '')) continue
    test(`${label} is ${ecs}`, { timeout: 120_000 }, () => expectEcs(name))
  }
})
