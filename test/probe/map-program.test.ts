/** `lbprobe map` against the lab, whose geography is known: partition, counts, records, exit codes. */
import { describe, expect, test } from 'vitest'
import { labOf } from '../../probe/lab/lab.ts'
import { ATLAS, wireTo } from './in-process.ts'
import { type Disk, map, mapOf } from './map-run.ts'

type Document = {
  readonly kind: string
  readonly stop?: string
  readonly coverage: number
  readonly groups: readonly { readonly answers: readonly string[] }[]
  readonly queries: { readonly asked: number; readonly unanswered: number }
  readonly replies: { readonly blocks: number; readonly samples: number; readonly repeats: number }
  readonly leaves: readonly { readonly prefix: string; readonly scope: number }[]
  readonly overlaps: readonly { readonly outer: string; readonly inner: string }[]
  readonly mixed: readonly string[]
  readonly oracle: { readonly models: readonly { readonly share: number }[] }
  readonly findings: readonly { readonly id: string }[]
  readonly error?: { readonly code: string }
}

async function document(line: string, disk?: Disk): Promise<Document> {
  return JSON.parse((await map(`${line} --json`, disk)).out)
}

/** The lab's own leaves: where a depth begins, by the first sixteen bits. */
const LEAVES: string[] = []
for (let block = 0; block < ATLAS.depths.length; ) {
  const depth = ATLAS.depths[block] ?? 0
  LEAVES.push(`${block >> 8}.${block & 255}.0.0/${depth}`)
  block += 2 ** (16 - depth)
}
/** A leaf wider than a /8 is asked for once in each /8 of it. */
const ASKS = LEAVES.reduce(
  (sum, leaf) => sum + Math.max(1, 2 ** (8 - Number(leaf.split('/')[1]))),
  0,
)

describe('an honest server', () => {
  test.each(['geo', 'geo-rotating'])('%s: its partition, a query a leaf', async label => {
    const found = await document(`${label} --samples 0`)
    expect(found.leaves.map(({ prefix }) => prefix)).toEqual(LEAVES)
    expect(found).toMatchObject({ kind: 'partition', coverage: 1, overlaps: [], findings: [] })
    expect(found.replies).toMatchObject({ blocks: ASKS, samples: 0 })
    expect(found.groups).toHaveLength(ATLAS.countries.length)
  })

  test('with samples: as many queries as there are leaves, samples and repeats', async () => {
    const { replies, queries, leaves, oracle } = await document('geo --samples 2')
    expect(leaves).toHaveLength(LEAVES.length)
    // every stretch has at least 256 networks: two of them are tried
    expect(replies).toMatchObject({ blocks: ASKS, samples: 2 * ASKS })
    expect(queries.asked).toBe(3 * ASKS + replies.repeats)
    expect(oracle.models.map(({ share }) => share)).toEqual([0, 0, 0])
  })

  test('rotation inside a block does not look like many groups', async () => {
    const { groups, kind } = await document('geo-rotating')
    expect([kind, groups.length]).toEqual(['partition', ATLAS.countries.length])
    for (const { answers } of groups) {
      const sites = answers.map(address => Math.floor((Number(address.split('.')[3]) - 1) / 3))
      expect(new Set(sites).size).toBe(1)
      expect(answers.length).toBeGreaterThan(1)
    }
  })

  test('--within asks nothing else', async () => {
    const inside = LEAVES.filter(leaf => leaf.startsWith('128.'))
    const found = await document('geo --samples 0 --within 128.0.0.0/8')
    expect(found.leaves.map(({ prefix }) => prefix)).toEqual(inside)
    expect(found.replies.blocks).toBe(inside.length)
  })
})

describe('the same for everybody', () => {
  test.each(['single', 'rotating-one', 'static'])('%s, in so many queries', async label => {
    const { kind, groups, replies, findings } = await document(`${label} --samples 0`)
    expect([kind, groups.length, replies.blocks, findings]).toEqual(['same', 1, 256, []])
    expect(replies.repeats).toBeLessThan(64)
  })

  test('no record at all is said', async () => {
    expect((await map('empty --samples 0')).out).toContain('no record of this type for anybody')
  })
})

describe('a server whose scopes are untrue', () => {
  // biome-ignore format: table
  const TABLE = [
    ['blocks in a /2',                 'broken-overlap --samples 8', 'untrue',  ['ECS006']],
    ['blocks two bits too short',      'broken-short',               'untrue',  ['ECS006']],
    ['scope 0 for many answers',       'lying-scope --samples 8',    'untrue',  ['ECS004']],
    ['no option back',                 'no-echo --samples 8',        'no-ecs',  ['ECS001']],
    ['a scope and nothing behind it',  'scope-theatre --max-queries 2000', 'sampled', ['ECS005']],
  ] as const
  for (const [rule, line, kind, ids] of TABLE) {
    test(rule, async () => {
      const found = await document(line)
      expect(found.kind).toBe(kind)
      expect(found.findings.map(({ id }) => id)).toEqual(ids)
      const shares = found.oracle.models.map(({ share }) => share > 0)
      expect(shares).toEqual(shares.map(() => kind !== 'sampled'))
    })
  }

  test('names the blocks, and looks closer once one is untrue', async () => {
    const { overlaps, mixed } = await document('broken-overlap --samples 8 --within 128.0.0.0/6')
    expect(mixed).toEqual([])
    expect(overlaps.length).toBeGreaterThan(0)
    for (const { outer, inner } of overlaps) {
      expect(outer).toBe('128.0.0.0/2')
      expect(LEAVES).toContain(inner)
    }
  })

  test('scopes that never widen: a sample, and what it may miss', async () => {
    const found = await document('prefix-sharding --max-queries 3000')
    expect(found).toMatchObject({ kind: 'sampled' })
    expect(found.queries.asked).toBe(3000)
    expect(found.groups).toHaveLength(4)
    expect((await map('scope-theatre --max-queries 2000')).out).toContain('drawn at random')
  })
})

describe('a record', () => {
  test('goes on where a run ended, and asks no leaf twice', async () => {
    const disk: Disk = new Map()
    const whole = await map('geo --samples 1 --within 128.0.0.0/3')
    const first = await map(
      'geo --samples 1 --within 128.0.0.0/3 --max-queries 100 --record r.jsonl',
      disk,
    )
    expect(first).toMatchObject({ exit: 0, sent: 100 })
    expect(first.out).toContain('partial: ')
    expect(first.err).toContain('--resume r.jsonl goes on')
    const second = await map('geo --samples 1 --within 128.0.0.0/3 --resume r.jsonl', disk)
    expect(first.sent + second.sent).toBe(whole.sent)
    const facts = (text: string): string => text.replace(/^.*queries to.*$/m, '')
    expect(facts(second.out)).toBe(facts(whole.out))
    const kept = (disk.get('r.jsonl') ?? '').split('\n').filter(line => line.startsWith('{"of":'))
    const leaves = kept.filter(line => line.includes('"purpose":"sample"'))
    const networks = leaves.map(line => JSON.parse(line).sent.text)
    expect(new Set(networks).size).toBe(leaves.length)
    expect(kept).toHaveLength(whole.sent)
    expect((await map('geo --samples 1 --within 128.0.0.0/3 --resume r.jsonl', disk)).sent).toBe(0)
  })

  test('a run that was killed: what was cut off is asked again', async () => {
    const disk: Disk = new Map()
    const whole = await map('geo --samples 0 --record r.jsonl', disk)
    const lines = (disk.get('r.jsonl') ?? '').split('\n').slice(0, -2) // no last line
    disk.set('r.jsonl', lines.join('\n').slice(0, -9))
    expect((await map('geo --samples 0 --resume r.jsonl', disk)).sent).toBe(1)
    const again = await map('geo --samples 0 --resume r.jsonl', disk)
    expect(again).toMatchObject({ sent: 0, exit: 0 })
    expect(again.out.split('queries to')[0]).toContain(whole.out.split('\n')[1])
    expect(await replayed(disk)).toMatchObject({ exit: 0, sent: 0 })
  })

  test('a disk that fills up is said once, and the map is made', async () => {
    const { exit, err, out } = await map('single --samples 0 --record full.jsonl')
    expect([exit, err.match(/the disk is full/g)]).toEqual([0, ['the disk is full']])
    expect(out).toContain('the same for everybody')
  })

  test.each([
    'geo --samples 1 --within 128.0.0.0/4',
    'geo-rotating --within 128.0.0.0/7',
    'broken-overlap --samples 8 --within 128.0.0.0/6',
    'prefix-sharding --max-queries 2000',
    'geo --max-queries 300',
    'refused',
    'silence',
  ])('replayed it is the same document: %s', async line => {
    const disk: Disk = new Map()
    const live = await map(`${line} --json --record r.jsonl`, disk)
    const again = await replayed(disk)
    expect(again.sent).toBe(0)
    expect(again.out).toBe(live.out)
    expect(again.exit).toBe(live.exit)
  })

  test('after going on, too', async () => {
    const disk: Disk = new Map()
    await map('geo-rotating --within 128.0.0.0/7 --max-queries 60 --record r.jsonl', disk)
    const live = await map('geo-rotating --within 128.0.0.0/7 --json --resume r.jsonl', disk)
    expect((await replayed(disk)).out).toBe(live.out)
  })
})

async function replayed(disk: Disk) {
  return mapOf(['--json', '--replay', 'r.jsonl'], disk)
}

describe('exit', () => {
  const head = (options: object): string =>
    `${JSON.stringify({ schema: 'lbprobe.recording/1', tool: { name: 'lbprobe', version: '0' }, began: '2026-11-30T00:00:00.000Z', options, plan: {} })}\n`
  const MAP = {
    ...{ command: 'map', seed: 1, samples: 3, orders: 3, special: 'asked', sources: [24] },
    ...{ space: ['0.0.0.0/0'], draws: 1, width: 8 },
  }
  const unit = (name: string, server = '127.0.0.1#5300'): string =>
    `${JSON.stringify({ unit: 0, name, type: 'A', chain: [], servers: [server], after: 'nothing' })}\n`
  const OWN = unit('geo.lab.test')
  const DISK: Disk = new Map([
    ['other.jsonl', head(MAP) + unit('other.test')],
    ['type.jsonl', head(MAP) + OWN.replace('"A"', '"AAAA"')],
    ['server.jsonl', head(MAP) + unit('geo.lab.test', '192.0.2.53#53')],
    ['own.jsonl', head(MAP) + OWN],
    ['ecs.jsonl', head({ command: 'ecs', seed: 1, alpha: 0.001, samples: 5, panel: [] }) + OWN],
    ['bare.jsonl', head(MAP)],
    ['line.jsonl', `${head(MAP)}${OWN}null\n`],
    ['not.jsonl', '{"schema":"something/1"}\n'],
    ['nets.txt', '2001:db8::/32 # documentation\n\n2001:db8:5::/48\n'],
    ['bad.txt', 'nonsense\n'],
  ])
  // biome-ignore format: table
  const EXITS = [
    ['0 a map',                              'single --samples 0',                               0],
    ['0 the server refuses, and that is said', 'refused',                                        0],
    ['0 nothing is sent',                    'geo --dry-run',                                    0],
    ['0 IPv6 inside what is announced',      'geo -6 --announced nets.txt -t AAAA',              0],
    ['1 mis-scoped',                         'lying-scope --samples 8 --fail-on mis-scoped',     1],
    ['0 mis-scoped, and nobody minds',       'lying-scope --samples 8',                          0],
    ['4 partial',                            'geo --max-queries 50 --fail-on partial',           4],
    ['9 no reply',                           'silence',                                          9],
    ['2 no name',                            '',                                                 2],
    ['2 -6 without bounds',                  'geo -6',                                           2],
    ['2 both families',                      'geo -4 -6 --announced nets.txt',                   2],
    ['2 a prefix of the other family',       'geo --within 2001:db8::/32',                       2],
    ['2 not a prefix',                       'geo --within nowhere',                             2],
    ['2 no such file',                       'geo -6 --announced no-such-file',                  2],
    ['2 a file that holds no prefix',        'geo -6 --announced bad.txt',                       2],
    ['2 two formats',                        'geo --json -f csv',                                2],
    ['2 a picture of IPv6',                  'geo -6 --within 2001:db8::/32 -f svg',             2],
    ['2 samples out of range',               'geo --samples 1001',                               2],
    ['2 an unknown condition',               'geo --fail-on timeout',                            2],
    ['2 no such record',                     'geo --resume none.jsonl',                          2],
    ['2 the record of another map',          'geo --resume other.jsonl',                         2],
    ['2 of another type',                    'geo --resume type.jsonl',                          2],
    ['2 of another server',                  'geo --resume server.jsonl',                        2],
    ['2 with another seed',                  'geo --resume own.jsonl --seed 2',                  2],
    ['2 of another part of the space',       'geo --resume own.jsonl --within 10.0.0.0/8',       2],
    ['2 of another command',                 'geo --resume ecs.jsonl',                           2],
    ['2 of nothing',                         'geo --resume bare.jsonl',                          2],
    ['2 a line that is none',                'geo --resume line.jsonl',                          2],
    ['2 a name beside a recording',          'geo --replay own.jsonl',                           2],
    ['2 a record that is none',              'geo --resume not.jsonl',                           2],
    ['2 a record that cannot be written',    'single --samples 0 --record full/disk',            2],
    ['2 --record beside another --resume',   'geo --record a --resume b',                        2],
  ] as const
  for (const [rule, line, expected] of EXITS) {
    test(rule, async () => {
      const { exit, err, sent } = await map(line, DISK)
      expect(exit, err).toBe(expected)
      if (expected === 2 && !line.includes('full/disk')) expect(sent).toBe(0)
    })
  }

  test('130 an interrupt, and what was seen is still told', async () => {
    const stop = new AbortController()
    const wire = wireTo(labOf(ATLAS, 5))
    const interrupting: typeof wire = {
      ...wire,
      datagram: (...all) => {
        if (wire.now() > 1000) stop.abort()
        return wire.datagram(...all)
      },
    }
    const over = { wire: interrupting, interrupt: stop.signal }
    const { out, exit } = await map('geo --json --record r.jsonl', new Map(), over)
    expect(exit).toBe(130)
    expect(JSON.parse(out)).toMatchObject({ stop: 'interrupted', error: { code: 'interrupted' } })
  })

  test('--dry-run says what would be asked, and sends nothing', async () => {
    const { out, sent } = await map('geo --dry-run --seed 7')
    expect([sent, out]).toEqual([
      0,
      'plan: geo.lab.test A · all of IPv4 · one query a block and 3 samples in it, ' +
        '1000000 in all at most · to 127.0.0.1#5300 · seed 7\n',
    ])
  })
})
