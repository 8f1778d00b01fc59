/**
 * The rehearsal asks for all there is: every outcome that RFC 1035, 6891 and 7871 know, every type and
 * every kind of name of a World, and no more of it than can be answered in a moment.
 */
import { describe, expect, test } from 'vitest'
import { rehearsal } from '../../server/answer/rehearsal.ts'
import { rcodeOf } from '../../server/dns/message.ts'
import { deskFrom, deskOf, exchange, HEAD, said } from '../kit/world.ts'
import { ZONE_Z } from '../kit/zone-text.ts'

const DESK = deskOf(
  `${ZONE_Z}www A 192.0.2.10
plain A 192.0.2.1
plain AAAA 2001:db8::1
mail MX 10 plain
alias CNAME plain
*.wild TXT "w"
child NS ns.child
ns.child A 192.0.2.53
old DNAME plain
`,
  `networks: {a: [198.51.100.0/24]}
pools: {A: {targets: [192.0.2.101]}, D: {targets: [192.0.2.103]}}
steer: {www.example.com: {ttl: 30, pick: shuffle, by: {networks: {a: [A]}, default: [D]}}}
`,
)
const MESSAGES = rehearsal(DESK.world)
const REPLIES = MESSAGES.map(message => exchange(DESK, message))
const SAID = REPLIES.flatMap(reply => (reply === undefined ? [] : [said(reply)]))
/** How many of what was said are so. */
const count = (isSo: (one: (typeof SAID)[number]) => boolean) => SAID.filter(isSo).length

/** The upper eight bits of the RCODE come with OPT, which is last here: RFC 6891 §6.1.3. */
const isBadVersion = (reply: Uint8Array | undefined) =>
  reply !== undefined && rcodeOf(reply) === 0 && reply.at(-6) === 1

// biome-ignore format: table
const WAYS: readonly (readonly [way: string, times: () => number])[] = [
  ['RFC 1035 §4.1.1 NOERROR with an answer', () => count(one => one.rcode === 'NOERROR' && one.answer.length > 0)],
  ['RFC 2308 §2.2 NODATA',        () => count(one => one.rcode === 'NOERROR' && one.aa && one.answer.length === 0)],
  ['RFC 2308 §2.1 NXDOMAIN',      () => count(one => one.rcode === 'NXDOMAIN')],
  ['RFC 1034 §4.3.2 a referral',  () => count(one => one.rcode === 'NOERROR' && !one.aa)],
  ['REFUSED',                     () => count(one => one.rcode === 'REFUSED')],
  ['NOTIMP',                      () => count(one => one.rcode === 'NOTIMP')],
  ['FORMERR',                     () => count(one => one.rcode === 'FORMERR')],
  ['RFC 6891 §6.1.3 BADVERS',     () => REPLIES.filter(isBadVersion).length],
  ['nothing is said',             () => REPLIES.filter(reply => reply === undefined).length],
  ['RFC 7871 a scope for IPv4',   () => count(one => /^1\/24\/24/.test(one.ecs ?? ''))],
  ['RFC 7871 a scope for IPv6',   () => count(one => /^2\/56\/[1-9]/.test(one.ecs ?? ''))],
  ['RFC 7871 §7.1.2 /0',          () => count(one => /^1\/0\/0/.test(one.ecs ?? ''))],
  ['a steered address',           () => count(one => one.answer.some(line => line.includes(' 192.0.2.103')))],
  ['RFC 4592 a wildcard',         () => count(one => one.answer.some(line => line.startsWith('nobody.')))],
  ['RFC 6672 a DNAME',            () => count(one => one.answer.some(line => line.includes(' DNAME ')))],
  ['a CNAME and where it leads',  () => count(one => one.answer.some(line => line.includes(' CNAME ')) && one.answer.length > 1)],
  ['class CH',                    () => count(one => one.answer.some(line => line.includes('lbdns test')))],
]

describe('it goes each way', () => {
  test.each(WAYS)('%s', (_, times) => {
    expect(times()).toBeGreaterThan(0)
  })
})

describe('it is short', () => {
  test('a World of 50,000 names takes no more messages than one of some', () => {
    const names = Array.from({ length: 50_000 }, (_, i) => `n${i} A 192.0.2.1\n`).join('')
    const { world } = deskFrom({ 'lbdns.yaml': HEAD, 'a.zone': ZONE_Z + names })
    expect(rehearsal(world).length).toBeLessThan(400)
    expect(MESSAGES.length).toBeLessThan(400)
  })

  test('no message is longer than 512 octets, whatever the names', () => {
    const label = 'l'.repeat(63)
    const longest = [label, label, label, 'l'.repeat(49)].join('.') // of 255 octets with example.com
    const { world } = deskFrom({
      'lbdns.yaml': HEAD,
      'a.zone': `${ZONE_Z}${longest} A 192.0.2.1\n`,
    })
    const lengths = rehearsal(world).map(({ length }) => length)
    expect(Math.max(...lengths)).toBeLessThanOrEqual(512)
    expect(Math.max(...lengths)).toBeGreaterThan(255)
  })
})
