/** Whom a change would move, name by name. */
import { table } from '../columns.ts'
import { shareText } from '../figures.ts'
import type { DryRun } from './told.ts'

export function dryRunText({ does, names }: DryRun): string[] {
  const rows = names.flatMap(({ moves, name }) =>
    moves.map(({ family, from, share, to }) => [name, `IPv${family}`, shareText(share), from, to]),
  )
  if (rows.length === 0) return [`${does} would move nobody`]
  const still = names.filter(({ moves }) => moves.length === 0).map(({ name }) => name)
  const rest = still.length === 0 ? [] : ['', `nobody of ${still.join(', ')}`]
  return [
    `${does} would move, of all addresses`,
    '',
    ...table(['name', 'family', 'moves', 'from', 'to'], rows, ['moves']),
    ...rest,
  ]
}
