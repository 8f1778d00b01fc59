/**
 * Holds the name servers of one zone side by side for one name and type: where they differ, who is
 * the odd one out, and what follows for caches. The same observations and seed give the same.
 */
import { type AnswerSplit, answerSplits } from './diff-answers.ts'
import { type Camp, campsOf, oddOnes } from './diff-camps.ts'
import { type ServerView, ttlWords, viewOf } from './diff-view.ts'
import { type Finding, finding } from './finding.ts'
import type { Observation } from './observation.ts'

export type Aspect = 'reply' | 'authority' | 'option' | 'scope' | 'answers' | 'ttl' | 'serial'

export type Difference = {
  readonly aspect: Aspect
  /** The subnet it was seen for; empty: the query without the option; absent: all. */
  readonly client: string | undefined
  /** What each side says, the most servers first. */
  readonly camps: readonly Camp<string>[]
  /** Servers that are not of the majority; empty where there is none. */
  readonly odd: readonly string[]
  readonly p: number | undefined
}

export type DiffJudgement = {
  readonly name: string
  readonly type: string
  /** The zone whose serials were compared; absent where no server has a SOA. */
  readonly zone: string | undefined
  /** `unclear`: fewer than two servers answered. */
  readonly verdict: 'same' | 'different' | 'unclear'
  readonly servers: readonly ServerView[]
  readonly differences: readonly Difference[]
  /** Servers that stand apart from the majority in anything, most often first. */
  readonly odd: readonly string[]
  readonly findings: readonly Finding[]
  readonly queries: number
  readonly seed: number
}

export type DiffOptions = {
  readonly name: string
  readonly type: string
  readonly zone: string | undefined
  /** In the order they are to be listed. */
  readonly servers: readonly string[]
  readonly seed: number
  readonly alpha: number
}

export function judgeDiff(
  observations: readonly Observation[],
  options: DiffOptions,
): DiffJudgement {
  const { name, type, zone, seed } = options
  const views = options.servers.map(server => {
    const mine = observations.filter(seen => seen.server === server)
    return viewOf(server, mine, type)
  })
  const heard = views.filter(({ replies }) => replies > 0)
  const differences = heard.length < 2 ? [] : differencesOf(heard, options)
  const verdict = heard.length < 2 ? 'unclear' : differences.length > 0 ? 'different' : 'same'
  return {
    name,
    type,
    zone,
    verdict,
    servers: views,
    differences,
    odd: oddOf(differences),
    findings: findingsOf(differences),
    queries: observations.length,
    seed,
  }
}

function differencesOf(views: readonly ServerView[], options: DiffOptions): readonly Difference[] {
  const named = views.filter(({ option }) => option !== 'unasked')
  const recorded = views.filter(({ ttl }) => ttl !== undefined)
  const answering = views.filter(({ clients }) => clients.length > 0)
  return [
    ...split('reply', views, ({ rcodes }) => rcodes.toSorted().join(' ') || 'none'),
    ...split('authority', answering, ({ authority }) => authority),
    ...split('option', named, ({ option }) => option),
    ...scopeSplits(views),
    ...answerSplits(answering, options).map(answerDifference),
    ...differ('ttl', undefined, recorded, sameTtl, ttlText),
    ...serialSplit(views),
  ]
}

/** Servers parted by a word. */
function split(
  aspect: Aspect,
  views: readonly ServerView[],
  word: (view: ServerView) => string,
): readonly Difference[] {
  return differ(aspect, undefined, views, (one, other) => word(one) === word(other), word)
}

function differ(
  aspect: Aspect,
  client: string | undefined,
  views: readonly ServerView[],
  alike: (one: ServerView, other: ServerView) => boolean,
  text: (view: ServerView) => string,
): readonly Difference[] {
  const camps = campsOf(
    views.map(view => ({ server: view.server, value: view })),
    alike,
  )
  if (camps.length < 2) return []
  const told = camps.map(({ value, servers }) => ({ value: text(value), servers }))
  return [{ aspect, client, camps: told, odd: oddOnes(camps), p: undefined }]
}

/** Subnet by subnet: scopes that have nothing in common. */
function scopeSplits(views: readonly ServerView[]): readonly Difference[] {
  const exact = views.filter(({ option }) => option === 'exact' || option === 'sometimes')
  const clients = new Set(exact.flatMap(view => view.clients.map(({ client }) => client)))
  clients.delete('')
  return [...clients].flatMap(client => {
    const scopesOf = (view: ServerView): readonly number[] =>
      view.clients.find(row => row.client === client)?.scopes ?? []
    const known = exact.filter(view => scopesOf(view).length > 0)
    const alike = (one: ServerView, other: ServerView): boolean =>
      scopesOf(one).some(scope => scopesOf(other).includes(scope))
    const text = (view: ServerView): string =>
      scopesOf(view)
        .map(scope => `/${scope}`)
        .join(' ')
    return differ('scope', client, known, alike, text)
  })
}

function answerDifference({ client, camps, p }: AnswerSplit): Difference {
  const told = camps.map(({ value, servers }) => ({ value: value.join(' ') || 'nothing', servers }))
  return { aspect: 'answers', client, camps: told, odd: oddOnes(camps), p }
}

/** One constant TTL equals the same constant; ranges of one policy that overlap are alike. */
function sameTtl({ ttl: one }: ServerView, { ttl: other }: ServerView): boolean {
  if (one === undefined || other === undefined || one.policy !== other.policy) return false
  return one.policy === 'constant'
    ? one.min === other.min
    : one.min <= other.max && other.min <= one.max
}

function ttlText({ ttl }: ServerView): string {
  return ttl === undefined ? 'none' : ttlWords(ttl)
}

/** Serials that have none in common, as a zone may change while servers are asked. */
function serialSplit(views: readonly ServerView[]): readonly Difference[] {
  if (views.every(({ serials }) => serials.length === 0)) return []
  const alike = ({ serials: one }: ServerView, { serials: other }: ServerView): boolean =>
    one.length === 0 ? other.length === 0 : one.some(serial => other.includes(serial))
  const all = views.flatMap(({ serials }) => serials)
  const newest = all.reduce((last, serial) => (isBefore(last, serial) ? serial : last), all[0] ?? 0)
  return differ('serial', undefined, views, alike, ({ serials }) => {
    const [last] = serials.slice(-1)
    if (last === undefined) return 'no SOA'
    return isBefore(last, newest) ? `${last} (behind)` : `${last}`
  })
}

/** Serial number arithmetic. RFC 1982 §3.2. */
export function isBefore(one: number, other: number): boolean {
  const ahead = (other - one + 2 ** 32) % 2 ** 32
  return ahead > 0 && ahead < 2 ** 31
}

function oddOf(differences: readonly Difference[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const server of differences.flatMap(({ odd }) => odd)) {
    counts.set(server, (counts.get(server) ?? 0) + 1)
  }
  return [...counts].sort((a, b) => b[1] - a[1]).map(([server]) => server)
}

const ABOUT_ECS = { option: 'the option', scope: 'scopes', answers: 'answers' } as const

/** One ECS013 for each thing that resolvers' caches suffer from, however many subnets show it. */
function findingsOf(differences: readonly Difference[]): readonly Finding[] {
  return (['option', 'scope', 'answers'] as const).flatMap(aspect => {
    const mine = differences.filter(on => on.aspect === aspect)
    if (mine.length === 0) return []
    const odd = [...new Set(mine.flatMap(on => on.odd))]
    const subnets = mine.filter(({ client }) => client !== undefined && client !== '').length
    const where = odd.length === 0 ? undefined : odd.join(', ')
    const wide = subnets === 0 ? '' : ` for ${subnets} ${subnets === 1 ? 'subnet' : 'subnets'}`
    return [finding('ECS013', `name servers differ in ${ABOUT_ECS[aspect]}${wide}`, where)]
  })
}
