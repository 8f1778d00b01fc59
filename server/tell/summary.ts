/**
 * What a server says when it starts: what it serves, from which data, and where. Pure text.
 */
import type { World } from '../answer/world.ts'
import { nameText } from '../dns/name.ts'
import { u32 } from '../dns/octets.ts'
import { RRSET, rrsetWord, type Zones, zoneName } from '../zone/zones.ts'
import { counted, listeningText } from './figures.ts'
import { baseNames } from './file.ts'

export type Summary = {
  readonly version: string
  readonly world: World
  readonly geo: { readonly names: readonly string[]; readonly built: string }
  /** Where it listens, as text. */
  readonly addresses: readonly string[]
  readonly udp: Udp
}

/** Who serves UDP, and how datagrams come: many a system call, or one by one. */
export type Udp = { readonly workers: number; readonly engine: 'batched' | 'dgram' }

/** A few lines, one fact a line. */
export function summary({ version, world, geo, addresses, udp }: Summary): string {
  const facts = [
    ['zones', zonesText(world.zones)],
    ['steered', steeredText(world)],
    ['geo data', geoText(geo)],
    ['digest', world.digest],
    ['udp', udpText(udp)],
    ['listening', listeningText(addresses)],
  ]
  const lines = facts.map(([label = '', text = '']) => `  ${label.padEnd(10)} ${text}\n`)
  return `${version}\n${lines.join('')}`
}

/** What is served and where, in half a sentence. */
export function statusText({ zones, steering }: World, addresses: readonly string[]): string {
  const [first = 'no address'] = addresses
  const more = addresses.length > 1 ? ` and ${counted(addresses.length - 1, 'other place')}` : ''
  const what = `${counted(zones.zoneCount, 'zone')}, ${counted(steering.slots, 'steered name')}`
  return `serves ${what} at ${first}${more}`
}

function udpText({ engine, workers }: Udp): string {
  const how = engine === 'batched' ? 'in batches' : 'through node:dgram'
  return `${counted(workers, 'worker')}, ${how}`
}

const SHOWN = 8

function zonesText(zones: Zones): string {
  const names = Array.from({ length: Math.min(zones.zoneCount, SHOWN) }, (_, zone) => {
    return `${nameText(zoneName(zones, zone))} serial ${serialOf(zones, zone)}`
  })
  const rrsets = zones.rrsetTotal - zones.zoneCount // each zone has its SOA twice, once for "no"
  return `${names.join(', ')}${andMore(zones.zoneCount)}: ${zones.nodeCount} names, ${rrsets} RRsets`
}

/** The serial is the first of the five numbers that end an SOA's data. RFC 1035 §3.3.13. */
function serialOf(zones: Zones, zone: number): number {
  const soa = zones.zoneSoa[zone] ?? -1
  const end = rrsetWord(zones, soa, RRSET.AT) + rrsetWord(zones, soa, RRSET.LENGTH)
  return u32(zones.records, end - 20)
}

function steeredText({ steering }: World): string {
  if (steering.slots === 0) return 'nothing'
  const names = steering.owners.slice(0, SHOWN).map(nameText)
  return names.join(', ') + andMore(steering.slots)
}

function andMore(count: number): string {
  return count > SHOWN ? ` and ${count - SHOWN} more` : ''
}

function geoText({ names, built }: Summary['geo']): string {
  return names.length === 0 ? 'none is needed' : `${baseNames(names)}, made ${built}`
}
