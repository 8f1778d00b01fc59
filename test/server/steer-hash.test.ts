/** Sticky clients: who gets which target, who moves when one leaves, and how far an answer holds. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Decision } from '../../server/steer/decision.ts'
import type { Rule } from '../../server/steer/rule.ts'
import type { Steering } from '../../server/steer/steering.ts'
import { addresses, asked, boardWith, chiSquare, counts, steered, words } from '../kit/draws.ts'
import { chosen, compiled, decide, network, octetsOf, pool, rule } from '../kit/steering.ts'

const CLIENTS = 10_000
/** Of ordinary space, each its own /24. */
const client = (i: number): string => `11.${i >> 8}.${i & 255}.0/24`

function targetsOf(steering: Steering, down: readonly string[] = []): string[] {
  return words(asked(steering, CLIENTS, { subnet: client, board: boardWith(steering, ...down) }))
}

describe('hash: rendezvous over weights by client quantum', () => {
  const steering = steered({ pick: 'hash' }, ...addresses(8))
  const before = targetsOf(steering)

  test('each target has its share (χ², 7 degrees, 99.9 %)', () => {
    const alike = Object.fromEntries([...'abcdefgh'].map(one => [one, 1]))
    expect(chiSquare(counts(before), alike)).toBeLessThan(24.4)
  })
  test('weights 1 / 2 / 5 have shares 1 / 2 / 5 (χ², 2 degrees, 99.9 %)', () => {
    const heavy = steered({ pick: 'hash' }, '192.0.2.1=1', '192.0.2.2=2', '192.0.2.3=5')
    expect(chiSquare(counts(targetsOf(heavy)), { a: 1, b: 2, c: 5 })).toBeLessThan(13.9)
  })
  test('the same client gets the same target, whoever asks, whenever', () => {
    for (const told of [{ peer: '203.0.113.7' }, { seed: 7 }]) {
      expect(words(asked(steering, 500, { subnet: client, ...told }))).toEqual(before.slice(0, 500))
    }
  })
  for (const [at, gone] of [...'abcdefgh'].entries()) {
    test(`${gone} goes down: its own clients move, at most 1/8 + 3 σ, and nobody else`, () => {
      const after = targetsOf(steering, [`c000020${at + 1}`])
      const moved = before.filter((target, i) => target !== after[i])
      expect(new Set(moved)).toEqual(new Set([gone]))
      const sigma = Math.sqrt(CLIENTS * (1 / 8) * (7 / 8))
      expect(moved.length).toBeLessThanOrEqual(CLIENTS / 8 + 3 * sigma)
      expect(moved.length).toBe(counts(before).get(gone))
      expect(after).not.toContain(gone)
    })
  }
  test('a target that is added takes clients, and gives none to others', () => {
    const after = targetsOf(steered({ pick: 'hash' }, ...addresses(9)))
    const moved = after.filter((target, i) => target !== before[i])
    expect(new Set(moved)).toEqual(new Set(['i']))
  })
  test('a weight that grows takes clients, and moves no others', () => {
    const heavier = addresses(8).map((one, i) => (i === 2 ? `${one}=3` : one))
    const after = targetsOf(steered({ pick: 'hash' }, ...heavier))
    const moved = after.filter((target, i) => target !== before[i])
    expect(new Set(moved)).toEqual(new Set(['c']))
  })
  test('the order in the file does not matter', () => {
    const backwards = steered({ pick: 'hash' }, ...addresses(8).reverse())
    expect(targetsOf(backwards)).toEqual(before)
  })
  test('three of eight: the first is the one alone, and each that leaves is replaced behind', () => {
    const three = steered({ pick: 'hash', answers: 3 }, ...addresses(8))
    const answers = targetsOf(three)
    expect(answers.map(answer => answer[0])).toEqual(before)
    const after = targetsOf(three, ['c0000201'])
    for (const [i, answer] of answers.entries()) {
      expect(after[i]?.startsWith(answer.replace('a', ''))).toBe(true)
    }
  })
  test('host names too: as many clients each (χ², 2 degrees, 99.9 %)', () => {
    const hosts = steered({ pick: 'hash' }, 'a.example.', 'b.example.', 'c.example.')
    const names = asked(hosts, CLIENTS, { subnet: client }).map(([one = '']) => one.slice(2, 4))
    expect(chiSquare(counts(names), { 61: 1, 62: 1, 63: 1 })).toBeLessThan(13.9)
  })
})

/** A rule whose network names special blocks: nothing around IPv4 in IPv6 is special any more. */
function named(): Steering {
  const blocks = ['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16']
  const { steering } = compiled({
    pools: [pool('p', ...addresses(8))],
    networks: [network('n', '::/8', ...blocks, '172.16.0.0/12', '192.168.0.0/16')],
    rules: [rule({ pick: 'hash', quantum: { ipv4: 24, ipv6: 8 }, networks: [[0, [0]]] })],
  })
  return steering
}

/** A rule whose network clients have pools of several targets, everybody else those told. */
function sticky(quantum?: Rule['quantum'], others: readonly number[] = [0]): Steering {
  const several = [...addresses(8), ...addresses(8, '2001:db8:5::')]
  const { steering, said } = compiled({
    pools: [pool('one', '192.0.2.99', '2001:db8:5::99'), pool('several', ...several)],
    networks: [
      network(
        'n',
        '198.51.100.128/26',
        '198.51.96.0/22',
        '2001:db8:8::/45',
        '2001:db8:19:ff00::/56',
      ),
    ],
    rules: [rule({ pick: 'hash', quantum, networks: [[0, [1]]], default: others })],
  })
  expect(said.problems).toEqual([])
  return steering
}

describe('scope: the leaf or the quantum, whichever is longer', () => {
  const split = sticky()
  const whole = steered({ pick: 'hash' }, ...addresses(8), ...addresses(8, '2001:db8:5::'))
  const fine = sticky({ ipv4: 28, ipv6: 60 })
  const single = steered({ pick: 'hash' }, '192.0.2.1')
  const plain = named()
  // biome-ignore format: table
  const TABLE = [
    // rule                                            steering  subnet                       scope
    ['the quantum of 24',                              whole,  '203.0.113.0/24',              24],
    ['the quantum of 48',                              whole,  '2a00:1:2:3400::/56',          48],
    ['longer than the quantum: still the quantum',     whole,  '203.0.113.7/32',              24],
    ['shorter: the quantum of the padded address',     whole,  '203.0.0.0/16',                24],
    ['shorter: the same of IPv6',                      whole,  '2a00::/20',                   48],
    ['SOURCE 0 tells nothing',                         whole,  '0.0.0.0/0',                   0],
    ['no subnet told',                                 whole,  '',                            0],
    ['a leaf longer than the quantum',                 split,  '198.51.100.130/32',           26],
    ['a leaf shorter than the quantum',                split,  '198.51.97.0/24',              24],
    ['an IPv6 leaf longer than the quantum',           split,  '2001:db8:19:ff00::/56',        56],
    ['an IPv6 leaf shorter than the quantum',          split,  '2001:db8:a:100::/56',         48],
    ['a ranking with one target: its leaf',            split,  '203.0.113.0/24',              5],
    ['one target, beside the network',                 split,  '198.51.101.0/24',             24],
    ['a quantum of 28',                                fine,   '198.51.97.0/24',              28],
    ['a quantum of 60',                                fine,   '2001:db8:a:100::/56',         60],
    ['one target in all: the same for everybody',      single, '203.0.113.0/24',              0],
    ['a special block is one',                         whole,  '10.1.2.0/24',                 8],
    ['a special block of IPv6',                        whole,  'fd00:1::/48',                 7],
    ['6to4: 16 and the quantum of IPv4',               whole,  '2002:cb00:7107::/48',         40],
    ['mapped: 96 and the quantum of IPv4',             whole,  '::ffff:203.0.113.7/128',      120],
    ['translated: 96 and the quantum of IPv4',         whole,  '64:ff9b::203.0.113.7/128',    120],
    ['6to4 with a leaf longer than that',              split,  '2002:c633:6482::/48',         42],
    ['special, beside the translated',                 whole,  '64:ff9b:0:1::/64',            64],
    ['a quantum of 8, but 6to4 is apart from 2003:',   plain,  '2003::/32',                   16],
    ['a quantum of 8, but 64:ff9b::/96 is apart',      plain,  '64:ff9b:0:1::/64',            64],
    ['a quantum of 8 where no IPv4 is',                plain,  '2a00::/32',                   8],
    ['nothing special: a named block',                 plain,  '10.1.2.0/24',                 24],
    ['a private address inside 6to4',                  whole,  '2002:a01:203::/48',           24],
  ] as const
  for (const [name, steering, subnet, expected] of TABLE) {
    test(`${name}: ${subnet || 'none'} is /${expected}`, () => {
      expect(decide(steering, subnet).scope).toBe(expected)
    })
  }
})

describe('IPv4 inside IPv6 gets what its IPv4 client gets', () => {
  const families = steered({ pick: 'hash' }, ...addresses(8))
  test('in 6to4, mapped and translated form, over 200 clients', () => {
    for (let i = 0; i < 200; i += 1) {
      const hex = Buffer.from(octetsOf(`11.${i}.7.0`)).toString('hex')
      const target = chosen(families, decide(families, `11.${i}.7.0/24`))
      const groups = `${hex.slice(0, 4)}:${hex.slice(4)}`
      for (const form of [
        `2002:${groups}::/48`,
        `::ffff:${groups}/128`,
        `64:ff9b::${groups}/128`,
      ]) {
        expect(chosen(families, decide(families, form))).toEqual(target)
      }
    }
  })
})

describe('nobody was told of: the source stands for its clients', () => {
  const steering = steered({ pick: 'hash' }, ...addresses(8))
  const from = (peer: string, subnet = '') => decide(steering, subnet, { peer })
  test('one /24, one target, and the scope is 0', () => {
    const targets = Array.from({ length: 50 }, (_, i) => from(`203.0.113.${i}`))
    expect(new Set(targets.map(made => chosen(steering, made).join())).size).toBe(1)
    expect(targets.every(made => made.scope === 0 && made.located === 'peer')).toBe(true)
  })
  test('the same target as the subnet of that address', () => {
    for (let i = 0; i < 50; i += 1) {
      expect(chosen(steering, from(`203.0.${i}.9`))).toEqual(
        chosen(steering, from('192.0.2.1', `203.0.${i}.0/24`)),
      )
    }
  })
  test('a source in a special block is told apart too', () => {
    const targets = Array.from({ length: 60 }, (_, i) => from(`10.0.${i}.1`))
    expect(new Set(targets.map(made => chosen(steering, made).join())).size).toBe(8)
    expect(targets.every(made => made.located === 'nobody' && made.scope === 0)).toBe(true)
  })
  test('a subnet in a special block: its source decides, the block is the scope', () => {
    const made = from('203.0.113.9', '10.1.2.0/24')
    expect(chosen(steering, made)).toEqual(chosen(steering, from('203.0.113.9')))
    expect(made).toMatchObject({ scope: 8, special: true, located: 'peer' })
  })
})

describe('P1 and P2: blocks are equal or disjoint, and one block has one target', () => {
  const QUANTA = [undefined, { ipv4: 4, ipv6: 8 }, { ipv4: 32, ipv6: 128 }, { ipv4: 17, ipv6: 33 }]
  /** Addresses where borders are: of networks, special and embedded blocks, and anywhere. */
  const STEMS = ['c63364', 'c633', '0a', '20010db80008', '2002', '0064ff9b', '0'.repeat(20), '']
  const address = (octets: number) =>
    fc
      .tuple(fc.constantFrom(...STEMS), fc.uint8Array({ minLength: octets, maxLength: octets }))
      .map(([stem, tail]) => {
        const head = Buffer.from(stem.slice(0, 2 * octets - 2), 'hex')
        return Buffer.concat([head, Buffer.from(tail)]).subarray(0, octets)
      })
  const CASES = QUANTA.flatMap((quantum, i) => [
    { name: `quantum ${i}`, steering: sticky(quantum) },
    { name: `quantum ${i}, everybody sticky`, steering: sticky(quantum, [1, 0]) },
  ])
  for (const { name, steering } of CASES) {
    for (const octets of [4, 16]) {
      test(`${name}, ${octets} octets`, () => {
        const pair = fc.tuple(address(octets), address(octets), fc.nat(8 * octets))
        fc.assert(
          fc.property(pair, ([one, other, kept]) => {
            expectApart(steering, one, near(one, other, kept))
          }),
          { numRuns: 200, seed: 11 },
        )
      })
    }
  }
})

/** The other address with the first `kept` bits of the one. */
function near(one: Buffer, other: Buffer, kept: number): Buffer {
  return Buffer.from(
    other.map((octet, at) => {
      const mask = 0xff & ~(0xff >> Math.min(8, Math.max(0, kept - 8 * at)))
      return ((one[at] ?? 0) & mask) | (octet & ~mask)
    }),
  )
}

function expectApart(steering: Steering, one: Buffer, other: Buffer): void {
  const [first, second] = [answerFor(steering, one), answerFor(steering, other)]
  const scope = Math.min(first.scope, second.scope)
  if (sharedBits(one, other) < scope) return
  expect(second.scope).toBe(first.scope)
  if (!first.special) expect(chosen(steering, second)).toEqual(chosen(steering, first))
}

function answerFor(steering: Steering, octets: Buffer): Decision {
  const text =
    octets.length === 4 ? octets.join('.') : octets.toString('hex').replace(/(.{4})(?!$)/g, '$1:')
  return decide(steering, `${text}/${8 * octets.length}`)
}

function sharedBits(one: Buffer, other: Buffer): number {
  const bits = (octets: Buffer) =>
    [...octets].map(octet => octet.toString(2).padStart(8, '0')).join('')
  const [a, b] = [bits(one), bits(other)]
  const differing = [...a].findIndex((bit, at) => bit !== b[at])
  return differing === -1 ? a.length : differing
}
