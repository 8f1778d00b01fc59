/** From what a process says of itself to lines of text: which series there are, and with which values. */
import { describe, expect, test } from 'vitest'
import { COOKIE } from '../../server/guard/cookies.ts'
import {
  CUT,
  countCookie,
  countCut,
  countDnssecOk,
  countDrop,
  countError,
  countNsid,
  countRequest,
  countResponse,
  countScope,
  DROP,
  OTHERS,
  OVER,
  openCells,
} from '../../server/guard/tally.ts'
import { openRegistry } from '../../server/ops/metrics.ts'
import type { PoolFacts, Source } from '../../server/ops/source.ts'
import { families, valuesIn } from '../kit/exposition.ts'
import { lint } from '../kit/promlint.ts'

const cells = openCells()
countRequest(cells, OVER.udp, 4, 1, 40)
countRequest(cells, OVER.udp, 4, 1, 400)
countRequest(cells, OVER.tcp, 6, 28, 65_535)
countRequest(cells, OVER.udp, 6, 65, 40)
countRequest(cells, OVER.udp, 6, 511, 40)
countRequest(cells, OVER.udp, 4, OTHERS.other, 40)
countRequest(cells, OVER.udp, 4, OTHERS.notIn, 40)
countRequest(cells, OVER.udp, 4, OTHERS.none, 12)
for (const rcode of [0, 0, 3, 16, 23, 31, 4095]) countResponse(cells, OVER.udp, rcode, 100)
countDnssecOk(cells)
for (const scope of [0, 1, 8, 24, 25]) countScope(cells, 4, scope)
for (const scope of [0, 56, 128]) countScope(cells, 6, scope)
for (const cookie of [COOKIE.client, COOKIE.valid, COOKIE.valid, COOKIE.invalid])
  countCookie(cells, cookie)
countNsid(cells)
for (const infoCode of [0, 20, 20]) countError(cells, infoCode)
countDrop(cells, DROP.response)
for (const why of [DROP.rate, DROP.share, DROP.share, DROP.share, DROP.stranger]) {
  countDrop(cells, why)
}
for (const why of [CUT.rate, CUT.rate, CUT.stranger]) countCut(cells, why)
countDrop(cells, DROP.response)

const POOLS: readonly PoolFacts[] = [
  {
    pool: 'fra "1"\n\\',
    targets: [
      { target: '192.0.2.1', isUp: true, latencySeconds: 0.0125 },
      { target: '2001:db8::1', isUp: false, latencySeconds: undefined },
    ],
    checked: { isProven: false, steadySeconds: 0 },
  },
  {
    pool: 'iad',
    targets: [{ target: 'h.example.net.', isUp: true, latencySeconds: undefined }],
    checked: undefined,
  },
]

let pools = POOLS
const SOURCE: Source = {
  version: '1.2.3',
  cells: () => cells,
  answered: () =>
    new Map([
      ['www.example.com.', new Map([['fra "1"\n\\', 7]])],
      ['', new Map([['iad', 2]])],
    ]),
  udp: () => ({
    received: 9,
    answered: 6,
    silent: 2,
    dropped: 1,
    sendErrors: 4,
    stale: 3,
    receiveErrors: 5,
    faults: 3,
  }),
  tcp: () => ({
    open: 1,
    accepted: 20,
    received: 30,
    answered: 28,
    silent: 2,
    idle: 3,
    displaced: 4,
    broken: 5,
    errors: 6,
    unproxied: 8,
    handshakes: 9,
    unsecured: 10,
    faults: 7,
  }),
  workers: () => ({ count: 2, restarts: 1 }),
  pools: () => pools,
  flips: () => [{ pool: 'iad', now: 'down', count: 3 }],
  world: () => ({
    ...{ digest: 'abc', loadedAt: 1_796_075_979.5, loadSeconds: 0.25, zones: 1, names: 39 },
    ...{ records: 51, steeredNames: 9, geo: [{ database: 'city.mmdb', builtAt: 1_781_654_400 }] },
  }),
  refusals: () => 8,
  told: () => ({
    queryLog: { written: 10, dropped: 2 },
    events: 12,
    webhooks: { sent: 6, failed: 1, retried: 3, dropped: 4, waiting: 5 },
    admin: { requests: 40, unauthorized: 9, limited: 7 },
  }),
}

const registry = openRegistry(SOURCE)

async function scraped(): Promise<Record<string, number>> {
  return Object.fromEntries(valuesIn(await registry.metrics()))
}

/** Those of one metric, without its name. */
async function seriesOf(name: string): Promise<Record<string, number>> {
  const found = Object.entries(await scraped()).filter(([series]) => series.split('{')[0] === name)
  return Object.fromEntries(found.map(([series, value]) => [series.slice(name.length), value]))
}

/** Nothing came over these. */
const SECURE = { '{proto="dot"}': 0, '{proto="doh"}': 0 }

// biome-ignore format: table
const SERIES = [
  ['lbdns_build_info',                    { [`{nodeversion="${process.version}",version="1.2.3"}`]: 1 }],
  ['lbdns_reload_version_info',           { '{hash="sha256",value="abc"}': 1 }],
  ['lbdns_reload_failed_total',           { '': 8 }],
  ['lbdns_world_loaded_timestamp_seconds', { '': 1_796_075_979.5 }],
  ['lbdns_world_load_duration_seconds',   { '': 0.25 }],
  ['lbdns_world_zones',                   { '': 1 }],
  ['lbdns_world_names',                   { '': 39 }],
  ['lbdns_world_records',                 { '': 51 }],
  ['lbdns_world_steered_names',           { '': 9 }],
  ['lbdns_geo_database_build_timestamp_seconds', { '{database="city.mmdb"}': 1_781_654_400 }],
  ['lbdns_dns_requests_total',            { '{family="1",proto="udp",type="A"}': 2, '{family="2",proto="tcp",type="AAAA"}': 1, '{family="2",proto="udp",type="HTTPS"}': 1, '{family="2",proto="udp",type="TYPE511"}': 1, '{family="1",proto="udp",type="other"}': 1, '{family="1",proto="udp",type="not_in"}': 1, '{family="1",proto="udp",type="none"}': 1 }],
  ['lbdns_dns_responses_total',           { '{rcode="NOERROR"}': 2, '{rcode="NXDOMAIN"}': 1, '{rcode="BADVERS"}': 1, '{rcode="BADCOOKIE"}': 1, '{rcode="other"}': 2 }],
  ['lbdns_dns_do_requests_total',         { '': 1 }],
  ['lbdns_dns_cookie_requests_total',     { '{cookie="none"}': 4, '{cookie="client"}': 1, '{cookie="valid"}': 2, '{cookie="invalid"}': 1 }],
  ['lbdns_dns_nsid_requests_total',       { '': 1 }],
  ['lbdns_dns_extended_errors_total',     { '{info_code="0"}': 1, '{info_code="20"}': 2 }],
  ['lbdns_dns_ecs_requests_total',        { '{family="1"}': 5, '{family="2"}': 3 }],
  ['lbdns_dns_ecs_scope_length_bucket',   { '{family="1",le="0"}': 1, '{family="1",le="8"}': 3, '{family="1",le="16"}': 3, '{family="1",le="20"}': 3, '{family="1",le="24"}': 4, '{family="1",le="32"}': 5, '{family="1",le="+Inf"}': 5, '{family="2",le="0"}': 1, '{family="2",le="32"}': 1, '{family="2",le="40"}': 1, '{family="2",le="48"}': 1, '{family="2",le="56"}': 2, '{family="2",le="64"}': 2, '{family="2",le="128"}': 3, '{family="2",le="+Inf"}': 3 }],
  ['lbdns_dns_ecs_scope_length_sum',      { '{family="1"}': 58, '{family="2"}': 184 }],
  ['lbdns_dns_ecs_scope_length_count',    { '{family="1"}': 5, '{family="2"}': 3 }],
  ['lbdns_dns_request_size_bytes_sum',    { '{proto="udp"}': 612, '{proto="tcp"}': 65_535, ...SECURE }],
  ['lbdns_dns_request_size_bytes_count',  { '{proto="udp"}': 7, '{proto="tcp"}': 1, ...SECURE }],
  ['lbdns_dns_response_size_bytes_sum',   { '{proto="udp"}': 700, '{proto="tcp"}': 0, ...SECURE }],
  ['lbdns_dns_drops_total',               { '{reason="short"}': 0, '{reason="response"}': 2, '{reason="rate"}': 1, '{reason="share"}': 3, '{reason="stranger"}': 1 }],
  ['lbdns_dns_cut_total',                 { '{reason="rate"}': 2, '{reason="stranger"}': 1, '{reason="shown"}': 0 }],
  ['lbdns_answers_total',                 { '{name="www.example.com.",pool="fra "1"\n\\"}': 7, '{name="",pool="iad"}': 2 }],
  ['lbdns_querylog_lines_total',          { '{outcome="written"}': 10, '{outcome="dropped"}': 2 }],
  ['lbdns_events_total',                  { '': 12 }],
  ['lbdns_webhook_events_total',          { '{outcome="sent"}': 6, '{outcome="failed"}': 1, '{outcome="dropped"}': 4 }],
  ['lbdns_webhook_retries_total',         { '': 3 }],
  ['lbdns_webhook_events_waiting',        { '': 5 }],
  ['lbdns_admin_requests_total',          { '': 40 }],
  ['lbdns_admin_refusals_total',          { '{outcome="unauthorized"}': 9, '{outcome="limited"}': 7 }],
  ['lbdns_udp_received_total',            { '': 9 }],
  ['lbdns_udp_sent_total',                { '': 6 }],
  ['lbdns_udp_silent_total',              { '': 2 }],
  ['lbdns_udp_drops_total',               { '': 1 }],
  ['lbdns_udp_stale_total',               { '': 3 }],
  ['lbdns_udp_send_errors_total',         { '': 4 }],
  ['lbdns_udp_receive_errors_total',      { '': 5 }],
  ['lbdns_tcp_connections',               { '': 1 }],
  ['lbdns_tcp_connections_accepted_total', { '': 20 }],
  ['lbdns_tcp_connections_cut_total',     { '{reason="idle"}': 3, '{reason="displaced"}': 4, '{reason="broken"}': 5, '{reason="error"}': 6, '{reason="proxy"}': 8, '{reason="tls"}': 10 }],
  ['lbdns_tls_handshakes_total',          { '': 9 }],
  ['lbdns_tcp_received_total',            { '': 30 }],
  ['lbdns_tcp_sent_total',                { '': 28 }],
  ['lbdns_tcp_silent_total',              { '': 2 }],
  ['lbdns_panics_total',                  { '': 10 }],
  ['lbdns_workers',                       { '': 2 }],
  ['lbdns_worker_restarts_total',         { '': 1 }],
  ['lbdns_pool_targets',                  { '{pool="fra "1"\n\\"}': 2, '{pool="iad"}': 1 }],
  ['lbdns_pool_usable_targets',           { '{pool="fra "1"\n\\"}': 1, '{pool="iad"}': 1 }],
  ['lbdns_pool_proven',                   { '{pool="fra "1"\n\\"}': 0 }],
  ['lbdns_pool_next_change_seconds',      { '{pool="fra "1"\n\\"}': 0 }],
  ['lbdns_target_up',                     { '{pool="fra "1"\n\\",target="192.0.2.1"}': 1, '{pool="fra "1"\n\\",target="2001:db8::1"}': 0, '{pool="iad",target="h.example.net."}': 1 }],
  ['lbdns_target_latency_seconds',        { '{pool="fra "1"\n\\",target="192.0.2.1"}': 0.0125 }],
  ['lbdns_health_flips_total',            { '{now="down",pool="iad"}': 3 }],
] as const

describe('series and values', () => {
  test.each(SERIES)('%s', async (name, expected) => {
    expect(await seriesOf(name)).toEqual(expected)
  })

  test('sizes in the buckets of CoreDNS', async () => {
    const found = await seriesOf('lbdns_dns_request_size_bytes_bucket')
    const of = (proto: string) =>
      Object.entries(found)
        .filter(([labels]) => labels.includes(`proto="${proto}"`))
        .map(([labels, value]) => [/le="([^"]+)"/.exec(labels)?.[1], value])
    // biome-ignore format: table
    expect(of('udp')).toEqual([
      ['0', 0], ['100', 6], ['200', 6], ['300', 6], ['400', 7], ['511', 7], ['1023', 7], ['2047', 7], ['4095', 7],
      ['8291', 7], ['16000', 7], ['32000', 7], ['48000', 7], ['64000', 7], ['+Inf', 7],
    ])
    expect(of('tcp').slice(-2)).toEqual([
      ['64000', 0],
      ['+Inf', 1],
    ])
  })

  test('no series of ours but these, and those of any Node process', async () => {
    const known = new Set<string>(SERIES.map(([name]) => name))
    const names = Object.keys(await scraped()).map(series => series.split('{')[0] ?? '')
    const others = names.filter(name => !known.has(name) && !/_size_bytes_/.test(name))
    expect(others.filter(name => !/^(process|nodejs)_/.test(name))).toEqual([])
    expect(others).toEqual(
      expect.arrayContaining([
        ...['process_cpu_seconds_total', 'process_resident_memory_bytes', 'process_open_fds'],
        ...['nodejs_eventloop_lag_p99_seconds', 'nodejs_heap_size_used_bytes'],
      ]),
    )
  })
})

test('promtool has nothing to say', async () => {
  expect(lint(families(await registry.metrics()))).toEqual([])
})

test('more than 10,000 targets: pools only', async () => {
  const many = (count: number): readonly PoolFacts[] => [
    {
      pool: 'wide',
      targets: Array.from({ length: count }, (_, i) => {
        return { target: `192.0.2.${i}`, isUp: true, latencySeconds: 1 }
      }),
      checked: undefined,
    },
  ]
  pools = many(10_000)
  expect(Object.keys(await seriesOf('lbdns_target_up'))).toHaveLength(10_000)
  pools = many(10_001)
  expect(await seriesOf('lbdns_target_up')).toEqual({})
  expect(await seriesOf('lbdns_target_latency_seconds')).toEqual({})
  expect(await seriesOf('lbdns_pool_usable_targets')).toEqual({ '{pool="wide"}': 10_001 })
  pools = POOLS // and what was told is gone
  expect(Object.keys(await seriesOf('lbdns_target_up'))).toHaveLength(3)
})
