/**
 * What the replies to one question have in common, aspect by aspect. One value has to be right: a
 * peer says it, and each server that does not is excused by a row of the table. Else the difference is
 * unexplained.
 */
import type { Server } from './authorities.ts'
import type { Question, Told } from './wire.ts'

export const ASPECTS = [
  'rcode',
  'aa',
  'tc',
  'rd',
  'ra',
  'ad',
  'cd',
  'question',
  'answer',
  'authority',
  'additional',
  'opt',
] as const
export type Aspect = (typeof ASPECTS)[number]

export type Case = {
  /** In lower case. */
  readonly name: string
  readonly question: Question
  /** Of the servers that hold the zone, those that said something. */
  readonly told: Partial<Record<Server, Told>>
}

/** A class of difference. */
export type Row = {
  /** What the question or the zone is like. */
  readonly shape: string
  /** Who stands apart from the others. */
  readonly who: readonly Server[]
  readonly aspects: readonly Aspect[]
  readonly clause: string
  readonly why: string
  /** The clause asks for what we do, so that we may be right alone. */
  readonly isOurs?: true
  readonly applies: (one: Case) => boolean
}

export type Outcome = {
  /** Rows that were needed, and for which server. */
  readonly used: readonly { readonly row: Row; readonly server: Server }[]
  /** In words; empty where all is explained. */
  readonly unexplained: readonly string[]
}

const SECTIONS: readonly Aspect[] = ['answer', 'authority', 'additional']

export function compare(one: Case, rows: readonly Row[]): Outcome {
  const found = ASPECTS.map(aspect => compareAspect(one, aspect, rows))
  return {
    used: found.flatMap(({ used }) => used),
    unexplained: found.flatMap(({ unexplained }) => unexplained),
  }
}

const SAME: Outcome = { used: [], unexplained: [] }

function compareAspect(one: Case, aspect: Aspect, rows: readonly Row[]): Outcome {
  const said = valuesOf(one, aspect)
  const values = [...new Set(said.values())]
  if (values.length <= 1) return SAME
  const fitting = rows.filter(row => row.aspects.includes(aspect) && row.applies(one))
  const rowOf = (server: Server) => fitting.find(({ who }) => who.includes(server))
  const apartFrom = (value: string) => [...said.keys()].filter(one => said.get(one) !== value)
  const isRight = (value: string): boolean =>
    apartFrom(value).every(server => rowOf(server) !== undefined) &&
    (isSaidByPeer(one, said, value) || apartFrom(value).every(server => rowOf(server)?.isOurs))
  const [right] = values.filter(isRight).sort((a, b) => apartFrom(a).length - apartFrom(b).length)
  if (right !== undefined) return { used: usedBy(apartFrom(right), rowOf), unexplained: [] }
  const isCut = Object.values(one.told).some(({ tc }) => tc)
  const isExcused = [...said.keys()].every(server => rowOf(server) !== undefined)
  // Where the whole one is cut off, what the others left out has nothing to be held against.
  if (isCut && isExcused) return { used: usedBy([...said.keys()], rowOf), unexplained: [] }
  return { used: [], unexplained: [`${aspect}: ${campsOf(said)}`] }
}

/** We alone are not right, but where a single peer holds the zone. */
function isSaidByPeer({ told }: Case, said: ReadonlyMap<Server, string>, value: string): boolean {
  const peers = Object.keys(told).length - 1
  return peers === 1 || [...said].some(([who, what]) => who !== 'lbdns' && what === value)
}

function usedBy(
  servers: readonly Server[],
  rowOf: (server: Server) => Row | undefined,
): Outcome['used'] {
  return servers.flatMap(server => {
    const row = rowOf(server)
    return row === undefined ? [] : [{ row, server }]
  })
}

/** Who said what; sections of a truncated reply say nothing. RFC 2181 §9. */
function valuesOf({ told }: Case, aspect: Aspect): Map<Server, string> {
  const replies = Object.entries(told) as [Server, Told][]
  const whole = replies.filter(([, { tc }]) => !(tc && SECTIONS.includes(aspect)))
  return new Map(whole.map(([server, reply]) => [server, String(reply[aspect])]))
}

/** `nsd knot | bind lbdns` */
function campsOf(said: ReadonlyMap<Server, string>): string {
  const camps = new Map<string, Server[]>()
  for (const [server, value] of said) camps.set(value, [...(camps.get(value) ?? []), server])
  return [...camps].map(([value, who]) => `${who.join(' ')}: ${value.slice(0, 90)}`).join(' | ')
}
