/**
 * All that is otherwise in a new configuration, name by name, and whether it is more than somebody
 * wants to happen. Data; `text.ts` says it.
 */
import type { Basis } from '../clients.ts'
import type { Moves } from './moves.ts'
import type { Change, PoolDiff } from './settings.ts'

export type Diff = {
  readonly old: Version
  readonly now: Version
  /** Where clients are, by the new configuration's databases. */
  readonly basis: Basis
  readonly names: readonly NameDiff[]
  readonly pools: readonly PoolDiff[]
  /** Absent: none was read. */
  readonly log?: LogTotal | undefined
}

export type Version = {
  readonly file: string
  readonly digest: string
  readonly geo: { readonly names: readonly string[]; readonly built: string }
}

/** A name is its owner in either configuration; other names of the other one may serve it there. */
export type NameDiff = { readonly name: string } & (
  | { readonly kind: 'both'; readonly moves: Moves; readonly changes: readonly Change[] }
  | { readonly kind: 'added' | 'removed'; readonly queries: number }
)

export type LogTotal = {
  readonly file: string
  readonly queries: number
  /** Those that get another pool first, or were for names that are steered no more. */
  readonly moved: number
  /** Those for names that neither configuration steers. */
  readonly unsteered: number
}

/** How much moves, and of what. */
export type Excess = {
  readonly name: string
  readonly share: number
  readonly of: 'all' | 'log' | 'ipv4' | 'ipv6'
}

/** Tells whether nothing at all changes for a name. */
export function isUnchanged(diff: NameDiff): boolean {
  if (diff.kind !== 'both') return false
  const { flows, backups } = diff.moves
  const { ipv4, ipv6, queries } = backups
  return flows.length + diff.changes.length === 0 && ipv4.space + ipv6.space + queries === 0
}

/**
 * How much of a name moves: of its queries in the log; where there are none, of its IPv4 clients; and
 * where no such client moves, of its IPv6 clients, though nobody knows how those are spread. A name
 * that is steered no more moves whole, a new one moves nobody.
 */
export function moveOf(diff: NameDiff): Excess {
  const { name } = diff
  if (diff.kind !== 'both') return { name, share: diff.kind === 'removed' ? 1 : 0, of: 'all' }
  const { all, moved } = diff.moves
  if (all.queries > 0) return { name, share: moved.queries / all.queries, of: 'log' }
  const [ipv4, ipv6] = [moved.ipv4.clients, moved.ipv6.clients]
  return ipv4 > 0 ? { name, share: ipv4, of: 'ipv4' } : { name, share: ipv6, of: 'ipv6' }
}

/** The names of which more moves than may. */
export function excesses({ names }: Diff, most: number): Excess[] {
  return names.map(moveOf).filter(({ share }) => share > most)
}
