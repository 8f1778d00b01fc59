/**
 * What was asked and answered, as metrics: names and labels are CoreDNS's where it has one. Types
 * from 512 up are `other`; no query makes a label of its own.
 */
import { rcodeText } from '../dns/message.ts'
import { typeText } from '../dns/rrtype.ts'
import { COOKIE } from '../guard/cookies.ts'
import {
  AT,
  CUT,
  DROP,
  FAMILIES,
  INFO_CODES,
  OTHERS,
  OVER,
  RCODES,
  REQUESTS,
  SCOPES,
  SIZE_BOUNDS,
  SIZE_SUM,
  SIZES,
} from '../guard/tally.ts'
import { bucketed, counter, type Family, histogram, type Sample, single } from './family.ts'
import type { Source } from './source.ts'

/** Bounds of scopes: what public resolvers send, and what maps are cut at. */
const SCOPE_BOUNDS = { 4: [0, 8, 16, 20, 24, 32], 6: [0, 32, 40, 48, 56, 64, 128] } as const

export const QUERIES: readonly Family[] = [
  counter(
    'dns_requests_total',
    'Requests that were answered, by transport, family of the sender (1: IPv4, 2: IPv6) and type: other from 512 up, not_in of another class, none without a question.',
    requests,
  ),
  counter('dns_do_requests_total', 'Requests that were answered and have the DO bit.', source =>
    single(source.cells()[AT.dnssecOk] ?? 0),
  ),
  counter(
    'dns_ecs_requests_total',
    'Requests that were answered and have a client subnet, by its family (1: IPv4, 2: IPv6).',
    source =>
      FAMILIES.map(family => ({ labels: familyLabel(family), value: sum(scopes(source, family)) })),
  ),
  counter(
    'dns_cookie_requests_total',
    'Requests that were answered, by the cookie that they brought: none, client (no server cookie yet), valid, invalid.',
    cookies,
  ),
  counter('dns_nsid_requests_total', 'Requests that were answered and asked for NSID.', source =>
    single(source.cells()[AT.nsid] ?? 0),
  ),
  counter(
    'dns_extended_errors_total',
    'Responses that say why they say no more, by INFO-CODE (RFC 8914).',
    errors,
  ),
  counter('dns_responses_total', 'Responses, by RCODE.', responses),
  histogram('dns_request_size_bytes', 'Sizes of requests that were answered.', source =>
    sizes(source, AT.requestSizes),
  ),
  histogram('dns_response_size_bytes', 'Sizes of responses.', source =>
    sizes(source, AT.responseSizes),
  ),
  histogram(
    'dns_ecs_scope_length',
    'SCOPE PREFIX-LENGTH of responses to requests with a client subnet, by its family (1: IPv4, 2: IPv6).',
    source => FAMILIES.flatMap(family => scopeLines(source, family)),
  ),
  counter(
    'dns_drops_total',
    'Messages that were not answered: short and response are no queries; rate is over a limit of rrl; share and stranger were turned away in overload.',
    reasons(DROP, AT.drops),
  ),
  counter(
    'dns_cut_total',
    'Replies that were truncated to have the client come over TCP, by what for: rate, a limit of rrl; stranger, in overload; shown, not truncated as rrl.log_only is on.',
    reasons(CUT, AT.cuts),
  ),
  counter(
    'answers_total',
    'Answers that a rule chose, by steered name and pool. Where names times pools are more than 65536, by pool only; names that are gone may be, too.',
    answers,
  ),
]

function requests(source: Source): Sample[] {
  const cells = source.cells()
  return Object.entries(OVER).flatMap(([proto, over]) =>
    FAMILIES.flatMap((family, column) => {
      const from = AT.requests + (FAMILIES.length * over + column) * REQUESTS
      return countsOf(cells, from, REQUESTS, type => ({
        proto,
        ...familyLabel(family),
        type: typeLabel(type),
      }))
    }),
  )
}

function answers(source: Source): Sample[] {
  return [...source.answered()].flatMap(([name, pools]) =>
    [...pools].map(([pool, value]) => ({ labels: { name, pool }, value })),
  )
}

function responses(source: Source): Sample[] {
  return countsOf(source.cells(), AT.responses, RCODES, rcode => ({ rcode: rcodeLabel(rcode) }))
}

function cookies(source: Source): Sample[] {
  const cells = source.cells()
  const { none: _, ...brought } = COOKIE
  const counts = Object.entries(brought).map(
    ([cookie, at]) => [cookie, cells[AT.cookies + at] ?? 0] as const,
  )
  const all = sum([...cells.subarray(AT.requests, AT.requestSizes)])
  const none = all - sum(counts.map(([, count]) => count))
  return [['none', none] as const, ...counts].map(([cookie, value]) => ({
    labels: { cookie },
    value,
  }))
}

function errors(source: Source): Sample[] {
  return countsOf(source.cells(), AT.errors, INFO_CODES, code => ({ info_code: String(code) }))
}

/** Cells that are not zero: there are some hundred, and a server sees few of them. */
function countsOf(
  cells: Float64Array,
  from: number,
  length: number,
  labelsOf: (at: number) => Sample['labels'],
): Sample[] {
  return [...cells.subarray(from, from + length)].flatMap((value, at) =>
    value === 0 ? [] : [{ labels: labelsOf(at), value }],
  )
}

function reasons(reasons: Readonly<Record<string, number>>, from: number) {
  return (source: Source): Sample[] => {
    const cells = source.cells()
    const value = (at: number) => cells[from + at] ?? 0
    return Object.entries(reasons).map(([reason, at]) => ({ labels: { reason }, value: value(at) }))
  }
}

function sizes(source: Source, start: number): Sample[] {
  const cells = source.cells()
  return Object.entries(OVER).flatMap(([proto, over]) => {
    const from = start + over * SIZES
    const counts = [...cells.subarray(from, from + SIZE_SUM)]
    return bucketed({ proto }, SIZE_BOUNDS, counts, cells[from + SIZE_SUM] ?? 0)
  })
}

function scopeLines(source: Source, family: 4 | 6): Sample[] {
  const counts = scopes(source, family)
  const bounds = SCOPE_BOUNDS[family]
  const inBuckets = [...bounds, Number.POSITIVE_INFINITY].map((bound, i) => {
    const above = bounds[i - 1] ?? -1
    return sum(counts.filter((_, scope) => scope > above && scope <= bound))
  })
  const total = sum(counts.map((count, scope) => scope * count))
  return bucketed(familyLabel(family), bounds, inBuckets, total)
}

/** By scope. */
function scopes(source: Source, family: 4 | 6): number[] {
  const from = AT.scopes + FAMILIES.indexOf(family) * SCOPES
  return [...source.cells().subarray(from, from + SCOPES)]
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0)
}

/** CoreDNS's: 1 is IPv4. */
function familyLabel(family: 4 | 6): { readonly family: string } {
  return { family: family === 4 ? '1' : '2' }
}

function typeLabel(type: number): string {
  if (type === OTHERS.other) return 'other'
  if (type === OTHERS.notIn) return 'not_in'
  return type === OTHERS.none ? 'none' : typeText(type)
}

function rcodeLabel(rcode: number): string {
  return rcode === RCODES - 1 ? 'other' : rcodeText(rcode)
}
