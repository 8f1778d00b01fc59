/**
 * Proofs for certificates (RFC 8555 §8.4) that an operator has set while the server runs: TXT records
 * at names that a zone need not have, in the place of those that it has. A name is not made to exist
 * for more than that: what a wildcard answers beside it, it goes on answering.
 */
import { canonical, holdsName, MAX_NAME, type Name, nameFromText } from '../dns/name.ts'
import { TYPE } from '../dns/rrtype.ts'
import { isWrong, type Wrong, wrong } from '../fault.ts'
import { FLAG, nodeFlags } from '../zone/zones.ts'
import type { Desk } from './desk.ts'
import { add, KIND, OWN, SECTION } from './reply.ts'

export type Challenge = {
  readonly owner: Name
  /** Of one TXT record. */
  readonly rdata: Uint8Array
}

/** Seconds: the next proof of a name is another one. */
export const CHALLENGE_TTL = 5

/** What challenges stand below. */
const LABEL = '_acme-challenge.'

/**
 * Reads the name that is to be proven: `www.example.com`, `*.example.com`, or with the label before it.
 *
 * @returns the owner of the record
 */
export function challengeOwner(text: string): Name | Wrong {
  const whole = text.endsWith('.') ? text : `${text}.`
  const bare = whole.replace(/^\*\./, '')
  const wire = nameFromText(bare.startsWith(LABEL) ? bare : LABEL + bare, undefined)
  if (isWrong(wire)) return wire
  return wire.length > MAX_NAME ? wrong(`${text} is too long`) : canonical(wire)
}

/** @param token 1 … 255 ASCII characters */
export function challenge(owner: Name, token: string): Challenge {
  const octets = Array.from(token, letter => letter.charCodeAt(0) & 0x7f)
  return { owner, rdata: Uint8Array.of(octets.length, ...octets) }
}

/**
 * Answers from challenges what is found for a name of the chain. Hot: only while there are some.
 *
 * @returns true where the name is of one and the answer is in the reply
 */
export function takeChallenges(desk: Desk, step: number): boolean {
  const { chain, challenges, query, reply } = desk
  const { kind, soa } = desk.finding
  if (isElsewhere(desk)) return false
  const isAsked = query.type === TYPE.TXT || query.type === TYPE.ANY
  let isMet = false
  for (let number = 0; number < challenges.length; number += 1) {
    const { owner } = challenges[number]!
    if (!holdsName(chain[step]!, owner, owner.length)) continue
    isMet = true
    if (isAsked) add(reply, SECTION.ANSWER, KIND.CHALLENGE, step, number)
  }
  if (!isMet || !(isAsked || kind === 'no-name')) return false
  reply.authoritative = true
  if (!isAsked) add(reply, SECTION.AUTHORITY, KIND.DENIAL, OWN, soa)
  return true
}

/** An operator has led the name away: to another zone, or by an alias of its own. Hot. */
function isElsewhere({ finding, world }: Desk): boolean {
  const { kind, node } = finding
  if (kind === 'alias') return (nodeFlags(world.zones, node) & FLAG.WILDCARD) === 0
  return kind === 'no-zone' || kind === 'referral' || kind === 'rename'
}
