/**
 * What one name server shows of one name and type: how it treats the option, and for each client its
 * scopes and sets; its TTLs, its zone's serial, its instances. Knows no other server.
 */
import type { Observation } from './observation.ts'
import { echoState, holdsAnswer, isRefused, setKey, setOf } from './reply.ts'
import { falls, moments } from './ttl.ts'

/** What becomes of the option at a server. */
export type OptionHabit = 'exact' | 'missing' | 'sometimes' | 'mismatch' | 'refused' | 'unasked'

/** Seconds. */
export type Ttl = {
  readonly min: number
  readonly max: number
  readonly policy: 'constant' | 'varies' | 'counts-down'
}

export type ClientRow = {
  /** The subnet asked for; empty for the query without the option. */
  readonly client: string
  readonly region: string | undefined
  /** Distinct SCOPE PREFIX-LENGTHs of exact echoes, ascending. */
  readonly scopes: readonly number[]
  /** Each reply's set, by round. */
  readonly sets: ReadonlyMap<number, readonly string[]>
}

export type ServerView = {
  /** `address#port` */
  readonly server: string
  readonly queries: number
  readonly replies: number
  /** Why it never answered; absent where it did. */
  readonly silence: string | undefined
  /** Reply codes to queries without the option. */
  readonly rcodes: readonly string[]
  /** Of the AA flag in positive and negative answers. */
  readonly authority: 'always' | 'never' | 'sometimes'
  readonly option: OptionHabit
  readonly clients: readonly ClientRow[]
  /** Absent without any record. */
  readonly ttl: Ttl | undefined
  /** Serials of its SOA, in the order first seen; several where the zone changed meanwhile. */
  readonly serials: readonly number[]
  readonly instances: readonly string[]
}

/** @param seen all observations of one server: of the subject, and of its zone's SOA */
export function viewOf(server: string, seen: readonly Observation[], type: string): ServerView {
  const about = seen.filter(one => one.purpose !== 'again' && !isSerial(one, type))
  const held = about.filter(holdsAnswer)
  const heard = seen.filter(({ error }) => error === undefined)
  return {
    server,
    queries: seen.length,
    replies: heard.length,
    silence: heard.length > 0 ? undefined : (seen[0]?.error ?? 'not asked'),
    rcodes: distinct(about.filter(({ sent }) => sent === undefined).flatMap(on => on.rcode ?? [])),
    authority: authorityOf(held),
    option: optionOf(about),
    clients: clientsOf(held),
    ttl: ttlOf(held),
    serials: distinct(seen.filter(one => isSerial(one, type)).flatMap(serialOf)),
    instances: distinct(seen.flatMap(({ instance }) => instance ?? [])),
  }
}

/** Rounds are numbered from 1; the SOA is asked for in round 0. */
function isSerial(seen: Observation, type: string): boolean {
  return seen.type === 'SOA' && (type !== 'SOA' || seen.round === 0)
}

/** `mname rname serial …`. RFC 1035 §3.3.13. */
function serialOf({ answers }: Observation): readonly number[] {
  const serial = /^\S+ \S+ (\d{1,10}) /.exec(answers[0] ?? '')?.[1]
  return serial === undefined ? [] : [Number(serial)]
}

function authorityOf(held: readonly Observation[]): ServerView['authority'] {
  const marked = held.filter(({ flags }) => flags.aa).length
  if (marked === held.length) return 'always'
  return marked === 0 ? 'never' : 'sometimes'
}

function optionOf(about: readonly Observation[]): OptionHabit {
  const named = about.filter(({ sent, error }) => sent !== undefined && error === undefined)
  const states = new Set(named.filter(holdsAnswer).map(echoState))
  states.delete('unsent')
  if (named.length === 0) return 'unasked'
  if (states.size === 0) return named.some(isRefused) ? 'refused' : 'unasked'
  if (states.has('mismatch')) return 'mismatch'
  if (states.size > 1) return 'sometimes'
  return states.has('exact') ? 'exact' : 'missing'
}

function clientsOf(held: readonly Observation[]): readonly ClientRow[] {
  const clients = distinct(held.map(clientOf))
  return clients.map(client => {
    const mine = held.filter(seen => clientOf(seen) === client)
    const scopes = mine.filter(seen => echoState(seen) === 'exact').map(on => on.echo?.scope ?? 0)
    return {
      client,
      region: mine[0]?.sent?.region,
      scopes: distinct(scopes).sort((a, b) => a - b),
      sets: new Map(mine.map(seen => [seen.round, setOf(seen)])),
    }
  })
}

function clientOf({ sent }: Observation): string {
  return sent?.text ?? ''
}

/** A cache's TTL falls for one client's record; one that differs from client to client does not. */
function ttlOf(held: readonly Observation[]): Ttl | undefined {
  const values = held.flatMap(({ ttl }) => ttl ?? [])
  if (values.length === 0) return undefined
  const range = { min: Math.min(...values), max: Math.max(...values) }
  if (range.min === range.max) return { ...range, policy: 'constant' }
  const series = distinct(held.map(clientOf)).map(client =>
    moments(held.filter(seen => clientOf(seen) === client)),
  )
  const falling = series.filter(one => one.length > 1 && falls(one)).length
  return { ...range, policy: falling > series.length / 2 ? 'counts-down' : 'varies' }
}

/** By which servers are compared and shown: `60 s`, `30–60 s`, `5–60 s, counting down`. */
export function ttlWords(ttl: Ttl): string {
  if (ttl.policy === 'constant') return `${ttl.min} s`
  const range = `${ttl.min}–${ttl.max} s`
  return ttl.policy === 'counts-down' ? `${range}, counting down` : range
}

/** Whether a client was ever answered with another set than before. */
export function rotates({ sets }: ClientRow): boolean {
  return new Set([...sets.values()].map(setKey)).size > 1
}

function distinct<T>(values: readonly T[]): T[] {
  return [...new Set(values)]
}
