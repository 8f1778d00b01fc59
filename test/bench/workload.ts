/**
 * What is asked, and the files it is asked of: made from a fixed seed, so that every server and every
 * run gets the same. Two loads: `mixed` (10,000 names, 20 % of questions about names that do not
 * exist) and `ecs` (one steered name, 20,000 networks, a random /24 in every query).
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import dnsPacket from 'dns-packet'

export const ZONE = 'example.com'
export const NAMES = 10_000
export const ADDRESSES = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4']
const NETWORKS = 20_000
const QUERIES = 20_000
const SITES = ['us', 'eu', 'ap', 'sa', 'af']

export const LOADS = ['mixed', 'ecs'] as const
export type LoadName = (typeof LOADS)[number]

/** The queries of a load: messages, ready to be sent. */
export function queries(load: LoadName): Buffer[] {
  const draw = generator(42)
  return Array.from({ length: QUERIES }, () => (load === 'mixed' ? mixed(draw) : tailored(draw)))
}

/** Writes our server's configuration for both loads and returns its path. */
export function writeConfig(folder: string, port: number): string {
  mkdirSync(folder, { recursive: true })
  const zone = ['$TTL 60', '@ SOA ns1 admin 1 3600 600 86400 60', '@ NS ns1', 'ns1 A 192.0.2.53']
  for (let i = 0; i < NAMES; i += 1) {
    for (const address of ADDRESSES) zone.push(`h${i} A ${address}`)
  }
  writeFileSync(join(folder, 'zone'), `$ORIGIN ${ZONE}.\n${zone.join('\n')}\n`)
  const networks = SITES.map((site, at) => {
    writeFileSync(join(folder, `${site}.txt`), `${networksOf(at).join('\n')}\n`)
    return `  ${site}: {file: ${site}.txt}`
  })
  const pools = SITES.map((site, at) => `  ${site}: {targets: [${poolOf(at).join(', ')}]}`)
  const by = SITES.map(site => `${site}: [${site}]`).join(', ')
  const file = join(folder, 'lbdns.yaml')
  writeFileSync(
    file,
    `listen: [127.0.0.1:${port}]\nzones: [zone]\nnetworks:\n${networks.join('\n')}\npools:\n${pools.join('\n')}\n` +
      `steer:\n  www.${ZONE}: {ttl: 60s, pick: shuffle, by: {networks: {${by}}, default: [us]}}\n`,
  )
  return file
}

function poolOf(site: number): string[] {
  return [1, 2, 3, 4].map(last => `203.0.113.${site * 10 + last}`)
}

/** A fifth of the networks: every one belongs to one site only. */
function networksOf(site: number): string[] {
  const draw = generator(7)
  const all = new Map<string, number>()
  while (all.size < NETWORKS) {
    const bits = 12 + (draw() % 13)
    const base = ((draw() >>> (32 - bits)) << (32 - bits)) >>> 0
    if ([0, 10, 100, 127, 169, 172, 192].includes(base >>> 24)) continue
    if (base >>> 24 < 198) all.set(`${addressOf(base)}/${bits}`, draw() % SITES.length)
  }
  return [...all].filter(([, owner]) => owner === site).map(([network]) => network)
}

function mixed(draw: () => number): Buffer {
  const name = draw() % 5 === 0 ? `x${draw()}` : `h${draw() % NAMES}`
  return dnsPacket.encode({
    type: 'query',
    id: draw() & 0xffff,
    questions: [{ type: 'A', class: 'IN', name: `${name}.${ZONE}` }],
  })
}

function tailored(draw: () => number): Buffer {
  const [a = 0, b = 0, c = 0] = addressOf(draw()).split('.').map(Number)
  const opt = {
    type: 'OPT',
    name: '.',
    udpPayloadSize: 1232,
    extendedRcode: 0,
    ednsVersion: 0,
    flags: 0,
    flag_do: false,
    options: [{ code: 8, data: Buffer.from([0, 1, 24, 0, a, b, c]) }],
  } as never
  return dnsPacket.encode({
    type: 'query',
    id: draw() & 0xffff,
    questions: [{ type: 'A', class: 'IN', name: `www.${ZONE}` }],
    additionals: [opt],
  })
}

function addressOf(value: number): string {
  return [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255].join('.')
}

/** xorshift32: the same numbers everywhere. */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state >>> 0
  }
}
