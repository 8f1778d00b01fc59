/**
 * An operator's hand on a running server: a drain that is planned, and what many resolvers see of it,
 * through a reload and a kill −9 on either side of its begin. And a proof for a certificate.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort, type Program, stopAll } from '../kit/process.ts'
import { reload } from '../kit/reload.ts'
import { askUdp, lbdns, serveSite, site } from '../kit/server.ts'
import { askFromMany } from '../kit/sources.ts'

const SOURCES = 600
const NAME = 'www.example.com'
/** Seconds: time enough to end and start a server on a busy machine, on either side of the begin. */
const UNTIL_BEGIN = 20
const LASTS = 30
/** Moments are told to the second, and overrides looked at four times in one. */
const SLACK = 1_600
const PLAN = 1000 * (UNTIL_BEGIN + LASTS)

let port = 0
let folder = ''
let server: Program
afterAll(stopAll)

beforeAll(async () => {
  port = await freePort()
  folder = site({
    'lbdns.yaml': `listen: [127.0.0.1:${port}]
zones: [a.zone]
pools:
  fra: {targets: [192.0.2.1]}
  iad: {targets: [198.51.100.1]}
steer:
  www.example.com: {ttl: {max: 300s, min: 5s}, pools: [fra, iad]}
`,
    'a.zone':
      '$ORIGIN example.com.\n$TTL 60\n@ SOA ns1 h 1 7200 900 1209600 60\n@ NS ns1\nns1 A 127.0.0.1\n',
  })
  server = await serveSite(folder)
})

/** Asks the running server, and takes its answer as JSON. */
async function ctl(...words: readonly string[]) {
  const { code, stderr, stdout } = await lbdns(
    'ctl',
    ...words,
    '--json',
    '-c',
    `${folder}/lbdns.yaml`,
  )
  if (code !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}

async function restart(): Promise<void> {
  server.signal('SIGKILL')
  await server.ended
  server = await serveSite(folder)
}

/** Which sources are sent to iad, and the greatest TTL that any was told. */
async function moved() {
  const answers = await askFromMany(port, NAME, SOURCES)
  const rows = answers.map(({ answer }) => (answer[0] ?? '').split(' '))
  const away = rows.flatMap((row, source) => (row[3] === '198.51.100.1' ? [source] : []))
  return { away, ttl: Math.max(...rows.map(row => Number(row[1]))) }
}

async function sleepUntil(time: number): Promise<void> {
  await new Promise(resolve => setTimeout(resolve, Math.max(0, time - Date.now())))
}

test(
  'drain 30 % of a pool, planned: TTLs end there, pairs move once and come back',
  async () => {
    expect(await moved()).toEqual({ away: [], ttl: 300 })

    const asked = ['drain', 'fra', '--percent', '30', '--reason', 'works']
    const dry = await ctl(...asked, '--dry-run')
    expect(dry.names).toEqual([
      {
        name: `${NAME}.`,
        moves: [{ family: 4, from: 'fra', to: 'iad', share: expect.closeTo(0.3, 6) }],
      },
    ])

    const told = await ctl(
      ...asked,
      '--at',
      `+${UNTIL_BEGIN}s`,
      '--for',
      `${LASTS}s`,
      '--author',
      'alice',
    )
    expect(told).toMatchObject({ id: 1, does: 'drain fra 30 %', author: 'alice', now: 'later' })
    const begin = Date.parse(told.from)
    expect(Date.parse(told.until) - begin).toBe(1000 * LASTS)

    // Before it begins: nobody moves, and no answer is kept beyond the begin.
    const before = await moved()
    expect(before.away).toEqual([])
    expect(before.ttl).toBeLessThanOrEqual(UNTIL_BEGIN)
    expect(await reload(server, folder)).toEqual(['reloaded'])
    await restart()
    expect(await ctl('overrides')).toMatchObject([{ id: 1, author: 'alice', reason: 'works' }])
    expect(Date.now()).toBeLessThan(begin) // or this machine is too slow for this test
    const still = await moved()
    expect(still.away).toEqual([])

    await sleepUntil(begin + SLACK)
    const during = await moved()
    const sigmas = 3 * Math.sqrt(SOURCES * 0.3 * 0.7)
    expect(Math.abs(during.away.length - 0.3 * SOURCES)).toBeLessThanOrEqual(sigmas)
    expect(during.ttl).toBeLessThanOrEqual(LASTS)
    expect(await reload(server, folder)).toEqual(['reloaded'])
    expect((await moved()).away).toEqual(during.away)
    await restart()
    expect((await moved()).away).toEqual(during.away)

    await sleepUntil(begin + 1000 * LASTS + SLACK)
    expect(await moved()).toEqual({ away: [], ttl: 300 })
    expect(await ctl('overrides')).toEqual([])
  },
  6 * PLAN,
)

describe('what is set is seen before ctl returns', () => {
  test('force, and unforce', async () => {
    await ctl('force', 'down', 'fra/192.0.2.1')
    expect((await askUdp(port, NAME)).answer).toEqual([expect.stringContaining('198.51.100.1')])
    await ctl('unforce', 'fra/192.0.2.1')
    expect((await askUdp(port, NAME)).answer).toEqual([expect.stringContaining('192.0.2.1')])
  })

  test('a proof for a certificate, and none: RFC 8555 §8.4', async () => {
    const owner = `_acme-challenge.${NAME}`
    const rcodes: string[] = []
    for (const token of ['one', 'two', 'three']) {
      await ctl('acme', 'set', NAME, token)
      const { answer } = await askUdp(port, owner, { type: 'TXT' })
      expect(answer).toEqual([`${owner}. 5 TXT "${token}"`])
      await ctl('acme', 'clear', NAME, token)
      rcodes.push((await askUdp(port, owner, { type: 'TXT' })).rcode)
    }
    expect(rcodes).toEqual(['NXDOMAIN', 'NXDOMAIN', 'NXDOMAIN'])
  })

  // biome-ignore format: table
  const WRONG = [
    ['drain lhr',                       'no pool and no target is called lhr'],
    ['drain 192.0.2.77',                'no pool and no target is called 192.0.2.77'],
    ['undrain fra',                     'fra is not drained'],
    ['unforce fra',                     'fra is not forced'],
    ['undo 77',                         'no override has the number 77'],
    ['drain fra --at 2020-01-01T00:00:00Z', 'at: that moment has passed'],
    ['ramp www.example.org from fra to iad over 1h', 'www.example.org is not steered'],
    ['ramp www.example.com from fra to lhr over 1h', 'no pool is called lhr'],
    ['ramp www.example.com from fra to fra over 1h', 'from fra to fra moves nobody'],
    ['push 192.0.2.1',                  'nothing is pushed of 192.0.2.1'],
    ['acme set www.example.org abc',    'www.example.org is in no zone that is served here'],
    ['acme clear www.example.com',      'no such proof is set for www.example.com'],
  ] as const
  test.each(WRONG)('%s: exit 2, and a sentence', async (words, sentence) => {
    const config = ['-c', `${folder}/lbdns.yaml`]
    const { code, stderr } = await lbdns('ctl', ...words.split(' '), ...config)
    expect([code, stderr]).toEqual([2, expect.stringContaining(`lbdns: ${sentence}`)])
  })
})
