/**
 * The same 30 zones on NSD, Knot, BIND and lbdns, the same questions to each, record for record.
 * LBDNS_CONFORM=50000 asks so many (`npm run conform`); LBDNS_SEED draws others.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWith, stopAll } from '../kit/process.ts'
import { PROGRAMS } from './conform/authorities.ts'
import { DIFFERENCES } from './conform/differences.ts'
import { runAll, startWorlds, type Tally, WORLDS } from './conform/run.ts'

const COUNT = Number(process.env.LBDNS_CONFORM ?? 2500)
const SEED = Number(process.env.LBDNS_SEED ?? 1)

afterAll(stopAll)

describeWith(PROGRAMS, `${COUNT} questions to NSD, Knot, BIND and lbdns`, () => {
  let tally: Tally
  beforeAll(async () => {
    tally = await runAll(await startWorlds(), COUNT, SEED)
    if (process.env.LBDNS_CONFORM !== undefined) console.log(figures(tally))
  }, 1_200_000)

  test('over 30 zones', () => {
    expect(WORLDS.flat()).toHaveLength(30)
    expect(tally.questions).toBeGreaterThan(COUNT * 0.99) // names too long to ask are left out
  })

  test('each is answered by everybody', () => expect(tally.silent).toEqual([]))

  test('every difference has a row that says why', () => expect(tally.unexplained).toEqual([]))

  test.each(DIFFERENCES.map(row => [row.who.join(', '), row.shape, row] as const))(
    '%s: %s: still so',
    (_, __, row) => expect(tally.hits.get(row) ?? 0).toBeGreaterThan(0),
  )
})

/** As they stand in the README. */
function figures({ questions, agreed, agreedButCd, alone, hits }: Tally): string {
  const rows = DIFFERENCES.map(row => {
    const { clause, shape, who, why } = row
    return `| ${shape} | ${who.join(', ')} | ${hits.get(row) ?? 0} | ${clause}: ${why} |`
  })
  const whole = `${questions} questions: all alike on ${agreed}, on ${agreedButCd} but for CD`
  return [`${whole}; a row excuses lbdns on ${alone}`, ...rows].join('\n')
}
