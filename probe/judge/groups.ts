/** Who got what: subnets that are answered alike, with a letter each, and a row for every subnet. */
import type { Classes } from './classes.ts'
import { type Grid, rowSets, subnetOf } from './grid.ts'
import type { Group, SubnetRow } from './judgement.ts'
import type { Levels } from './levels.ts'
import type { Observation } from './observation.ts'
import { echoState, holdsAnswer } from './reply.ts'

export type Grouping = { readonly groups: readonly Group[]; readonly rows: readonly SubnetRow[] }

export function grouping(
  grid: Grid,
  classes: Classes,
  levels: Levels,
  about: readonly Observation[],
): Grouping {
  const keys = keysOf(grid, classes, levels)
  const sizes = [...new Set(keys.filter(key => key !== ''))].map(key => ({
    key,
    rows: keys.flatMap((on, row) => (on === key ? [row] : [])),
  }))
  const first = ({ rows }: { readonly rows: readonly number[] }) => placeOf(grid, rows)
  sizes.sort((a, b) => b.rows.length - a.rows.length || first(a).localeCompare(first(b), 'en'))
  const groups = sizes.map(({ rows }, at) => groupOf(grid, rows, letter(at)))
  const samples = about.filter(seen => seen.purpose === 'sample' && (seen.sent?.source ?? 0) > 0)
  const subnets = natural(samples.map(subnetOf))
  const rows = subnets.map(subnet => rowOf(grid, groups, subnet, samples))
  rows.sort((a, b) => (a.region ?? '~').localeCompare(b.region ?? '~', 'en'))
  return { groups, rows }
}

/** The first region of a group, so that letters go down the table. */
function placeOf(grid: Grid, rows: readonly number[]): string {
  return rows.map(row => grid.regions[row] ?? '~').sort()[0] ?? '~'
}

/**
 * A key for each row, equal for rows of one group. Where pools of regions share addresses, classes
 * run together; if geography is proved all the same, the regions are the groups.
 */
function keysOf(grid: Grid, classes: Classes, levels: Levels): readonly string[] {
  const merged = classes.members.length === 1 && levels.geography === 'yes'
  if (merged) return grid.rows.map((_, row) => grid.regions[row] ?? '?')
  return classes.ofRow.map(on => (on < 0 ? '' : `${on}`))
}

function groupOf(grid: Grid, rows: readonly number[], name: string): Group {
  const answers = rows.flatMap(row => rowSets(grid, row).flatMap(set => grid.sets[set] ?? []))
  return {
    letter: name,
    answers: natural(answers),
    subnets: rows.map(row => grid.rows[row] ?? ''),
    regions: [...new Set(rows.flatMap(row => grid.regions[row] ?? []))].sort(),
  }
}

function rowOf(
  grid: Grid,
  groups: readonly Group[],
  subnet: string,
  samples: readonly Observation[],
): SubnetRow {
  const mine = samples.filter(seen => subnetOf(seen) === subnet && seen.server === grid.server)
  const scopes = mine
    .filter(seen => echoState(seen) === 'exact')
    .map(({ echo }) => echo?.scope ?? 0)
  const row = grid.rows.indexOf(subnet)
  const sets = row < 0 ? [] : rowSets(grid, row)
  return {
    subnet,
    region: mine[0]?.sent?.region,
    group: groups.find(({ subnets }) => subnets.includes(subnet))?.letter,
    answers: natural(sets.flatMap(set => grid.sets[set] ?? [])),
    sets: new Set(sets).size,
    scopes: [...new Set(scopes)].sort((a, b) => a - b),
    echo: echoOf(mine),
  }
}

function echoOf(mine: readonly Observation[]): SubnetRow['echo'] {
  const states = new Set(mine.filter(holdsAnswer).map(echoState))
  states.delete('unsent')
  if (states.size === 0) return 'unanswered'
  if (states.has('mismatch')) return 'mismatch'
  if (states.size === 2) return 'partial'
  return states.has('exact') ? 'exact' : 'missing'
}

/** Each once, numbers in them by value: 192.0.2.9 before 192.0.2.10. */
export function natural(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
}

/** A … Z, AA, AB, … */
export function letter(index: number): string {
  const last = String.fromCharCode(65 + (index % 26))
  return index < 26 ? last : letter(Math.floor(index / 26) - 1) + last
}
