/**
 * Do name servers hand out the same? Where a client's set stands still, sets are compared; where it
 * rotates, two servers that draw from one pool in their own time are equal, so it is tested whether
 * the answers go with the server: those to one client in one round change places, as in level 1.
 */
import { dependence } from './dependence.ts'
import { type Camp, campsOf } from './diff-camps.ts'
import { type ClientRow, rotates, type ServerView } from './diff-view.ts'
import type { Grid } from './grid.ts'
import { setKey } from './reply.ts'

export type AnswerSplit = {
  /** The subnet; empty for the query without the option; absent: all that rotate. */
  readonly client: string | undefined
  /** Addresses of each camp's founder. */
  readonly camps: readonly Camp<readonly string[]>[]
  /** How seldom chance alone would part them so; absent where sets stand still. */
  readonly p: number | undefined
}

export type AnswerTrial = {
  readonly seed: number
  readonly alpha: number
}

/**
 * Rounds after which a client that was always given one set is taken to stand still, though others
 * rotate: a fair choice of two then parts two servers by chance once in 2¹¹ times.
 */
const STILL = 6
const PERMUTATIONS = 19_999

export function answerSplits(
  views: readonly ServerView[],
  trial: AnswerTrial,
): readonly AnswerSplit[] {
  const clients = [...new Set(views.flatMap(view => view.clients.map(({ client }) => client)))]
  const moving = views.some(view => view.clients.some(rotates))
  const still = clients.filter(client => !moving || isStill(views, client))
  const splits = still.flatMap(client => stillSplit(views, client))
  const rest = clients.filter(client => !still.includes(client))
  return rest.length === 0 ? splits : [...splits, ...movingSplit(views, rest, trial)]
}

function rowOf(view: ServerView, client: string): ClientRow | undefined {
  return view.clients.find(row => row.client === client)
}

function isStill(views: readonly ServerView[], client: string): boolean {
  const rows = views.flatMap(view => rowOf(view, client) ?? [])
  return rows.every(row => row.sets.size >= STILL && !rotates(row))
}

function stillSplit(views: readonly ServerView[], client: string): readonly AnswerSplit[] {
  const held = views.flatMap(view => {
    const set = [...(rowOf(view, client)?.sets.values() ?? [])][0]
    return set === undefined ? [] : [{ server: view.server, value: set }]
  })
  const camps = campsOf(held, (one, other) => setKey(one) === setKey(other))
  return camps.length > 1 ? [{ client, camps, p: undefined }] : []
}

/** One test for each server that joins: the limit is shared out among them (Bonferroni). */
function movingSplit(
  views: readonly ServerView[],
  clients: readonly string[],
  { seed, alpha }: AnswerTrial,
): readonly AnswerSplit[] {
  const limit = alpha / Math.max(1, views.length - 1)
  const permutations = Math.max(PERMUTATIONS, Math.ceil(2 / limit))
  let least = 1
  const alike = (one: ServerView, other: ServerView): boolean => {
    const grid = pairGrid(one, other, clients)
    const test = dependence(grid, { permutations, seed, exchange: 'everywhere' })
    if (test !== undefined && test.p <= limit) least = Math.min(least, test.p)
    return test === undefined || test.p > limit
  }
  const camps = campsOf(
    views.map(view => ({ server: view.server, value: view })),
    alike,
  )
  if (camps.length < 2) return []
  const named = camps.map(({ value, servers }) => ({ value: poolOf(value, clients), servers }))
  return [{ client: undefined, camps: named, p: least }]
}

function poolOf(view: ServerView, clients: readonly string[]): readonly string[] {
  const rows = clients.flatMap(client => rowOf(view, client) ?? [])
  const all = rows.flatMap(({ sets }) => [...sets.values()].flat())
  return [...new Set(all)].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
}

/** Two servers by what was asked of both at nearly the same time: one client in one round. */
function pairGrid(one: ServerView, other: ServerView, clients: readonly string[]): Grid {
  const sets: (readonly string[])[] = []
  const indices = new Map<string, number>()
  const columns = clients.flatMap(client => {
    const [mine, theirs] = [rowOf(one, client)?.sets, rowOf(other, client)?.sets]
    return [...(mine ?? [])].flatMap(([round, set]) => {
      const second = theirs?.get(round)
      return second === undefined ? [] : [[set, second]]
    })
  })
  const index = (set: readonly string[]): number => {
    const known = indices.get(setKey(set)) ?? sets.push(set) - 1
    indices.set(setKey(set), known)
    return known
  }
  const cells = [0, 1].flatMap(row => columns.map(pair => index(pair[row] ?? [])))
  const rounds = columns.map((_, at) => at + 1)
  return {
    server: one.server,
    asked: 2,
    begun: columns.length,
    rows: [one.server, other.server],
    regions: [undefined, undefined],
    rounds,
    cells: Int32Array.from(cells),
    sets,
    replies: [],
  }
}
