/**
 * Rate limits of a running server: a flood from one address over UDP, and everybody else meanwhile.
 * BC-176.
 */
import { afterAll, describe, expect, test } from 'vitest'
import { freePort, type Program, stopAll } from '../kit/process.ts'
import { logOf, reload, ZONE } from '../kit/reload.ts'
import { risen, scrape } from '../kit/scrape.ts'
import { put, serveSite, site } from '../kit/server.ts'
import { pause, tcpClient, type UdpClient, udpClient, until } from '../kit/transport.ts'
import { queryOf } from '../kit/world.ts'

afterAll(stopAll)

type Site = {
  readonly folder: string
  readonly port: number
  readonly metrics: number
  readonly server: Program
}

/** Networks are single addresses, as all of loopback is one /24; a busy machine turns nobody away. */
function yaml({ port, metrics }: Pick<Site, 'port' | 'metrics'>, rrl: string): string {
  return `listen: [127.0.0.1:${port}]
workers: 2
metrics: 127.0.0.1:${metrics}
zones: [example.com.zone]
rrl: ${rrl}
overload: {shed: off}
`
}

async function serving(rrl: string): Promise<Site> {
  const [port, metrics] = [await freePort(), await freePort()]
  const text = yaml({ port, metrics }, rrl)
  const folder = site({ 'example.com.zone': ZONE, 'lbdns.yaml': text })
  return { folder, port, metrics, server: await serveSite(folder) }
}

const RATE = 20
const USUAL = `{per_second: ${RATE}, slip: 2, ipv4_prefix: 32}`
const QUERY = queryOf('ns1.example.com')
const TRUNCATED = 2
const DROPPED = 'lbdns_dns_drops_total{reason="rate"}'
const CUT = 'lbdns_dns_cut_total{reason="rate"}'
/** The kernel may lose some of a flood, on a machine that is busy. */
const LOST = 200

/** Sends it so many times, each from a port of another client of that address, so that all threads get some. */
async function flood(from: string, times: number, to: Pick<Site, 'port'>) {
  const clients = await Promise.all(Array.from({ length: 8 }, () => udpClient(from)))
  const began = performance.now()
  for (let nth = 0; nth < times; nth += 1) {
    await at(clients, nth).send(QUERY, { address: '127.0.0.1', port: to.port })
  }
  const took = (performance.now() - began) / 1000
  const heard = await settled(() => clients.flatMap(client => client.heard))
  for (const client of clients) client.close()
  const cut = heard.filter(({ octets }) => ((octets[2] ?? 0) & TRUNCATED) !== 0).length
  return { whole: heard.length - cut, cut, silent: times - heard.length, took }
}

/** What there is when nothing more has come for a second. */
async function settled<Heard>(heard: () => readonly Heard[]): Promise<readonly Heard[]> {
  for (let before = -1; before < heard().length; ) {
    before = heard().length
    await pause(1000)
  }
  return heard()
}

function at(clients: readonly UdpClient[], nth: number): UdpClient {
  const client = clients[nth % clients.length]
  if (client === undefined) throw new RangeError('no client')
  return client
}

/** How many of ten queries from there are answered in full. */
async function politely(from: string, to: Site): Promise<number> {
  const client = await udpClient(from)
  for (let nth = 0; nth < 10; nth += 1) {
    await client.ask(QUERY, { address: '127.0.0.1', port: to.port })
  }
  client.close()
  return client.heard.filter(({ octets }) => ((octets[2] ?? 0) & TRUNCATED) === 0).length
}

describe('a flood of 2,000 queries from 127.0.0.9', () => {
  test('gets 20 replies a second, and of the others half their truncation; TCP and others get all', async () => {
    const here = await serving(USUAL)
    const before = await scrape(here.metrics)
    const [got, other] = await Promise.all([
      flood('127.0.0.9', 2000, here),
      politely('127.0.0.10', here),
    ])
    // A second's worth of credit, and no more as long as it lasts.
    expect(got.whole).toBeGreaterThanOrEqual(RATE)
    expect(got.whole).toBeLessThanOrEqual(RATE + 2) // two threads may take from one account at once
    expect(other).toBe(10)

    const tcp = await tcpClient({ address: '127.0.0.1', port: here.port })
    expect((await tcp.ask(QUERY))?.length).toBeGreaterThan(QUERY.length)
    tcp.socket.destroy()

    const rose = risen(before, await scrape(here.metrics), /dns_(drops|cut)_total/)
    const { [DROPPED]: dropped = 0, [CUT]: cut = 0, ...others } = rose
    expect(others).toEqual({})
    expect(dropped + cut).toBeGreaterThanOrEqual(2000 - got.whole - LOST)
    expect(Math.abs(dropped - cut)).toBeLessThanOrEqual(2) // each thread counts its own
    expect(got.cut).toBeGreaterThanOrEqual(cut - LOST)
    await here.server.stop()
  })

  test('a reload to log_only, then to none: all is sent, and what would not have been is counted', async () => {
    const here = await serving(USUAL)
    for (const [rrl, shown] of [
      [USUAL.replace('}', ', log_only: on}'), true],
      ['off', false],
    ] as const) {
      put(here.folder, { 'lbdns.yaml': yaml(here, rrl) })
      await reload(here.server, here.folder)
      const before = await scrape(here.metrics)
      const got = await flood('127.0.0.9', 500, here)
      expect([got.whole, got.cut]).toEqual([500, 0])
      const rose = risen(before, await scrape(here.metrics), /dns_cut_total/)
      expect(Object.keys(rose)).toEqual(shown ? ['lbdns_dns_cut_total{reason="shown"}'] : [])
    }
    await here.server.stop()
  })

  test('is told of in the log, with its network', async () => {
    const here = await serving(USUAL)
    await flood('127.0.0.9', 200, here)
    const said = () => logOf(here.server).find(({ msg }) => msg === 'limits replies')
    await until(() => said() !== undefined, 15_000)
    expect(said()).toMatchObject({ network: '127.0.0.9/32', what: 'answer' })
    await here.server.stop()
  }, 30_000)
})
