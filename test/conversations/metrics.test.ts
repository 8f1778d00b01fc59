/**
 * Metrics as an operator's Prometheus meets them: after known questions the figures are exactly those
 * questions, whatever is reloaded meanwhile; and who asks for health is answered under load.
 */
import { createSocket } from 'node:dgram'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { families } from '../kit/exposition.ts'
import {
  freePort,
  LBDNS,
  LOOPBACK,
  type Program,
  run,
  startReady,
  stopAll,
  until,
} from '../kit/process.ts'
import { lint } from '../kit/promlint.ts'
import { PATIENCE_MS, refusal, reload } from '../kit/reload.ts'
import { asked, fallen, risen, type Scraped, scrape, textAt } from '../kit/scrape.ts'
import { ABSENT, exchangeUdp, hold, put, serveSite, site } from '../kit/server.ts'
import { tcpClient } from '../kit/transport.ts'
import { type Ask, queryOf } from '../kit/world.ts'

const ZONE = `$ORIGIN example.com.
$TTL 60
@ SOA ns1 hostmaster 7 7200 900 1209600 60
@ NS ns1
ns1 A 192.0.2.251
txt TXT ${'"0123456789" '.repeat(30)}
`

const STEER = `www.example.com: {ttl: 60s, by: {networks: {office: [in]}, default: [out]}}
  turn.example.com: {ttl: 60s, pick: rotate, pools: [out]}`

const config = (port: number, metrics: string, steer = STEER) => `listen: [${LOOPBACK.map(host =>
  host.includes(':') ? `"[${host}]:${port}"` : `${host}:${port}`,
).join(', ')}]
metrics: ${metrics}
zones: [example.com.zone]
networks: {office: [203.0.113.0/24, "2001:db8::/48"]}
pools:
  in: {targets: [192.0.2.1, "2001:db8::1"]}
  out: {targets: [192.0.2.2, 192.0.2.3, "2001:db8::2"]}
steer:
  ${steer}
`

let port = 0
let metrics = 0
let folder = ''
let server: Program
beforeAll(async () => {
  port = await freePort()
  metrics = await freePort()
  folder = site({
    'lbdns.yaml': config(port, `127.0.0.1:${metrics}`),
    'example.com.zone': ZONE,
  })
  server = await serveSite(folder)
})
afterAll(stopAll)

let before: Scraped
beforeEach(async () => {
  before = await scrape(metrics)
})

type Sent = { readonly asked: number; readonly replied: number }

/** Asks so many times, and tells how many octets that were, both ways. */
async function ask(
  times: number,
  name: string,
  { over = 'udp', host = '127.0.0.1', ...options }: Ask & { over?: 'udp' | 'tcp'; host?: string },
): Promise<Sent> {
  let sent = { asked: 0, replied: 0 }
  const client = over === 'tcp' ? await tcpClient({ address: host, port }) : undefined
  for (let left = times; left > 0; left -= 1) {
    const query = queryOf(name, options)
    const reply = await (client?.ask(query, 10_000) ?? exchangeUdp({ host, port }, query))
    if (reply === undefined) throw new Error('no reply')
    sent = { asked: sent.asked + query.length, replied: sent.replied + reply.length }
  }
  client?.socket.destroy()
  return sent
}

const all = (sent: readonly Sent[]): Sent => ({
  asked: sent.reduce((sum, one) => sum + one.asked, 0),
  replied: sent.reduce((sum, one) => sum + one.replied, 0),
})

describe('what was asked is what is told', () => {
  test('by transport, type and RCODE; by name and pool; by scope; in octets', async () => {
    const office = '203.0.113.0/24'
    const udp = all([
      await ask(7, 'www.example.com', { subnet: office }),
      await ask(5, 'www.example.com', { subnet: '198.51.100.0/24' }),
      await ask(2, 'www.example.com', { type: 'AAAA', subnet: '2001:db8:0:8000::/56' }),
      await ask(3, 'turn.example.com', {}),
      await ask(4, 'nosuch.example.com', { edns: false }),
      await ask(1, 'www.example.net', { type: 'MX' }),
      await ask(1, 'txt.example.com', { type: 'TXT' }),
    ])
    const tcp = all([
      await ask(2, 'turn.example.com', { over: 'tcp' }),
      await ask(1, 'ns1.example.com', { over: 'tcp', type: 'HTTPS' }),
    ])
    const after = await scrape(metrics)
    const of = (named: RegExp) => risen(before, after, named)
    expect(of(/^lbdns_dns_requests_total/)).toEqual({
      'lbdns_dns_requests_total{family="1",proto="udp",type="A"}': 19,
      'lbdns_dns_requests_total{family="1",proto="udp",type="AAAA"}': 2,
      'lbdns_dns_requests_total{family="1",proto="udp",type="MX"}': 1,
      'lbdns_dns_requests_total{family="1",proto="udp",type="TXT"}': 1,
      'lbdns_dns_requests_total{family="1",proto="tcp",type="A"}': 2,
      'lbdns_dns_requests_total{family="1",proto="tcp",type="HTTPS"}': 1,
    })
    expect(of(/^lbdns_dns_responses_total/)).toEqual({
      'lbdns_dns_responses_total{rcode="NOERROR"}': 21,
      'lbdns_dns_responses_total{rcode="NXDOMAIN"}': 4,
      'lbdns_dns_responses_total{rcode="REFUSED"}': 1,
    })
    expect(of(/^lbdns_answers_total/)).toEqual({
      'lbdns_answers_total{name="www.example.com.",pool="in"}': 9,
      'lbdns_answers_total{name="www.example.com.",pool="out"}': 5,
      'lbdns_answers_total{name="turn.example.com.",pool="out"}': 5,
    })
    expect(of(/^lbdns_dns_ecs_(requests_total|scope_length_count)/)).toEqual({
      'lbdns_dns_ecs_requests_total{family="1"}': 12,
      'lbdns_dns_ecs_requests_total{family="2"}': 2,
      'lbdns_dns_ecs_scope_length_count{family="1"}': 12,
      'lbdns_dns_ecs_scope_length_count{family="2"}': 2,
    })
    // 203.0.113.0/24 and what lies beside 198.51.100.0/24 in the default; 2001:db8::/48
    expect(of(/^lbdns_dns_ecs_scope_length_sum{family="2"/)).toEqual({
      'lbdns_dns_ecs_scope_length_sum{family="2"}': 2 * 48,
    })
    expect(of(/^lbdns_dns_(request|response)_size_bytes_sum/)).toEqual({
      'lbdns_dns_request_size_bytes_sum{proto="udp"}': udp.asked,
      'lbdns_dns_request_size_bytes_sum{proto="tcp"}': tcp.asked,
      'lbdns_dns_response_size_bytes_sum{proto="udp"}': udp.replied,
      'lbdns_dns_response_size_bytes_sum{proto="tcp"}': tcp.replied,
    })
    expect(of(/^lbdns_(udp|tcp)_received_total|^lbdns_tcp_sent_total/)).toEqual({
      lbdns_udp_received_total: 23,
      lbdns_tcp_received_total: 3,
      lbdns_tcp_sent_total: 3,
    })
    await until('all is sent', async () => {
      return (
        risen(before, await scrape(metrics), /^lbdns_udp_sent_total/).lbdns_udp_sent_total === 23
      )
    })
  })

  test.skipIf(!LOOPBACK.includes('::1'))('who asks over IPv6 is of family 2', async () => {
    await ask(3, 'turn.example.com', { host: '::1' })
    await ask(2, 'turn.example.com', { host: '::1', over: 'tcp' })
    expect(risen(before, await scrape(metrics), /^lbdns_dns_requests_total/)).toEqual({
      'lbdns_dns_requests_total{family="2",proto="udp",type="A"}': 3,
      'lbdns_dns_requests_total{family="2",proto="tcp",type="A"}': 2,
    })
  })

  test('what is no query is told apart, and not answered', async () => {
    const socket = createSocket('udp4')
    const response = queryOf('www.example.com')
    response[2] = 0x80
    socket.send(response, port, '127.0.0.1')
    socket.send(response.subarray(0, 5), port, '127.0.0.1')
    const told = async () => risen(before, await scrape(metrics), /^lbdns_(dns_drops|udp_silent)/)
    await until('both have come', async () => (await told()).lbdns_udp_silent_total === 2)
    socket.close()
    expect(await told()).toEqual({
      'lbdns_dns_drops_total{reason="response"}': 1,
      'lbdns_dns_drops_total{reason="short"}': 1,
      lbdns_udp_silent_total: 2,
    })
  })

  test('promtool has nothing to say of it', async () => {
    expect(lint(families(await textAt(metrics)))).toEqual([])
  })

  test('what is served, and how it stands', async () => {
    for (const [series, value] of [
      ['lbdns_world_zones', 1],
      ['lbdns_world_records', 4],
      ['lbdns_world_steered_names', 2],
      ['lbdns_pool_targets{pool="out"}', 3],
      ['lbdns_pool_usable_targets{pool="in"}', 2],
      ['lbdns_target_up{pool="in",target="2001:db8::1"}', 1],
      ['lbdns_panics_total', 0],
      ['lbdns_worker_restarts_total', 0],
    ] as const) {
      expect([series, before.get(series)]).toEqual([series, value])
    }
    const digest = /digest +([0-9a-f]+)/.exec(server.stdout())?.[1]
    expect(before.get(`lbdns_reload_version_info{hash="sha256",value="${digest}"}`)).toBe(1)
    const age = Date.now() / 1000 - (before.get('lbdns_world_loaded_timestamp_seconds') ?? 0)
    expect(age).toBeGreaterThanOrEqual(0)
    expect(age).toBeLessThan(600)
    expect(before.get('lbdns_world_load_duration_seconds')).toBeGreaterThan(0)
  })
})

describe('reloads', { timeout: 3 * PATIENCE_MS }, () => {
  test('nothing counted gets less; a name that is gone and one that is new', async () => {
    await ask(2, 'turn.example.com', {})
    const more = STEER.replace('turn.', 'other.')
    put(folder, { 'lbdns.yaml': config(port, `127.0.0.1:${metrics}`, more) })
    expect(await reload(server, folder)).toEqual(['reloaded'])
    await ask(3, 'other.example.com', {})
    await ask(1, 'www.example.com', { over: 'tcp' })
    const after = await scrape(metrics)
    expect(fallen(before, after)).toEqual([])
    expect(risen(before, after, /^lbdns_answers_total/)).toEqual({
      'lbdns_answers_total{name="turn.example.com.",pool="out"}': 2,
      'lbdns_answers_total{name="other.example.com.",pool="out"}': 3,
      'lbdns_answers_total{name="www.example.com.",pool="out"}': 1,
    })
    put(folder, { 'lbdns.yaml': config(port, `127.0.0.1:${metrics}`) })
    expect(await reload(server, folder)).toEqual(['reloaded'])
    await ask(1, 'turn.example.com', {})
    const again = await scrape(metrics)
    expect(fallen(after, again)).toEqual([])
    expect(risen(after, again, /^lbdns_answers_total/)).toEqual({
      'lbdns_answers_total{name="turn.example.com.",pool="out"}': 1,
    })
  })

  test('one that is refused is counted', async () => {
    put(folder, { 'lbdns.yaml': 'listen: nowhere\n' })
    expect((await reload(server, folder)).at(-1)).toMatch(/^reload refused/)
    expect(risen(before, await scrape(metrics), /^lbdns_reload/)).toEqual({
      lbdns_reload_failed_total: 1,
    })
  })

  test('an address that is taken is refused, and the old one goes on', async () => {
    const taken = await freePort()
    const release = await hold(taken, 'tcp')
    put(folder, { 'lbdns.yaml': config(port, `127.0.0.1:${taken}`) })
    const [said = ''] = await reload(server, folder)
    await release()
    expect(said).toMatch(
      new RegExp(`lbdns.yaml:2:10: cannot listen on 127.0.0.1:${taken} \\(TCP\\): another process`),
    )
    expect(risen(before, await scrape(metrics), /^lbdns_reload/)).toEqual({
      lbdns_reload_failed_total: 1,
    })
  })

  test('where DNS cannot listen, metrics stay where they are', async () => {
    const taken = await freePort()
    const other = await freePort()
    const release = await hold(taken)
    put(folder, { 'lbdns.yaml': config(taken, `127.0.0.1:${other}`) })
    expect((await reload(server, folder)).at(-1)).toContain(`(TCP): another process has it`)
    await release()
    expect([await asked(other, '/healthz'), await asked(metrics, '/healthz')]).toEqual([
      '0',
      '200 ok',
    ])
  })

  test('another address: moved, and no count begins anew; none: nobody listens; and back', async () => {
    const other = await freePort()
    put(folder, { 'lbdns.yaml': config(port, `{listen: "127.0.0.1:${other}"}`) })
    expect(await reload(server, folder)).toEqual(['reloaded'])
    expect([await asked(metrics, '/readyz'), await asked(other, '/readyz')]).toEqual([
      '0',
      '200 ready',
    ])
    expect(fallen(before, await scrape(other))).toEqual([])

    const none = config(port, '').replace(/^metrics:.*\n/m, '')
    put(folder, { 'lbdns.yaml': none })
    expect(await reload(server, folder)).toEqual(['reloaded'])
    expect(await asked(other, '/healthz')).toBe('0')

    put(folder, { 'lbdns.yaml': config(port, `127.0.0.1:${metrics}`) })
    expect(await reload(server, folder)).toEqual(['reloaded'])
    expect(fallen(before, await scrape(metrics))).toEqual([])
  })

  test('the refusal of a file is said as ever', async () => {
    put(folder, { 'lbdns.yaml': config(port, 'localhost:9153') })
    expect((await reload(server, folder)).at(-1)).toBe(refusal(1))
    put(folder, { 'lbdns.yaml': config(port, `127.0.0.1:${metrics}`) })
  })
})

test('at the start an address that is taken is said where it is written', async () => {
  const [dns, taken] = [await freePort(), await freePort()]
  const release = await hold(taken, 'tcp')
  const where = site({
    'lbdns.yaml': config(dns, `127.0.0.1:${taken}`),
    'example.com.zone': ZONE,
  })
  const { code, stderr, stdout } = await run(process.execPath, [
    LBDNS,
    'run',
    '-c',
    `${where}/lbdns.yaml`,
  ])
  await release()
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr.replaceAll(`${where}/`, '')).toMatch(
    /(?:^|\n)lbdns: lbdns.yaml:2:10: cannot listen on 127\.0\.0\.1:\d+ \(TCP\): another process has it · stop that one .*\n$/,
  )
})

test('a target that goes down is told of, and how often any did', async () => {
  const [dns, http] = [await freePort(), await freePort()]
  const where = site({
    'lbdns.yaml': `listen: [127.0.0.1:${dns}]
metrics: 127.0.0.1:${http}
zones: [example.com.zone]
checks: {told: {type: file, path: "{address}.txt", every: 1s, timeout: 1s, fall: 1, rise: 1}}
pools: {p: {check: told, targets: [192.0.2.1, 192.0.2.2]}}
steer: {www.example.com: {ttl: 60s, pools: [p]}}
`,
    'example.com.zone': ZONE,
    '192.0.2.1.txt': 'UP',
    '192.0.2.2.txt': 'UP',
  })
  const started = await serveSite(where)
  const becomes = (series: string, value: number) => async () =>
    (await scrape(http)).get(series) === value
  await until('all is proven', becomes('lbdns_pool_proven{pool="p"}', 1))
  const proven = await scrape(http)
  expect(proven.get('lbdns_pool_next_change_seconds{pool="p"}')).toBe(1)
  expect(proven.get('lbdns_target_latency_seconds{pool="p",target="192.0.2.1"}')).toBeGreaterThan(0)

  put(where, { '192.0.2.2.txt': 'DOWN' })
  await until('it is down', becomes('lbdns_target_up{pool="p",target="192.0.2.2"}', 0))
  put(where, { '192.0.2.2.txt': 'UP' })
  await until('it is up', becomes('lbdns_target_up{pool="p",target="192.0.2.2"}', 1))
  put(where, { '192.0.2.1.txt': 'DOWN', '192.0.2.2.txt': 'DOWN' })
  await until('all are down', becomes('lbdns_pool_usable_targets{pool="p"}', 0))
  expect(risen(proven, await scrape(http), /^lbdns_health_flips_total/)).toEqual({
    'lbdns_health_flips_total{now="down",pool="p"}': 3,
    'lbdns_health_flips_total{now="up",pool="p"}': 1,
  })
  expect(await started.stop()).toBe(0)
})

/** Loaded into every thread before it begins: UDP workers do nothing while the file is there. */
const STUCK = `
const { existsSync } = require('node:fs')
const { isMainThread } = require('node:worker_threads')
const nobody = new Int32Array(new SharedArrayBuffer(4))
function wait() {
  while (existsSync(__filename + '.stuck')) Atomics.wait(nobody, 0, 0, 50)
}
if (!isMainThread) {
  const load = Atomics.load
  Atomics.load = (...given) => {
    wait()
    return load(...given)
  }
  setInterval(wait, 20).unref()
}
`

test('a worker that answers nothing is no health; once it goes on, it is', async () => {
  const [dns, http] = [await freePort(), await freePort()]
  const where = site({
    'lbdns.yaml': config(dns, `127.0.0.1:${http}`),
    'example.com.zone': ZONE,
    'stuck.cjs': STUCK,
  })
  const args = ['--require', `${where}/stuck.cjs`, LBDNS, 'run', '-c', `${where}/lbdns.yaml`]
  await startReady(process.execPath, args, ({ stdout }) => stdout().includes('listening'))
  expect(await asked(http, '/healthz')).toBe('200 ok')
  put(where, { 'stuck.cjs.stuck': '' })
  const becomes = (said: string) => async () => (await asked(http, '/healthz')) === said
  await until('it is ill', becomes('503 a worker does not answer'), 60_000)
  put(where, { 'stuck.cjs.stuck': ABSENT })
  await until('it is well', becomes('200 ok'))
}, 90_000)

describe('health', () => {
  test('is told while datagrams come faster than they are answered', async () => {
    const socket = createSocket('udp4')
    const query = queryOf('www.example.com', { subnet: '203.0.113.0/24' })
    const end = performance.now() + 3_000
    let sent = 0
    const flood = async () => {
      while (performance.now() < end) {
        for (let burst = 0; burst < 200; burst += 1) {
          socket.send(query, port, '127.0.0.1')
          sent += 1
        }
        await new Promise(resolve => setImmediate(resolve))
      }
    }
    const flooding = flood()
    const told: string[] = []
    let slowest = 0
    while (performance.now() < end) {
      const began = performance.now()
      told.push(await asked(metrics, '/healthz'), await asked(metrics, '/readyz'))
      slowest = Math.max(slowest, performance.now() - began)
    }
    await flooding
    socket.close()
    expect(sent).toBeGreaterThan(1_000)
    expect([...new Set(told)].sort()).toEqual(['200 ok', '200 ready'])
    expect(slowest).toBeLessThan(5_000)
    const requests = risen(before, await scrape(metrics), /^lbdns_dns_requests_total/)
    expect(Object.values(requests)[0]).toBeGreaterThan(0)
  })

  test('SIGTERM: not ready while it drains, and well', async () => {
    const stubborn = await tcpClient({ address: '127.0.0.1', port }, { allowHalfOpen: true })
    expect(await stubborn.ask(queryOf('ns1.example.com'), 10_000)).toBeDefined()
    server.signal('SIGTERM')
    await until('it drains', async () => (await asked(metrics, '/readyz')) === '503 draining')
    expect(await asked(metrics, '/healthz')).toBe('200 ok')
    stubborn.socket.destroy()
    expect(await server.ended).toBe(0)
    expect(await asked(metrics, '/healthz')).toBe('0')
  })
})
