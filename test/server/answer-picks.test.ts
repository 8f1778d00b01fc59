/**
 * Replies of every pick: how many records, of which type, with which scope. What a pick draws is
 * tested with the room `steer`; here it is the reply that counts.
 */
import { describe, expect, test } from 'vitest'
import { PICK } from '../../server/steer/steering.ts'
import { addresses, ask, deskOf } from '../kit/world.ts'
import { ZONE_Z } from '../kit/zone-text.ts'

const PICKS = Object.keys(PICK)
/** A rule for each pick: `PICK-NAME.example.com`. */
const rules = (name: string, rest: string) =>
  PICKS.map(pick => `  ${pick}-${name}.example.com: {ttl: 30, pick: ${pick}, ${rest}}\n`).join('')
const sixty = Array.from({ length: 60 }, (_, i) => `203.0.113.${i + 1}`)
const hundreds = Array.from({ length: 200 }, (_, i) => `203.0.113.${i + 1}`)
const hosts = ['h1.example.net', 'h2.example.net', 'h3.example.net']

const DESK = deskOf(
  ZONE_Z,
  `networks: {a: [198.51.96.0/20]}
pools:
  sixty: {targets: [${sixty.join(', ')}]}
  hundreds: {targets: [${hundreds.join(', ')}]}
  hosts: {targets: [${hosts.join(', ')}]}
  host: {targets: [other.example.net]}
steer:
${rules('two', 'answers: 2, pools: [sixty]')}\
${rules('many', 'answers: 200, pools: [hundreds]')}\
${rules('whole', 'answers: 200, truncate: on, pools: [hundreds]')}\
${rules('go', 'answers: 8, by: {networks: {a: [hosts]}, default: [host]}')}\
${rules('same', 'answers: 8, pools: [hosts]')}`,
)

const IN_A = '198.51.100.0/24'

describe.each(PICKS)('pick: %s', pick => {
  test('BC-100 at most two answers: never TC, none twice, every target in time', () => {
    const seen = new Set<string>()
    const counts = new Set<number>()
    for (let i = 0; i < 2000; i += 1) {
      const answer = ask(DESK, `${pick}-two.example.com`, {
        subnet: `11.${i >> 8}.${i & 255}.0/24`,
      })
      const given = addresses(answer)
      expect([answer.tc, answer.scope]).toEqual([false, pick === 'hash' ? 24 : 0])
      expect(new Set(given).size).toBe(given.length)
      counts.add(given.length)
      for (const one of given) seen.add(one)
    }
    expect([[1], [2]]).toContainEqual([...counts])
    expect(seen.size).toBe(60)
  })

  test('BC-101 RFC 9715 §3.1 answers are cut to 1232 octets, the same over TCP', () => {
    const name = `${pick}-many.example.com`
    const udp = ask(DESK, name, { size: 4096, subnet: IN_A })
    const tcp = ask(DESK, name, { transport: 'tcp', subnet: IN_A })
    expect([udp.tc, udp.answer.length]).toEqual([false, tcp.answer.length])
    expect(udp.octets).toBeLessThanOrEqual(1232)
    expect(udp.scope).toBe(pick === 'hash' ? 24 : 0)
    expect(tcp.scope).toBe(udp.scope)
  })

  test('BC-101 BC-102 with truncate: TC, OPT, ECS and scope where they do not fit', () => {
    const name = `${pick}-whole.example.com`
    const tcp = ask(DESK, name, { transport: 'tcp', subnet: IN_A })
    const udp = ask(DESK, name, { size: 4096, subnet: IN_A })
    const few = ask(DESK, name, { size: 512, subnet: IN_A })
    const isLarge = tcp.answer.length > 60
    expect([udp.tc, few.tc]).toEqual([isLarge, isLarge])
    expect(udp.octets).toBeLessThanOrEqual(1232)
    expect(few.octets).toBeLessThanOrEqual(512)
    expect([tcp.ecs, udp.ecs, few.ecs]).toEqual(Array(3).fill(`1/24/${tcp.scope}/c63364`))
    expect(new Set(addresses(tcp)).size).toBe(tcp.answer.length)
  })

  test.each(['A', 'AAAA', 'HTTPS', 'SVCB', 'CNAME', 'TXT', 'MX', 'NS', 'SOA', 'CAA', 'DS', 'ANY'])(
    'K8 one CNAME with the scope of the leaf, whatever is asked: %s',
    type => {
      const go = ask(DESK, `${pick}-go.example.com`, { type, subnet: IN_A })
      const far = ask(DESK, `${pick}-go.example.com`, { type, subnet: '203.0.113.0/24' })
      const same = ask(DESK, `${pick}-same.example.com`, { type, subnet: IN_A })
      const one = expect.stringMatching(/^\S+ 30 CNAME h[123]\.example\.net$/)
      expect([go.answer, go.scope]).toEqual([[one], pick === 'hash' ? 24 : 20])
      expect([same.answer, same.scope]).toEqual([[one], pick === 'hash' ? 24 : 0])
      const other = `${pick}-go.example.com. 30 CNAME other.example.net`
      expect([far.answer, far.scope]).toEqual([[other], 5])
    },
  )

  test('K8 every host in time', () => {
    const seen = new Set<string>()
    for (let i = 0; i < 100; i += 1) {
      const answer = ask(DESK, `${pick}-same.example.com`, { subnet: `11.${i}.0.0/24` })
      seen.add(answer.answer[0]?.split(' ')[3] ?? '')
    }
    expect([...seen].sort()).toEqual(hosts)
  })
})
