/**
 * A client that asks in octets and reads just what the scope laws are about: a few microseconds a
 * question, so that laws can ask millions. Which pools were preferred is read off the desk.
 */
import type { Desk } from '../../server/answer/desk.ts'
import type { Peer } from '../../server/answer/peer.ts'
import { serve } from '../../server/answer/serve.ts'
import { rankingText } from './steering.ts'
import { queryOf } from './world.ts'

/** One name and type, ready to be asked for any subnet. */
export type Question = {
  /** The query; its only option is ECS, at the end. */
  readonly octets: Uint8Array
  /** Where the data of that option begins. */
  readonly at: number
}

/** What a reply says of its client. */
export type Told = {
  /** SCOPE PREFIX-LENGTH. */
  scope: number
  /** The class: pools by name in order of preference; where clients stick to targets, those too. */
  says: string
  /** The address told is special: the peer's decided. */
  isSpecial: boolean
  /** Seconds. */
  ttl: number
}

export function told(): Told {
  return { scope: 0, says: '', isSpecial: false, ttl: 0 }
}

const LONGEST = 16

export function questionOf(name: string, type = 'A'): Question {
  const octets = queryOf(name, { type, subnet: '2001:db8::1/128' })
  return { octets: Uint8Array.from(octets), at: octets.length - LONGEST - 4 }
}

const OUT = new Uint8Array(65_535)

/**
 * Asks for a subnet. Fails the test where the reply is not NOERROR with the option echoed (§7.2.1).
 *
 * @param address of that family; bits past `source` do not matter
 */
export function askFor(
  desk: Desk,
  { at, octets }: Question,
  family: 4 | 6,
  address: Uint8Array,
  source: number,
  peer: Peer,
  into: Told,
): void {
  const count = (source + 7) >> 3
  setU16(octets, at - 2, 4 + count)
  setU16(octets, at - 6, 8 + count) // RDLENGTH: the only option
  setU16(octets, at, family === 4 ? 1 : 2)
  octets[at + 2] = source
  for (let i = 0; i < count; i += 1) octets[at + 4 + i] = address[i]!
  if ((source & 7) !== 0) octets[at + 3 + count]! &= 0xff00 >> (source & 7)
  const length = serve(desk, octets, at + 4 + count, OUT, peer)
  into.scope = scopeIn(length, octets, at, count)
  into.isSpecial = desk.decision.special
  into.ttl = desk.decision.ttl
  into.says = classNow(desk)
}

function setU16(octets: Uint8Array, at: number, value: number): void {
  octets[at] = value >> 8
  octets[at + 1] = value
}

/** The scope of a reply, the option of which ends it and equals the query's in all else. */
function scopeIn(length: number, query: Uint8Array, at: number, count: number): number {
  if (length < 12 || (OUT[3]! & 15) !== 0) throw new Error(`no good reply: ${OUT[3]! & 15}`)
  const own = length - count - 4
  for (let i = -4; i < 4 + count; i += 1) {
    if (i !== 3 && OUT[own + i] !== query[at + i]) throw new Error('the option is not echoed')
  }
  return OUT[own + 3]!
}

/** By desk, the text of each ranking. */
const TEXTS = new WeakMap<object, string[]>()

function classNow({ decision, world: { steering } }: Desk): string {
  const { count, ranking, slot, targets } = decision
  let texts = TEXTS.get(steering)
  if (texts === undefined) {
    texts = Array.from({ length: steering.rankingStart.length - 1 }, (_, i) =>
      rankingText(steering, i),
    )
    TEXTS.set(steering, texts)
  }
  const text = texts[ranking]!
  const isSticky = steering.sticky[slot] === 1 && steering.rankingSticky[ranking] === 1
  return isSticky ? `${text} ${targets.subarray(0, count).join()}` : text
}
