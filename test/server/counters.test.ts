/** That nothing counted is lost or counted twice, whatever becomes of Worlds and threads. */
import { describe, expect, test } from 'vitest'
import { Counters } from '../../server/counters.ts'
import { canonical } from '../../server/dns/name.ts'
import { type Answered, addAnswers, trim } from '../../server/guard/answered.ts'
import { countAnswer, MOST_CELLS, type Numbering, openTallies } from '../../server/guard/answers.ts'
import { countDrop, DROP } from '../../server/guard/tally.ts'
import { wire } from '../kit/steering.ts'
import { counts, risen } from '../kit/tallies.ts'

function world(owners: readonly string[], poolNames: readonly string[]): Numbering {
  return { owners: owners.map(owner => canonical(wire(owner))), poolNames }
}

const OLD = world(['a.', 'b.'], ['p', 'q'])
/** Other numbers for the same names, one name gone, one new. */
const NEW = world(['c.', 'b.'], ['q', 'p', 'r'])

/** So many names, each with each of the pools. */
function wide(names: number, pools: number): Numbering {
  return world(
    Array.from({ length: names }, (_, i) => `n${i}.`),
    Array.from({ length: pools }, (_, i) => `p${i}`),
  )
}

describe('pages', () => {
  test('two threads: the sum of both', () => {
    const counters = new Counters()
    const [one, two] = [counters.open(OLD), counters.open(OLD)]
    countAnswer(one.tallies, 0, 1)
    countAnswer(two.tallies, 0, 1)
    countAnswer(two.tallies, 1, 0)
    countDrop(one.tallies.cells, DROP.short)
    countDrop(two.tallies.cells, DROP.response)
    expect(counts(counters.answered())).toEqual({ 'a. q': 2, 'b. p': 1 })
    expect(risen(counters.cells())).toEqual({ 'drops short': 1, 'drops response': 1 })
  })

  test('a new World: numbers mean other names, and the old ones count on', () => {
    const counters = new Counters()
    const page = counters.open(OLD)
    countAnswer(page.tallies, 1, 0)
    countDrop(page.tallies.cells, DROP.short)
    page.settle(page.turn(NEW))
    expect(counts(counters.answered())).toEqual({ 'b. p': 1 })
    countAnswer(page.tallies, 1, 1)
    countAnswer(page.tallies, 0, 2)
    countDrop(page.tallies.cells, DROP.short)
    expect(counts(counters.answered())).toEqual({ 'b. p': 2, 'c. r': 1 })
    expect(risen(counters.cells())).toEqual({ 'drops short': 2 })
  })

  test('a thread that is told of a World late counts in the old one meanwhile', () => {
    const counters = new Counters()
    const page = counters.open(OLD)
    const old = page.tallies
    const now = page.turn(NEW)
    countAnswer(old, 0, 0)
    expect(counts(counters.answered())).toEqual({ 'a. p': 1 })
    page.settle(now)
    expect(counts(counters.answered())).toEqual({ 'a. p': 1 })
  })

  test('two Worlds on their way: the first one to be served settles what is older only', () => {
    const counters = new Counters()
    const page = counters.open(OLD)
    const old = page.tallies
    const first = page.turn(NEW)
    const second = page.turn(OLD)
    countAnswer(old, 0, 0)
    page.settle(first)
    countAnswer(first, 0, 0)
    page.settle(second)
    countAnswer(second, 0, 0)
    expect(counts(counters.answered())).toEqual({ 'a. p': 2, 'c. q': 1 })
    expect(page.open()).toHaveLength(1)
    page.settle(first) // long gone
    expect(counts(counters.answered())).toEqual({ 'a. p': 2, 'c. q': 1 })
  })

  test('a name that comes back has its count', () => {
    const counters = new Counters()
    const page = counters.open(OLD)
    countAnswer(page.tallies, 0, 0)
    page.settle(page.turn(NEW))
    expect(counts(counters.answered())).toEqual({ 'a. p': 1 })
    page.settle(page.turn(OLD))
    countAnswer(page.tallies, 0, 0)
    expect(counts(counters.answered())).toEqual({ 'a. p': 2 })
  })
})

describe('how many', () => {
  test('names × pools up to 65,536: by name and pool', () => {
    const tallies = openTallies(wide(256, 256))
    expect(tallies.answers).toHaveLength(MOST_CELLS)
    const found: Answered = new Map()
    countAnswer(tallies, 255, 255)
    addAnswers(found, tallies.answers, wide(256, 256))
    expect(counts(found)).toEqual({ 'n255. p255': 1 })
  })

  test('one more: by pool, and no name', () => {
    const tallies = openTallies(wide(257, 256))
    expect(tallies.answers).toHaveLength(256)
    const found: Answered = new Map()
    countAnswer(tallies, 255, 255)
    countAnswer(tallies, 256, 255)
    addAnswers(found, tallies.answers, wide(257, 256))
    expect(counts(found)).toEqual({ ' p255': 2 })
  })

  test('nothing is steered: nothing to count in', () => {
    expect(openTallies(world([], [])).answers).toHaveLength(0)
  })

  test('what is kept of names that are gone stays small, and is counted on', () => {
    const found: Answered = new Map()
    for (let reload = 0; reload < 4; reload += 1) {
      const now = world(
        Array.from({ length: 20_000 }, (_, i) => `n${reload}-${i}.`),
        ['p', 'q', `r${reload}`],
      )
      const answers = new Float64Array(60_000).fill(1)
      addAnswers(found, answers, now)
      trim(found, now)
    }
    const all = Object.values(counts(found)).reduce((sum, count) => sum + count, 0)
    expect(Object.keys(counts(found)).length).toBeLessThanOrEqual(MOST_CELLS + 4)
    expect(all).toBe(4 * 60_000)
    expect(counts(found)).toMatchObject({ ' p': 60_000, ' q': 60_000, ' ': 60_000 })
    expect(counts(found)).toMatchObject({ 'n3-7. p': 1, 'n3-7. q': 1, 'n3-7. r3': 1 })
  })
})
