/**
 * Every name of the lab that breaks one rule gives `ecs` the right code, and exactly that finding, in
 * ninety-nine runs of a hundred.
 */
import { describe, test } from 'vitest'
import { BREAKING } from '../../probe/lab/breaking.ts'
import { expectEcs } from './hundred.ts'

describe('ecs', () => {
  for (const name of BREAKING) {
    test(`${name.label}: ${name.notices}`, { timeout: 240_000 }, () => expectEcs(name))
  }
})
