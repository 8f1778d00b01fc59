/** Verdicts on the board: what hangs on which watch, over changes of the World. No socket, a clock by hand. */
import { describe, expect, test } from 'vitest'
import { checksOf } from '../../server/health/checked.ts'
import { Sheet } from '../../server/health/sheet.ts'
import type { Outcome } from '../../server/health/try.ts'
import { type Flip, Verdicts } from '../../server/health/verdicts.ts'
import { NO_CAP, openBoard } from '../../server/steer/board.ts'
import type { Pool } from '../../server/steer/rule.ts'
import type { Check, Trial } from '../../server/steer/trial.ts'
import { HandClock } from '../kit/clock.ts'
import { checked, compiled, policyOf, pool, rule } from '../kit/steering.ts'

const FINE = { why: 'fine', ms: 40, load: undefined, capacity: undefined }
const KEPT = { since: 1.8e12, riseFactor: 2, changes: [3, 2, 1] }
const PACE = { every: 10, fastEvery: 10, timeout: 2, fall: 3, rise: 2 }

/** Verdicts on pools; `dead` says which places fail, `told` what the others tell. */
function stage() {
  const hand = new HandClock()
  const dead = new Set<string>()
  const told: { load?: number; capacity?: number } = {}
  const flips: Flip[] = []
  const tried: string[] = []
  const tryIt = async (_: unknown, place: string): Promise<Outcome> => {
    tried.push(place)
    const passed = !dead.has(place)
    const { load, capacity } = passed ? told : {}
    return { passed, why: passed ? 'fine' : 'refused', ms: 40, load, capacity }
  }
  const verdicts = new Verdicts(
    tryIt,
    hand.clock,
    () => 0,
    flip => flips.push(flip),
  )
  const serve = (...pools: readonly Pool[]) => {
    const policy = policyOf({ pools, rules: [rule({ all: pools.map((_, i) => i) })] })
    const { steering } = compiled(policy)
    const board = openBoard(steering)
    const checks = checksOf(policy, steering, path => `/etc/${path}`)
    verdicts.follow(checks, new Sheet(steering, board, new Map(checks.slow), hand.clock))
    return board
  }
  return { hand, dead, told, flips, tried, serve }
}

const web = (name: string, ...targets: readonly string[]): Pool => ({
  ...pool(name, ...targets),
  check: checked('web', PACE),
})

describe('verdicts', () => {
  test('BC-122 a pool without a check is up, and nothing is tried', async () => {
    const { hand, serve, tried } = stage()
    const board = serve(pool('a', '192.0.2.1'))
    await hand.run(60)
    expect([...board.up, ...board.flip]).toEqual([1, NO_CAP])
    expect(tried).toEqual([])
  })

  test('BC-113 until enough is known, all are up and nothing is promised', async () => {
    const { hand, serve } = stage()
    const board = serve(web('a', '192.0.2.1', '192.0.2.2'))
    expect([...board.up, ...board.flip]).toEqual([1, 1, 0])
    await hand.run(21)
    expect([...board.up, ...board.flip]).toEqual([1, 1, 30])
  })

  test('down after fall failures, up after rise passes, each told once', async () => {
    const { dead, flips, hand, serve } = stage()
    const board = serve(web('a', '192.0.2.1', '192.0.2.2'))
    await hand.run(30)
    dead.add('192.0.2.2')
    await hand.run(31)
    expect([...board.up]).toEqual([1, 0])
    dead.clear()
    await hand.run(21)
    expect([...board.up]).toEqual([1, 1])
    expect(flips).toEqual([
      { pool: 'a', target: '192.0.2.2', now: 'down', why: 'refused' },
      { pool: 'a', target: '192.0.2.2', now: 'up', why: 'fine' },
    ])
  })

  test('BC-119 one address in several pools is tried once, and every pool knows', async () => {
    const { dead, hand, serve, tried } = stage()
    const board = serve(web('a', '192.0.2.1'), web('b', '192.0.2.1', '192.0.2.2'))
    await hand.run(30)
    const once = tried.filter(place => place === '192.0.2.1').length
    expect(once).toBeLessThanOrEqual(4)
    dead.add('192.0.2.1')
    await hand.run(31)
    expect([...board.up]).toEqual([0, 0, 1])
  })

  test('a change of the World keeps what is known of addresses that stay', async () => {
    const { dead, flips, hand, serve } = stage()
    dead.add('192.0.2.2')
    serve(web('a', '192.0.2.1', '192.0.2.2'))
    await hand.run(60)
    const board = serve(web('z', '192.0.2.3'), web('a', '192.0.2.2', '192.0.2.1'))
    expect([...board.up]).toEqual([1, 0, 1])
    expect([...board.flip]).toEqual([0, 20])
    expect(flips).toHaveLength(1)
  })

  test('what is not in the World any more is not tried any more', async () => {
    const { hand, serve, tried } = stage()
    serve(web('a', '192.0.2.1'))
    await hand.run(30)
    serve(web('a', '192.0.2.2'))
    const before = tried.length
    await hand.run(60)
    expect(new Set(tried.slice(before))).toEqual(new Set(['192.0.2.2']))
  })

  test('another place than the target may be checked', async () => {
    const { serve, hand, tried } = stage()
    const [target] = pool('a', '192.0.2.1').targets
    if (target === undefined) throw new Error('no target')
    serve({ ...web('a'), targets: [{ ...target, checkAt: '10.0.0.1' }] })
    await hand.run(15)
    expect(new Set(tried)).toEqual(new Set(['10.0.0.1']))
  })

  test('files and programs are looked for beside the configuration', () => {
    const pace = (trial: Trial) => ({ ...web('a', '192.0.2.1'), check: checked('own', { trial }) })
    const wanted = (trial: Trial) => {
      const policy = policyOf({ pools: [pace(trial)], rules: [rule({ all: [0] })] })
      const beside = (path: string) => `/etc/${path}`
      return checksOf(policy, compiled(policy).steering, beside).wanted[0]?.check.trial
    }
    expect(wanted({ kind: 'file', path: 'state' })).toEqual({ kind: 'file', path: '/etc/state' })
    const exec = { kind: 'exec', env: [] } as const
    const command = (program: string) => ({ ...exec, command: [program, 'a/b'] })
    expect(wanted(command('bin/check'))).toEqual(command('/etc/bin/check'))
  })

  test('latency, load and capacity are on the board, unless a file tells of the pool', async () => {
    const { hand, serve, told } = stage()
    Object.assign(told, { load: 4, capacity: 8 })
    const at = { file: 'lbdns.yaml', line: 1, column: 1 }
    const fed = { ...web('b', '192.0.2.2'), loads: { path: 'l.csv', maxAge: 60, at } }
    const board = serve(web('a', '192.0.2.1'), fed)
    await hand.run(15)
    expect([...board.load]).toEqual([4, Number.NaN])
    expect([...board.share]).toEqual([8, Number.NaN])
    expect([...board.latency]).toEqual([40, Number.NaN])
  })
})

describe('after a restart', () => {
  /** Serves one pool with what another process knew of it, `initial` as told. */
  async function again(initial: Check['initial'], up: boolean, goneMs = 0) {
    const policy = policyOf({
      pools: [{ ...pool('a', '192.0.2.1'), check: checked('web', { ...PACE, initial }) }],
      rules: [rule({ all: [0] })],
    })
    const { steering } = compiled(policy)
    const checks = checksOf(policy, steering, path => path)
    const before = {
      kept: new Map(checks.wanted.map(({ key }) => [key, { ...KEPT, up }])),
      goneMs,
    }
    const hand = new HandClock()
    const tryIt = async (): Promise<Outcome> => ({ ...FINE, passed: true })
    const verdicts = new Verdicts(
      tryIt,
      hand.clock,
      () => 0,
      () => {},
      before,
    )
    const board = openBoard(steering)
    verdicts.follow(checks, new Sheet(steering, board, new Map(), hand.clock))
    return { board, hand, verdicts }
  }

  // biome-ignore format: table
  const TABLE = [
    // initial  was    is up, and proven for so many seconds
    ['last',    false, [0, 0]],
    ['last',    true,  [1, 0]],
    ['up',      false, [1, 0]],
    ['down',    true,  [0, 0]],
  ] as const
  test.each(TABLE)('initial: %s, and it was up: %s', async (initial, up, now) => {
    const { board } = await again(initial, up)
    expect([...board.up, ...board.flip]).toEqual(now)
  })

  test('one that flapped before must pass as often as it would have had to', async () => {
    const soon = await again('last', false)
    await soon.hand.run(25)
    expect([...soon.board.up]).toEqual([0]) // rise 2, times 2: at 0, 10, 20 and 30 s
    await soon.hand.run(10)
    expect([...soon.board.up]).toEqual([1])
    const later = await again('last', false, 100_000) // 10 × every without a change
    await later.hand.run(15)
    expect([...later.board.up]).toEqual([1])
  })

  test('what was kept is kept again, before anything is tried', async () => {
    const { verdicts } = await again('last', false)
    expect([...verdicts.kept().values()]).toMatchObject([{ up: false, riseFactor: 2 }])
    const guess = await again('up', false)
    expect(guess.verdicts.kept().size).toBe(0)
  })
})
