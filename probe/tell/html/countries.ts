/** Who got what: a row a country, and a row a client subnet in a fold. */
import type { Judgement, SubnetRow } from '../../judge/judgement.ts'
import { chip, type Places } from './map.ts'
import { code, fold, type Markup, type Piece, table, wrapping } from './markup.ts'

export function countries(one: Judgement, places: Places): readonly Markup[] {
  const nameOf = ({ region }: SubnetRow): string =>
    region === undefined ? 'not known' : (places.get(region)?.name ?? region)
  const byName = new Map<string, SubnetRow[]>()
  for (const row of one.scopes) {
    const there = byName.get(nameOf(row))
    if (there === undefined) byName.set(nameOf(row), [row])
    else there.push(row)
  }
  const head = ['country', 'subnets', 'groups', 'scopes', 'answers']
  const rows = [...byName].map(([name, of]) => rowOf(name, of))
  const each = one.scopes.map(row => [
    code(row.subnet),
    nameOf(row),
    chips([row]),
    scopesOf([row]),
    row.echo,
    wrapping(code(row.answers.join(' ') || 'nothing')),
  ])
  const columns = ['subnet', 'country', 'group', 'scope', 'option', 'answers']
  return [
    table('One row a country', head, rows),
    fold(`Every subnet (${each.length})`, {}, table('One row a client subnet', columns, each)),
  ]
}

function rowOf(name: string, of: readonly SubnetRow[]): readonly Piece[] {
  return [name, `${of.length}`, chips(of), scopesOf(of), wrapping(...addresses(of))]
}

const SHOWN = 6

function addresses(rows: readonly SubnetRow[]): readonly Piece[] {
  const all = [...new Set(rows.flatMap(({ answers }) => answers))]
  const more = all.length > SHOWN ? ` and ${all.length - SHOWN} more` : ''
  return [code(all.slice(0, SHOWN).join(' ') || 'nothing'), more]
}

function chips(rows: readonly SubnetRow[]): Piece {
  const letters = [...new Set(rows.flatMap(({ group }) => group ?? []))]
  if (letters.length === 0) return '-'
  const more = letters.length > SHOWN ? `and ${letters.length - SHOWN} more` : ''
  return wrapping(
    letters.slice(0, SHOWN).map(letter => [chip(letter), ' ']),
    more,
  )
}

function scopesOf(rows: readonly SubnetRow[]): Piece {
  const all = rows.flatMap(({ scopes }) => scopes).sort((a, b) => a - b)
  if (all.length === 0) return '-'
  return code([...new Set(all)].map(scope => `/${scope}`).join(' '))
}
