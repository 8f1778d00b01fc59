/** One row a server as CSV: what it shows of each name and type, and in what it stands apart. */

import type { DiffJudgement } from '../judge/diff.ts'
import type { ServerView } from '../judge/diff-view.ts'
import { setKey } from '../judge/reply.ts'
import { type Cell, csvText } from './csv.ts'

const HEAD = [
  'name', 'type', 'verdict', 'server', 'host', 'odd_in', 'queries', 'replies', 'rcodes', 'authority',
  'option', 'scopes', 'sets', 'answers', 'ttl_min', 'ttl_max', 'ttl_policy', 'serials', 'instances', 'silence',
] // biome-ignore format: list

/** @param hosts host names by `address#port` */
export function diffCsv(
  judgements: readonly DiffJudgement[],
  hosts: ReadonlyMap<string, string>,
): string {
  const rows = judgements.flatMap(
    one =>
    one.servers.map(view => [
      one.name, one.type, one.verdict, view.server, hosts.get(view.server), oddIn(one, view),
      ...cellsOf(view),
    ]), // biome-ignore format: list
  )
  return csvText(HEAD, rows)
}

function oddIn({ differences }: DiffJudgement, { server }: ServerView): string {
  const own = differences.filter(({ odd }) => odd.includes(server))
  return [...new Set(own.map(({ aspect }) => aspect))].join(' ')
}

function cellsOf(view: ServerView): readonly Cell[] {
  const { queries, replies, rcodes, authority, option, clients, ttl, serials, instances } = view
  const scopes = [...new Set(clients.flatMap(row => row.scopes))].sort((a, b) => a - b)
  const sets = clients.flatMap(row => [...row.sets.values()])
  const answers = [...new Set(sets.flat())].sort()
  return [
    queries, replies, rcodes.join(' '), authority, option, scopes.join(' '),
    new Set(sets.map(setKey)).size, answers.join(' '),
    ttl?.min, ttl?.max, ttl?.policy, serials.join(' '), instances.join(' '), view.silence,
  ] // biome-ignore format: list
}
