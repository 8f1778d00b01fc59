/** What a running server tells, as text: written by hand, to the letter. */
import { describe, expect, test } from 'vitest'
import { ageText } from '../../server/tell/control/age.ts'
import { eventText } from '../../server/tell/control/event-text.ts'
import { changed, changeLine, healthHead } from '../../server/tell/control/health-text.ts'
import { screenText } from '../../server/tell/control/screen.ts'
import { roughSpan } from '../../server/tell/control/span.ts'
import { toldText } from '../../server/tell/control/text.ts'
import type {
  Event,
  Happening,
  OverrideTold,
  Status,
  TargetState,
  Told,
  WatchTold,
} from '../../server/tell/control/told.ts'

const NOW = Date.parse('2026-12-01T12:00:00Z')

function text<Kind extends keyof Told>(kind: Kind, told: Told[Kind]): string {
  return `\n${toldText(kind, told, NOW).join('\n')}\n`
}

const DRAIN: OverrideTold = {
  id: 3,
  does: 'drain fra 30 %',
  override: { kind: 'drain', what: 'fra', share: 0.3 },
  author: 'ann',
  reason: 'rack move',
  made: '2026-12-01T11:00:00Z',
  from: '2026-12-01T11:00:00Z',
  until: '2026-12-01T13:00:00Z',
  now: 'in force',
}
const { until: _, ...FOR_GOOD } = DRAIN
const LATER: OverrideTold = {
  ...FOR_GOOD,
  id: 14,
  does: 'force iad down',
  override: { kind: 'force', what: 'iad', to: 'down' },
  author: 'bob',
  reason: '',
  from: '2026-12-24T06:00:00Z',
  now: 'later',
  void: 'there is no iad',
}

describe('ages', () => {
  // biome-ignore format: table
  const SPANS: readonly (readonly [number, string])[] = [
    [0, '0s'], [0.9, '0s'], [41, '41s'], [60, '1m'], [192, '3m12s'], [7500, '2h5m'], [7259, '2h'],
    [86_399, '23h59m'], [86_400, '1d'], [792_000, '9d4h'], [90_060, '1d1h'], [86_460, '1d'],
  ]
  test.each(SPANS)('%f s: %s', (seconds, expected) => {
    expect(roughSpan(seconds)).toBe(expected)
  })

  test('what lies ahead is now, and what is no moment has no age', () => {
    expect(ageText('2026-12-01T12:00:05Z', NOW)).toBe('0s')
    expect(ageText('2026-12-01T11:59:55Z', NOW)).toBe('5s')
    expect(ageText('yesterday', NOW)).toBe('')
  })
})

const STATUS: Status = {
  version: 'lbdns 0.2.0',
  pid: 4711,
  started: '2026-12-01T09:55:00Z',
  config: '/etc/lbdns/lbdns.yaml',
  digest: '0123456789abcdef0123456789abcdef',
  loaded: '2026-12-01T10:00:00Z',
  listening: ['127.0.0.1:53', '[::1]:53'],
  engine: 'batched',
  workers: 2,
  restarts: 0,
  zones: 1,
  names: 12,
  pools: { usable: 4, all: 5 },
  targets: { up: 17, all: 20 },
  overrides: { now: 2, later: 1 },
  reloads: { done: 3, refused: 1 },
}

describe('status', () => {
  test('a fact a line', () => {
    expect(text('status', STATUS)).toBe(`
lbdns 0.2.0, process 4711, since 2026-12-01T09:55:00Z (2h5m)
  configuration  /etc/lbdns/lbdns.yaml
  digest         0123456789abcdef0123456789abcdef, since 2026-12-01T10:00:00Z
  listening      127.0.0.1:53, [::1]:53 (UDP and TCP)
  udp            2 workers, in batches, no restarts
  serves         1 zone, 12 steered names
  pools          4 of 5 usable
  targets        17 of 20 up
  overrides      2 in force, 1 later
  reloads        3 done, 1 refused
`)
  })

  test('what waits for its time, and what is served without batches', () => {
    const planned = { digest: 'fedc', at: '2026-12-24T06:00:00Z' }
    const told = { ...STATUS, planned, engine: 'dgram', workers: 1, restarts: 1 } as const
    const lines = text('status', told).split('\n')
    expect(lines[4]).toBe('  planned        fedc, at 2026-12-24T06:00:00Z')
    expect(lines[6]).toBe('  udp            1 worker, through node:dgram, 1 restart')
  })
})

const UP: TargetState = {
  target: '192.0.2.10',
  now: 'up',
  checks: 'up',
  keeps: 1,
  warm: 1,
  weight: 3,
  since: '2026-12-01T09:55:00Z',
}

describe('states', () => {
  test('pools, targets, overrides; no columns of which nothing is known', () => {
    const down: TargetState = {
      ...UP,
      target: '192.0.2.11',
      now: 'down',
      forced: 'down',
      weight: 1,
      since: '2026-12-01T11:59:19Z',
      why: 'status 200',
    }
    const slow: TargetState = { ...UP, target: '2001:db8::10', keeps: 0.7, warm: 0.01 }
    const { since: _, ...unchecked } = UP
    const pools = [
      { pool: 'fra', up: 2, all: 3, keeps: 0.7, targets: [UP, down, slow] },
      { pool: 'iad', up: 1, all: 1, keeps: 1, targets: [{ ...unchecked, checks: 'unchecked' }] },
    ] as const
    expect(text('states', { pools, overrides: [DRAIN] })).toBe(`
pool  up      clients
fra   2 of 3   70.0 %
iad   1 of 1

pool  target        now   checks     forced   for  clients  weight    warm  last try
fra   192.0.2.10    up    up                 2h5m                3
fra   192.0.2.11    down  up         down     41s                1          status 200
fra   2001:db8::10  up    up                 2h5m   70.0 %       3  1.00 %
iad   192.0.2.10    up    unchecked                              3

id  now       does            from                  until                 author  reason
 3  in force  drain fra 30 %  2026-12-01T11:00:00Z  2026-12-01T13:00:00Z  ann     rack move
`)
  })

  test('loads and latencies in three figures', () => {
    const busy = { ...UP, load: 0.12345, capacity: 1000, latency_ms: 12.345 }
    const pools = [{ pool: 'fra', up: 1, all: 1, keeps: 1, targets: [busy] }]
    expect(text('states', { pools, overrides: [] })).toBe(`
pool  up
fra   1 of 1

pool  target      now  checks   for  weight   load  capacity  latency
fra   192.0.2.10  up   up      2h5m       3  0.123      1000  12.3 ms
`)
  })

  test('nothing to tell', () => {
    expect(text('states', { pools: [], overrides: [] })).toBe('\nno pools\n')
    const pool = { pool: 'fra', up: 0, all: 0, keeps: 1, targets: [] }
    expect(text('states', { pools: [pool], overrides: [] })).toBe(`
pool  up
fra   0 of 0

no targets
`)
  })
})

const GOOD: WatchTold = {
  check: 'web',
  kind: 'http',
  place: '192.0.2.10',
  targets: ['fra/192.0.2.10', 'all/192.0.2.10'],
  now: 'up',
  proven: true,
  since: '2026-12-01T09:55:00Z',
  latency_ms: 12,
  why: '200 OK',
  steady_s: 20,
  passes: 750,
  failures: 0,
}
const BAD: WatchTold = {
  ...GOOD,
  place: '192.0.2.11',
  targets: ['fra/192.0.2.11'],
  now: 'down',
  since: '2026-12-01T11:59:19Z',
  why: 'connection refused',
  steady_s: 0,
  passes: 0,
  failures: 1,
}
const NEW: WatchTold = { ...GOOD, check: 'db', kind: 'tcp', proven: false, passes: 1, steady_s: 0 }

describe('health', () => {
  test('a line a watch: down first, then what is not proven', () => {
    expect(text('health', { watches: [GOOD, NEW, BAD] })).toBe(`
now            for  check  kind  place       in a row    steady  latency  targets                         last try
down           41s  web    http  192.0.2.11  1 failure       0s    12 ms  fra/192.0.2.11                  connection refused
up, unproven  2h5m  db     tcp   192.0.2.10  1 pass          0s    12 ms  fra/192.0.2.10, all/192.0.2.10  200 OK
up            2h5m  web    http  192.0.2.10  750 passes     20s    12 ms  fra/192.0.2.10, all/192.0.2.10  200 OK
`)
    expect(healthHead({ watches: [GOOD, NEW, BAD] })).toBe('2 of 3 up')
    expect(text('health', { watches: [] })).toBe('\nnothing is checked\n')
  })

  test('what has changed, a line each', () => {
    expect(changed(undefined, { watches: [GOOD, BAD] }).map(changeLine)).toEqual([
      '2026-12-01T09:55:00Z up web 192.0.2.10 (fra/192.0.2.10, all/192.0.2.10): 200 OK',
      '2026-12-01T11:59:19Z down web 192.0.2.11 (fra/192.0.2.11): connection refused',
    ])
    const { why: _, ...silent } = { ...NEW, proven: true }
    // biome-ignore format: table
    const ROWS: readonly (readonly [WatchTold, WatchTold, boolean])[] = [
      [GOOD, { ...GOOD, passes: 751, why: '204 No Content' }, false],
      [GOOD, { ...GOOD, now: 'down' },                        true],
      [NEW,  silent,                                          true],
      [GOOD, { ...GOOD, check: 'other' },                     true],
    ]
    for (const [before, after, isChange] of ROWS) {
      const watches = changed({ watches: [before] }, { watches: [after] })
      expect(watches).toEqual(isChange ? [after] : [])
    }
    expect(changeLine(silent)).toBe(
      '2026-12-01T09:55:00Z up db 192.0.2.10 (fra/192.0.2.10, all/192.0.2.10)',
    )
  })
})

describe('the screen', () => {
  const DRAWN: readonly (readonly [string, readonly string[], number, number, string])[] = [
    ['fits', ['ab', 'c'], 4, 3, '\x1b[Hab\x1b[K\nc\x1b[K\n\x1b[J'],
    ['a line as wide as it is', ['abcd'], 4, 3, '\x1b[Habcd\x1b[K\n\x1b[J'],
    ['a line too wide', ['abcde'], 4, 3, '\x1b[Habc…\x1b[K\n\x1b[J'],
    ['a line too many', ['a', 'b', 'c'], 20, 3, '\x1b[Ha\x1b[K\nand 2 more lines\x1b[K\n\x1b[J'],
    ['no room at all', ['a', 'b'], 20, 1, '\x1b[Hand 2 more lines\x1b[K\n\x1b[J'],
  ]
  test.each(DRAWN)('%s', (_name, lines, columns, rows, expected) => {
    expect(screenText(lines, columns, rows)).toBe(expected)
  })
})

describe('overrides', () => {
  test('a line each, and what does nothing', () => {
    expect(text('overrides', [DRAIN, LATER])).toBe(`
id  now       does            from                  until                 author  reason     but
 3  in force  drain fra 30 %  2026-12-01T11:00:00Z  2026-12-01T13:00:00Z  ann     rack move
14  later     force iad down  2026-12-24T06:00:00Z  undone                bob                does nothing: there is no iad
`)
    expect(text('overrides', [])).toBe('\nno overrides\n')
  })

  test.each([
    ['drain', DRAIN, '3: drain fra 30 %, in force until 2026-12-01T13:00:00Z'],
    ['drain', FOR_GOOD, '3: drain fra 30 %, in force until undone'],
    [
      'force',
      LATER,
      '14: force iad down, from 2026-12-24T06:00:00Z until undone · it does nothing: there is no iad',
    ],
  ] as const)('%s, done', (kind, told, expected) => {
    expect(text(kind, told)).toBe(`\n${expected}\n`)
  })

  test('taken back', () => {
    expect(text('undrain', { undone: [DRAIN, LATER] })).toBe(
      '\nundone: 3, drain fra 30 %\nundone: 14, force iad down\n',
    )
    expect(text('undo', { undone: [] })).toBe('\nnothing was to be undone\n')
  })
})

describe('a dry run', () => {
  test('whom it would move, and whom not', () => {
    const names = [
      {
        name: 'www.example.com.',
        moves: [
          { family: 4, from: 'fra', to: 'iad', share: 0.1234 },
          { family: 6, from: 'fra', to: 'iad', share: 0.05 },
        ],
      },
      { name: 'a.example.com.', moves: [{ family: 4, from: 'fra', to: 'sin', share: 1 }] },
      { name: 'b.example.com.', moves: [] },
    ] as const
    expect(text('drain', { does: 'drain fra 30 %', names })).toBe(`
drain fra 30 % would move, of all addresses

name              family   moves  from  to
www.example.com.  IPv4    12.3 %  fra   iad
www.example.com.  IPv6    5.00 %  fra   iad
a.example.com.    IPv4     100 %  fra   sin

nobody of b.example.com.
`)
  })

  test('nobody', () => {
    const names = [{ name: 'b.example.com.', moves: [] }]
    expect(text('ramp', { does: 'ramp b', names })).toBe('\nramp b would move nobody\n')
  })
})

describe('what else is done', () => {
  test.each([
    ['reload', { now: 'reloaded', digest: 'abc' }, 'reloaded, digest abc'],
    [
      'reload',
      { now: 'planned', digest: 'abc', at: '2026-12-24T06:00:00Z' },
      'planned for 2026-12-24T06:00:00Z, digest abc',
    ],
    [
      'push',
      { targets: ['fra/192.0.2.10', 'b/192.0.2.10'] },
      'taken by fra/192.0.2.10, b/192.0.2.10',
    ],
    ['acme set', { name: 'example.com.', tokens: 1 }, 'example.com. now has 1 token'],
    ['acme clear', { name: 'example.com.', tokens: 0 }, 'example.com. now has no tokens'],
    ['dump', { a: [1] }, '{\n  "a": [\n    1\n  ]\n}'],
  ] as const)('%s', (kind, told, expected) => {
    expect(text(kind, told as never)).toBe(`\n${expected}\n`)
  })
})

describe('events', () => {
  // biome-ignore format: table
  const TABLE: readonly (readonly [Happening, string])[] = [
    [{ kind: 'verdict', pool: 'fra', target: '192.0.2.10', now: 'down', why: 'connection refused' },
      'fra/192.0.2.10 down: connection refused'],
    [{ kind: 'reloaded', listening: [], digest: 'abc' },     'reloaded, digest abc'],
    [{ kind: 'pool', pool: 'fra', now: 'unusable', up: 0, all: 3 }, 'pool fra unusable: 0 of 3 up'],
    [{ kind: 'reload refused', problems: ['a:1:1: no', 'b'] }, 'reload refused\n  a:1:1: no\n  b'],
    [{ kind: 'planned', digest: 'abc', at: '2026-12-24T06:00:00Z' },
      'planned for 2026-12-24T06:00:00Z, digest abc'],
    [{ kind: 'override', what: 'made', by: 'ann', override: DRAIN },
      'override made by ann · 3: drain fra 30 %, in force until 2026-12-01T13:00:00Z'],
  ]
  test.each(TABLE)('$kind', (happening, expected) => {
    const event: Event = { id: 7, time: '2026-12-01T12:00:00Z', ...happening }
    expect(eventText(event)).toBe(`2026-12-01T12:00:00Z ${expected}`)
  })

  test('one that is not known here is shown as it came', () => {
    const event = { id: 7, time: 'T', kind: 'eclipse', where: 'fra' } as unknown as Event
    expect(eventText(event)).toBe('T {"id":7,"time":"T","kind":"eclipse","where":"fra"}')
  })
})
