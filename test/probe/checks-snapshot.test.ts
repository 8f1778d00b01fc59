/** snapshot: what it writes of each name of the lab passes at once, and pools are no exact sets. */
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { poolOf } from '../../probe/checks/pool.ts'
import { LAB_NAMES, labOf } from '../../probe/lab/lab.ts'
import { lbprobe, NS1, NS2 } from './checks-kit.ts'
import { ATLAS, wireTo } from './in-process.ts'

/** What is never answered so that it could be held to anything, and how snapshot ends. */
const NOTHING_SEEN: ReadonlyMap<string, number> = new Map([
  ['silence', 9],
  ['cut', 9],
  ['closing', 9],
  ['data', 3],
])

describe.each(LAB_NAMES.map(({ label }) => label))('%s', label => {
  test('check passes right after, against the same server', async () => {
    const wire = wireTo(labOf(ATLAS, 11))
    const servers = label === 'partial-ecs' ? [NS1, NS2] : [NS1]
    const words = [...servers, 'A', `${label}.lab.test`, '-o', 'x.yaml']
    const snapshot = await lbprobe(['snapshot', ...words], {}, { wire, seed: () => 7 })
    expect(snapshot.exit, snapshot.err).toBe(NOTHING_SEEN.get(label) ?? 0)
    if (snapshot.exit > 0) return
    const check = await lbprobe(['check', 'x.yaml'], snapshot.files, { wire, seed: () => 8 })
    expect(check.exit, check.out + check.err + snapshot.files['x.yaml']).toBe(0)
  })
})

/** The first check of what snapshot writes, as data. */
async function written(label: string): Promise<Readonly<Record<string, unknown>>> {
  const { out, exit } = await lbprobe(['snapshot', NS1, 'A', `${label}.lab.test`])
  expect(exit).toBe(0)
  return parse(out).checks[0]
}

describe('a pool that rotates is no exact set', () => {
  // biome-ignore format: table
  const POOLS = ['rotating-one', 'rotating-cyclic', 'rotating-subset', 'weighted', 'geo-rotating', 'drifting', 'cached']
  for (const label of POOLS) {
    test(label, async () => {
      expect(JSON.stringify(await written(label))).not.toContain('exactly')
    })
  }

  test('a list that is whole in each answer is one', async () => {
    const eight = Array.from({ length: 8 }, (_, at) => `192.0.2.${at + 1}`)
    expect(await written('shuffled-list')).toMatchObject({ addresses: { exactly: eight } })
    expect(await written('single')).toMatchObject({ addresses: { exactly: ['192.0.2.1'] } })
  })

  test('a site for each country is one for that country', async () => {
    expect(await written('geo')).toMatchObject({
      by_country: { DE: { exactly: ['192.0.2.4', '192.0.2.5', '192.0.2.6'] } },
    })
  })
})

describe('what another run as long will see of a pool', () => {
  // biome-ignore format: table
  const ROWS = [
    // counts of each address                         seen  surely: n − Σe^−c − 3.1 √Σe^−c(1 − e^−c)
    ['each ten times: 2 · e⁻¹⁰ = 10⁻⁴ missed',        [10, 10],             2, 2],
    ['one of twenty: missed in e⁻¹ = 37 % of runs',   [19, 1],              2, 0],
    ['eight, twice each: 8 − 1.08 − 3.1 · 0.97',      [2, 2, 2, 2, 2, 2, 2, 2], 8, 3],
    ['eight, five times each: 8 − 0.05 − 3.1 · 0.23', [5, 5, 5, 5, 5, 5, 5, 5], 8, 7],
    ['none',                                          [],                   0, 0],
  ] as const
  for (const [rule, counts, distinct, surely] of ROWS) {
    test(rule, () => {
      const answers = counts.flatMap((count, at) => Array.from({ length: count }, () => [`${at}`]))
      expect(poolOf(answers)).toEqual({ distinct, surely })
    })
  }
})

test('what is typed comes back: servers, countries, names that YAML would misread', async () => {
  const { out } = await lbprobe([
    'snapshot',
    NS1,
    'A',
    'no.lab.test',
    'single.lab.test',
    '--country',
    'DE,NO',
  ])
  const file = parse(out, { version: '1.1' })
  expect(file.defaults).toEqual({ servers: ['127.0.0.1:5300'], countries: ['DE', 'NO'] })
  expect(file.checks.map(({ name }: { name: string }) => name)).toEqual([
    'no.lab.test',
    'single.lab.test',
  ])
})

test('9 no reply, and nothing is written', async () => {
  const { exit, out } = await lbprobe(['snapshot', NS1, 'A', 'silence.lab.test'])
  expect([exit, out]).toEqual([9, ''])
})

test('2 a file that cannot be written', async () => {
  const words = ['snapshot', NS1, 'A', 'single.lab.test', '-o', 'full/disk']
  expect((await lbprobe(words)).exit).toBe(2)
})
