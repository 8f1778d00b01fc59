/**
 * Who may ask the admin API: whoever has a token; and where none is asked for, programs of this
 * machine. Browsers are programs of this machine that do as strange pages say: nothing that a page
 * makes them ask is admitted. Pure but for counting failures.
 */
import { isLoopback } from '../config/loopback.ts'
import { holderOf, type Token } from './tokens.ts'

/** In a second: so many wrong tokens are told that they are. */
const MOST_FAILURES = 10

/** Header fields of a request. */
export type Asked = {
  readonly authorization: string | undefined
  readonly host: string | undefined
  readonly origin: string | undefined
  /** `Sec-Fetch-Site`. */
  readonly site: string | undefined
}

export type Gate = {
  /** Absent: none is asked for. */
  tokens: readonly Token[] | undefined
  /** Of the second that began then. */
  failures: { since: number; count: number }
}

export type Admission =
  /** `name`: of who has the token. */
  | { readonly kind: 'admitted'; readonly name: string | undefined }
  /** A page asks, or somebody who thinks that this is another machine. */
  | { readonly kind: 'strange'; readonly why: string }
  | { readonly kind: 'unknown'; readonly gave: 'nothing' | 'something' }
  | { readonly kind: 'too many' }

const ADMITTED: Admission = { kind: 'admitted', name: undefined }

export function newGate(tokens: readonly Token[] | undefined): Gate {
  return { tokens, failures: { since: Number.NEGATIVE_INFINITY, count: 0 } }
}

/** @param now milliseconds, from any beginning */
export function admit(asked: Asked, gate: Gate, now: number): Admission {
  const { tokens } = gate
  if (tokens === undefined) return flawOf(asked) ?? ADMITTED
  const [, secret] = /^Bearer +([!-~]+) *$/i.exec(asked.authorization ?? '') ?? []
  const holder = secret === undefined ? undefined : holderOf(secret, tokens)
  // Whoever has a right one is admitted, however often others fail.
  if (holder !== undefined) return { kind: 'admitted', name: holder.name }
  if (failsTooOften(gate, now)) return { kind: 'too many' }
  return { kind: 'unknown', gave: asked.authorization === undefined ? 'nothing' : 'something' }
}

function flawOf({ host = '', origin, site = 'none' }: Asked): Admission | undefined {
  // A page whose name its owner lets point to 127.0.0.1 still asks for that name.
  const [, name = ''] = /^(\[[^\]]*\]|[^:]*)(?::\d*)?$/.exec(host) ?? []
  if (!isLoopback(name.replace(/^\[|\]$/g, ''))) {
    return { kind: 'strange', why: 'Host is no loopback address: without a token only those are' }
  }
  if (origin === undefined && site === 'none') return undefined
  return { kind: 'strange', why: 'a page asks: without a token only programs may' }
}

function failsTooOften(gate: Gate, now: number): boolean {
  const { count, since } = gate.failures
  gate.failures = now - since < 1000 ? { since, count: count + 1 } : { since: now, count: 1 }
  return gate.failures.count > MOST_FAILURES
}
