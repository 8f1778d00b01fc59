/**
 * What is served in the bench: zones, networks and the addresses behind them, made from fixed seeds,
 * so that every server and every run gets the same. The shapes: 10,000 names of four addresses with
 * one steered name over 20,000 networks; 1,000,000 names; 1,000,000 names of ten addresses.
 */
import { closeSync, openSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { networks, SITES } from './networks.ts'

export const ZONE = 'example.com'
export const NAMES = 10_000
export const MANY = 1_000_000
/** The steered name. */
export const STEERED = `www.${ZONE}`

/** `steered` has the networks too; the others are zone files alone. */
export type SiteKind = 'steered' | 'large' | 'huge'

export type Site = {
  readonly kind: SiteKind
  /** Where the zone file is. */
  readonly zone: string
  readonly names: number
  readonly records: number
}

/** The addresses of a name: so many in a row from the first one, as 32-bit numbers. */
export type Row = { readonly first: number; readonly count: number }

/** Of every plain name in the small zone: 192.0.2.1 … 4; a later generation has the next four. */
export function plainRow(generation = 0): Row {
  return { first: 0xc0000201 + 4 * generation, count: 4 }
}

/** Generations of the small zone that have a row of their own in 192.0.2.0/24. */
export const GENERATIONS = 60

/** Of a name in the zones of many names: its own addresses in 10.0.0.0/8. */
export function ownRow(name: number, count: number): Row {
  return { first: 0x0a000000 + name * count, count }
}

/** Of a site of the steered name: 203.0.113.10 times its number, and the three after. */
export function poolRow(site: number): Row {
  return { first: 0xcb007100 + 10 * (site + 1) + 1, count: 4 }
}

export function addressText(value: number): string {
  return [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255].join('.')
}

export function addressesOf({ first, count }: Row): string[] {
  return Array.from({ length: count }, (_, i) => addressText(first + i))
}

/** The zone without its names. */
const APEX = `$ORIGIN ${ZONE}.\n$TTL 60\n@ SOA ns1 admin 1 3600 600 86400 60\n@ NS ns1\nns1 A 192.0.2.53\n`

function linesOf(kind: SiteKind, name: number, generation: number): string {
  const row = rowOf(kind, name, generation)
  const lines = addressesOf(row).map(address => `h${name} A ${address}\n`)
  // Every other one of the many names is an AAAA longer: one or two records each.
  if (kind === 'large' && name % 2 === 1) lines.push(`h${name} AAAA 2001:db8::${name % 10_000}\n`)
  return lines.join('')
}

function rowOf(kind: SiteKind, name: number, generation: number): Row {
  if (kind === 'steered') return plainRow(generation)
  return ownRow(name, kind === 'large' ? 1 : 10)
}

/** Writes the zone file of a site. */
export function writeSite(folder: string, kind: SiteKind): Site {
  const zone = join(folder, `${kind}.zone`)
  const names = kind === 'steered' ? NAMES : MANY
  writeZone(zone, kind, 0)
  const each = { steered: 4, large: 1.5, huge: 10 }[kind]
  return { kind, zone, names, records: names * each + 3 }
}

/** Writes a zone file anew, a name at a time in pieces; whoever reads it sees the old one or the new. */
export function writeZone(path: string, kind: SiteKind, generation: number): void {
  const names = kind === 'steered' ? NAMES : MANY
  const file = openSync(`${path}.new`, 'w')
  let piece = APEX
  for (let name = 0; name < names; name += 1) {
    piece += linesOf(kind, name, generation)
    if (piece.length < 1 << 20 && name < names - 1) continue
    writeSync(file, piece)
    piece = ''
  }
  closeSync(file)
  renameSync(`${path}.new`, path)
}

/** The networks of each site, as text: `us` first. */
export function networkLists(): [site: string, networks: string[]][] {
  return SITES.map((site, number) => [
    site,
    networks()
      .filter(network => network.site === number)
      .map(({ base, bits }) => `${addressText(base)}/${bits}`),
  ])
}
