/**
 * Zones drawn from a seed: few labels and many shapes, so that wildcards, cuts, aliases and renames
 * meet in every way that loaders of all peers take.
 */
import { below, type Chance, chance } from '../../../server/steer/chance.ts'
import { oneOf } from '../../kit/maps.ts'
import { head, type ZoneText } from './zone-texts.ts'

const LABELS = ['a', 'b', 'c', '*'] as const
const ZEROS = '00'.repeat(32)

/** Owner (relative, never the apex) → record lines without owner, by type. */
type Drawn = Map<string, Map<string, string[]>>

export function drawnZones(count: number, seed: number): ZoneText[] {
  return Array.from({ length: count }, (_, at) =>
    drawnZone(`r${at}.test.`, chance(seed + at), count),
  )
}

function drawnZone(origin: string, draw: Chance, count: number): ZoneText {
  const owners: Drawn = new Map()
  for (let record = 0; record < 30; record += 1) {
    addRecord(owners, ownerOf(draw), draw, count)
  }
  const lines = [...owners].flatMap(([owner, types]) =>
    [...types].flatMap(([type, all]) => [...new Set(all)].map(data => `${owner} ${type} ${data}`)),
  )
  return { origin, text: `${head(origin)}${lines.join('\n')}\n` }
}

function ownerOf(draw: Chance): string {
  return Array.from({ length: 1 + below(draw, 4) }, () => oneOf(draw, LABELS)).join('.')
}

/** Adds what does no harm to what is there: CNAME alone, nothing below DNAME. RFC 6672 §2.4. */
function addRecord(owners: Drawn, owner: string, draw: Chance, count: number): void {
  const type = oneOf(draw, ['A', 'A', 'TXT', 'MX', 'NS', 'NS', 'DS', 'DNAME', 'CNAME', 'CNAME'])
  const types = owners.get(owner) ?? new Map<string, string[]>()
  if (types.has('CNAME') || (type === 'CNAME' && types.size > 0)) return
  if (isBelowRename(owners, owner)) return
  if (type === 'DNAME' && (owner.startsWith('*') || hasBelow(owners, owner))) return
  if ((type === 'DNAME' && types.size > 0) || types.has('DNAME')) return
  if (type === 'NS' && owner.startsWith('*')) return
  if (type === 'DS' && !types.has('NS')) return
  types.set(type, [...(types.get(type) ?? []), dataOf(type, draw, count)])
  owners.set(owner, types)
}

function isBelowRename(owners: Drawn, owner: string): boolean {
  return [...owners].some(([other, types]) => types.has('DNAME') && owner.endsWith(`.${other}`))
}

function hasBelow(owners: Drawn, owner: string): boolean {
  return [...owners.keys()].some(other => other.endsWith(`.${owner}`))
}

function dataOf(type: string, draw: Chance, count: number): string {
  switch (type) {
    case 'A':
      return `192.0.2.${below(draw, 250)}`
    case 'TXT':
      return `"${below(draw, 250)}"`
    case 'DS':
      return `${below(draw, 9)} 8 2 ${ZEROS}`
    case 'MX':
      return `${below(draw, 9)} ${targetOf(draw, count)}`
    default:
      return targetOf(draw, count)
  }
}

/** A name of the zone, more often than of another one; a star in it is a letter. */
function targetOf(draw: Chance, count: number): string {
  const target = ownerOf(draw).replaceAll('*', 'd')
  const away = below(draw, 6)
  if (away === 0) return `${target}.r${below(draw, count)}.test.`
  return away === 1 ? `${target}.invalid.` : target
}
