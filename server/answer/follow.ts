/**
 * find and steer: from the name asked to a reply, along the aliases in between. A chain is followed
 * inside its zone, through owners whose answer does not read the client, and stops before the first
 * tailored one: the resolver asks for that itself, so that one reply has one scope (RFC 7871 §7.2.1).
 */

import { RCODE } from '../dns/message.ts'
import { holdsName, MAX_NAME, type NameBuffer, setName } from '../dns/name.ts'
import { TYPE } from '../dns/rrtype.ts'
import type { ClientSubnet } from '../dns/subnet.ts'
import { steer } from '../steer/steer.ts'
import { hasFamily, isTailored, type Steering } from '../steer/steering.ts'
import { find } from '../zone/find.ts'
import { FLAG, nodeFlags, RECORD_HEAD, RRSET, rrsetOf, rrsetWord } from '../zone/zones.ts'
import { takeChallenges } from './challenge.ts'
import { CHAIN, type Desk } from './desk.ts'
import { believes } from './ecs.ts'
import { chooseHints } from './hints.ts'
import type { Peer } from './peer.ts'
import { REASON } from './reasons.ts'
import { add, KIND, OWN, SECTION, says } from './reply.ts'
import { takeWhoami } from './whoami.ts'

/** Answers a question of class IN: fills the desk's reply. Hot: once per query. */
export function follow(desk: Desk, peer: Peer): void {
  const { chain, finding, query, reply, world } = desk
  let zone = -1
  for (let step = 0; step <= CHAIN; step += 1) {
    if (isMet(chain, step)) return
    reply.step = step
    find(world.zones, chain[step]!, query.type, finding)
    if (step === 0) zone = finding.zone
    else if (finding.zone !== zone) return
    if (world.whoami.length > 0 && takeWhoami(desk, step, peer)) return
    if (desk.challenges.length > 0 && takeChallenges(desk, step)) return
    if (!take(desk, step, peer)) return
  }
}

/** Whether the chain is back at a name it has been at. Hot. */
function isMet(chain: readonly NameBuffer[], step: number): boolean {
  for (let earlier = 0; earlier < step; earlier += 1) {
    if (holdsName(chain[step]!, chain[earlier]!.octets, chain[earlier]!.length)) return true
  }
  return false
}

/**
 * Takes what was found for one name of the chain into the reply. Hot.
 *
 * @returns true where it was an alias: `chain[step + 1]` is the name to go on with
 */
function take(desk: Desk, step: number, peer: Peer): boolean {
  const { finding, reply } = desk
  reply.authoritative = finding.kind !== 'no-zone' && (step > 0 || finding.kind !== 'referral')
  switch (finding.kind) {
    case 'no-zone':
      reply.rcode = RCODE.REFUSED
      reply.reason = REASON.notOurs
      return false
    case 'answer':
      add(reply, SECTION.ANSWER, KIND.RRSET, step, finding.rrset)
      return false
    case 'any':
      takeAny(desk, step)
      return false
    case 'alias':
      return takeAlias(desk, step)
    case 'rename':
      return takeRename(desk, step)
    case 'steered':
      takeSteered(desk, step, peer)
      return false
    case 'referral':
      add(reply, SECTION.AUTHORITY, KIND.RRSET, OWN, finding.rrset)
      add(reply, SECTION.ADDITIONAL, KIND.GLUE, OWN, finding.rrset)
      return false
    case 'no-name':
      reply.rcode = RCODE.NXDOMAIN // RFC 6604 §3: the code is that of the last name
      takeNothing(desk)
      return false
    case 'no-data':
      takeNothing(desk)
      return false
  }
}

/** The SOA says how long the absence may be kept. RFC 2308 §3. Hot. */
function takeNothing(desk: Desk): void {
  add(desk.reply, SECTION.AUTHORITY, KIND.DENIAL, OWN, desk.finding.soa)
}

/** One alias is an honest answer to ANY; all else is said by HINFO. RFC 8482 §4. Hot. */
function takeAny(desk: Desk, step: number): void {
  const { finding, reply, world } = desk
  const alias = (nodeFlags(world.zones, finding.node) & FLAG.ALIAS) !== 0
  if (!alias) add(reply, SECTION.ANSWER, KIND.MINIMAL, step, 0)
  else {
    const cname = rrsetOf(world.zones, finding.node, TYPE.CNAME)
    add(reply, SECTION.ANSWER, KIND.RRSET, step, cname)
  }
}

/** Hot. */
function takeAlias(desk: Desk, step: number): boolean {
  const { chain, finding, reply, world } = desk
  if (step === CHAIN) return false
  add(reply, SECTION.ANSWER, KIND.RRSET, step, finding.rrset)
  const target = rrsetWord(world.zones, finding.rrset, RRSET.AT) + RECORD_HEAD
  setName(chain[step + 1]!, world.zones.records, target)
  return true
}

/** RFC 6672 §3.2. Hot. The CNAME made for the name asked is the end where CNAME was asked. */
function takeRename(desk: Desk, step: number): boolean {
  const { chain, finding, query, reply, world } = desk
  if (step === CHAIN) return false
  if (!says(reply, finding.rrset)) {
    add(reply, SECTION.ANSWER, KIND.RRSET, OWN, finding.rrset)
  }
  const target = rrsetWord(world.zones, finding.rrset, RRSET.AT) + RECORD_HEAD
  const fits = rename(chain[step]!, finding.labels, world.zones.records, target, chain[step + 1]!)
  if (!fits) {
    reply.rcode = RCODE.YXDOMAIN
    return false
  }
  add(reply, SECTION.ANSWER, KIND.RENAMED, step, finding.rrset)
  return query.type !== TYPE.CNAME && query.type !== TYPE.ANY
}

/**
 * Puts the DNAME's target in the place of the last `labels` labels of a name. Hot.
 *
 * @returns false where the new name is too long
 */
function rename(
  from: NameBuffer,
  labels: number,
  target: Uint8Array,
  targetAt: number,
  into: NameBuffer,
): boolean {
  setName(into, target, targetAt)
  const kept = from.labels - labels
  const prefix = from.starts[kept]!
  if (prefix + into.length > MAX_NAME) return false
  into.octets.copyWithin(prefix, 0, into.length)
  for (let octet = 0; octet < prefix; octet += 1) into.octets[octet] = from.octets[octet]!
  setName(into, into.octets, 0)
  return true
}

/** Hot. */
function takeSteered(desk: Desk, step: number, peer: Peer): void {
  const { decision, finding, query, reply, world } = desk
  const { slot } = finding
  if (step > 0 && isTailored(world.steering, slot)) return
  const subnet = believes(world.ecs, peer) ? query.subnet : desk.nobody
  const service = serviceOf(world.steering, slot, query.type)
  if (service >= 0) {
    chooseHints(desk, slot, service, subnet, peer)
    reply.scope = decision.scope
    add(reply, SECTION.ANSWER, KIND.SERVICE, step, service)
  } else takeTargets(desk, step, slot, subnet, peer)
}

/** A slot's record of a type; −1 where it makes none. Hot. */
function serviceOf(steering: Steering, slot: number, type: number): number {
  if (type === TYPE.HTTPS) return steering.https[slot]!
  return type === TYPE.SVCB ? steering.svcb[slot]! : -1
}

/** Hot. */
function takeTargets(
  desk: Desk,
  step: number,
  slot: number,
  subnet: ClientSubnet,
  peer: Peer,
): void {
  const { board, chance, decision, query, reply, turns, world } = desk
  const { steering } = world
  const alias = steering.alias[slot] === 1
  const family = query.type === TYPE.AAAA ? 6 : 4
  if (!alias && !hasFamily(steering, slot, family)) {
    takeNothing(desk)
    return
  }
  steer(steering, board, slot, family, subnet, peer, turns, chance, decision)
  reply.scope = decision.scope
  add(reply, SECTION.ANSWER, alias ? KIND.HOST : KIND.ADDRESSES, step, slot)
}
