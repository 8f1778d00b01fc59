/**
 * The lab covers the rules: every finding has a name whose replies give it, and the honest name gives
 * none. That each name gives exactly its findings is held in `verdicts-*.test.ts`, a hundred seeds each.
 */
import { describe, expect, test } from 'vitest'
import { FINDING_IDS } from '../../probe/judge/finding.ts'
import { LAB_NAMES } from '../../probe/lab/lab.ts'
import { findingsOf } from './hundred.ts'

describe('a name for every finding', () => {
  for (const id of FINDING_IDS) {
    test(id, () => {
      expect(LAB_NAMES.filter(name => findingsOf(name).includes(id)).length).toBeGreaterThan(0)
    })
  }
})

/** Broken EDNS is a refusal too, and an OPT record astray leaves a negative answer without SOA. */
const NEVER_ALONE = ['DNS002', 'DNS007']

describe('a name that breaks nothing else', () => {
  for (const id of FINDING_IDS.filter(one => !NEVER_ALONE.includes(one))) {
    test(id, () => {
      const alone = LAB_NAMES.filter(name => findingsOf(name).join(' ') === id)
      expect(alone.length).toBeGreaterThan(0)
    })
  }
})

test('the honest name is held to no finding at all', () => {
  const honest = LAB_NAMES.filter(({ label }) => label.startsWith('geo'))
  expect(honest.map(findingsOf)).toEqual([[], [], []])
})
