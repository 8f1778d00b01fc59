/** Who got what: a row a country, and a row a client subnet in a fold. */
import type { Judgement, SubnetRow } from '../../judge/judgement.ts'
import type { Places } from './map.ts'
import { el, type Markup, type Piece, table, wrapping } from './markup.ts'

export function countries(one: Judgement, places: Places): readonly Markup[] {
  const nameOf = ({ region }: SubnetRow): string =>
    region === undefined ? '-' : (places.get(region)?.name ?? region)
  const rows = [...new Set(one.scopes.map(nameOf))].map(name =>
    rowOf(
      name,
      one.scopes.filter(row => nameOf(row) === name),
    ),
  )
  const head = ['country', 'subnets', 'groups', 'scopes', 'addresses']
  const each = one.scopes.map(row => [
    nameOf(row),
    row.subnet,
    row.group ?? '-',
    scopesOf([row]),
    row.echo,
    wrapping(words(row.answers, 'nothing')),
  ])
  const columns = ['country', 'subnet', 'group', 'scope', 'echo', 'answers']
  const fold = el('summary', {}, `Every subnet (${each.length})`)
  return [
    table('One row a country', head, rows),
    el('details', {}, fold, table('One row a client subnet', columns, each)),
  ]
}

function rowOf(name: string, of: readonly SubnetRow[]): readonly Piece[] {
  const groups = of.flatMap(({ group }) => group ?? [])
  return [name, `${of.length}`, words(groups), scopesOf(of), wrapping(addresses(of))]
}

const SHOWN = 6

function addresses(rows: readonly SubnetRow[]): string {
  const all = [...new Set(rows.flatMap(({ answers }) => answers))]
  const more = all.length > SHOWN ? ` and ${all.length - SHOWN} more` : ''
  return `${words(all.slice(0, SHOWN), 'nothing')}${more}`
}

function scopesOf(rows: readonly SubnetRow[]): string {
  const all = rows.flatMap(({ scopes }) => scopes).sort((a, b) => a - b)
  return words(all.map(scope => `/${scope}`))
}

function words(list: readonly string[], none = '-'): string {
  return [...new Set(list)].join(' ') || none
}
