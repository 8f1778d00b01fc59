/**
 * A census for a person and for a program.
 */

import { figureColumns } from '../columns.ts'
import { countText, shareText } from '../figures.ts'
import { rankingText } from '../ranking.ts'
import { sum } from '../weights.ts'
import { type Census, type Counted, expectedEntries } from './census.ts'

/** The sizes of resolvers that are told of: clients that ask within one TTL. */
const CLIENTS = [10, 100, 1_000, 10_000, 100_000]

/** What a census is of. */
export type Counting = {
  readonly name: string
  /** Of the World; see `dig CH TXT map.lbdns`. */
  readonly digest: string
  /** The geo databases and their days, as text. */
  readonly geo: string
}

/** Rankings shown to a person; a program gets all. */
const SHOWN = 20

/** Tells a person. */
export function censusText(of: Counting, censuses: readonly Census[]): string {
  const head = `${of.name}  digest ${of.digest}, geo data: ${of.geo}\n`
  return head + censuses.map(familyText).join('')
}

function familyText(census: Census): string {
  const leaves = census.leaves === 1 ? '1 leaf' : `${countText(census.leaves)} leaves`
  const title = `\nIPv${census.family}: ${leaves}${hashText(census)}\n`
  const lines = [...rankingLines(census), '', ...scopeLines(census), ...entryLines(census)]
  return title + lines.map(line => `${`  ${line}`.trimEnd()}\n`).join('')
}

/** A rule that hashes keeps more blocks apart than it has leaves. */
function hashText({ blocks, leaves }: Census): string {
  return blocks === leaves ? '' : `, hashed in ${countText(blocks)} blocks`
}

function rankingLines({ basis, rankings }: Census): string[] {
  const rows = rankings.slice(0, SHOWN).map(rankingRow)
  const left = rankings.slice(SHOWN)
  if (left.length > 0) rows.push(rankingRow(together(left)))
  return figureColumns([['ranking', 'leaves', 'of all', `of ${basis}`], ...rows])
}

function rankingRow({ ranking, leaves, space, clients }: Counted): string[] {
  return [rankingText(ranking), countText(leaves), shareText(space), shareText(clients)]
}

function together(counted: readonly Counted[]): Counted {
  const total = (of: (one: Counted) => number) => sum(counted.map(of))
  return {
    ranking: [[`${counted.length} more`]],
    leaves: total(one => one.leaves),
    blocks: total(one => one.blocks),
    space: total(one => one.space),
    clients: total(one => one.clients),
  }
}

function scopeLines({ scopes }: Census): string[] {
  const most = Math.max(...scopes.values())
  const rows = [...scopes].map(([scope, blocks]) => {
    const bar = '#'.repeat(Math.ceil((blocks / most) * BAR))
    return `/${String(scope).padEnd(4)} ${countText(blocks).padStart(10)}  ${bar}`
  })
  return ['scope      blocks', ...rows]
}

const BAR = 40

/** Only of IPv4: nobody knows how clients are spread over the vastness of IPv6. */
function entryLines(census: Census): string[] {
  if (census.family === 6) return []
  const rows = entriesOf(census).map(({ clients, expected }) => {
    return [countText(clients), expected < 10 ? expected.toFixed(1) : countText(expected)]
  })
  return [
    '',
    "entries that a resolver's cache is expected to hold, for so many clients that ask within",
    `one TTL, each at an address of the ${census.basis} ones, all equally likely`,
    ...figureColumns([['clients', 'entries'], ...rows]),
  ]
}

function entriesOf(census: Census) {
  return CLIENTS.map(clients => ({ clients, expected: expectedEntries(census, clients) }))
}

/** Tells a program: `lbdns.map-summary/1`. */
export function censusJson(of: Counting, censuses: readonly Census[]): string {
  const { name, digest, geo } = of
  const families = censuses.map(census => ({
    family: census.family,
    basis: census.basis,
    leaves: census.leaves,
    blocks: census.blocks,
    rankings: census.rankings,
    scopes: Object.fromEntries(census.scopes),
    entries: census.family === 4 ? entriesOf(census) : undefined,
  }))
  const document = { schema: 'lbdns.map-summary/1', name, digest, geo, families }
  return `${JSON.stringify(document, undefined, 2)}\n`
}
