import { describe, expect, test } from 'vitest'
import { problemText } from '../../server/fault.ts'
import type { Policy as Whole } from '../../server/steer/rule.ts'
import { hasFamily } from '../../server/steer/steering.ts'
import { chosen, compiled, decide, network, pool, rule } from '../kit/steering.ts'

const BOTH = pool('both', '192.0.2.1', '2001:db8::1')
const IPV4 = pool('ipv4', '192.0.2.2')
const IPV6 = pool('ipv6', '2001:db8::2')
const HOST = pool('host', 'cdn.example.net.')
const AGAIN = pool('again', '192.0.2.9')

type Policy = Partial<Whole>

type Row = readonly [name: string, policy: Policy, problems: readonly string[]]

function problems(table: readonly Row[]): void {
  for (const [name, policy, expected] of table) {
    test(name, () => expect(compiled(policy).said.problems.map(problemText)).toEqual(expected))
  }
}

/** Pools 0 and 1; network 0 prefers pool 1. */
function split(first: typeof BOTH, second: typeof BOTH): Policy {
  const networks = [network('n', '198.51.100.0/24')]
  return { pools: [first, second], networks, rules: [rule({ networks: [[0, [1]]] })] }
}

describe('K5 BC-018 a type is there for all clients or for none', () => {
  const HINT = 'target there, or a pool with one: caches keep "none" for all'
  problems([
    ['both families everywhere', split(BOTH, pool('x', '192.0.2.3', '2001:db8::3')), []],
    ['one family everywhere', split(IPV4, AGAIN), []],
    [
      'IPv6 for the default alone',
      split(BOTH, IPV4),
      [
        'rules:1:1: www.example.com. has IPv6 addresses for some clients, but none in ipv4 · ' +
          `add an IPv6 ${HINT}`,
      ],
    ],
    [
      'each its own family',
      split(IPV4, IPV6),
      [
        'rules:1:1: www.example.com. has IPv4 addresses for some clients, but none in ipv6 · ' +
          `add an IPv4 ${HINT}`,
        'rules:1:1: www.example.com. has IPv6 addresses for some clients, but none in ipv4 · ' +
          `add an IPv6 ${HINT}`,
      ],
    ],
    [
      'a second pool of the ranking mends it',
      {
        pools: [BOTH, IPV4],
        networks: [network('n', '198.51.100.0/24')],
        rules: [rule({ networks: [[0, [1, 0]]] })],
      },
      [],
    ],
    [
      'a branch that nobody takes does not count',
      { pools: [BOTH, IPV4], networks: [], rules: [rule({ countries: { DE: [1] } })] },
      [],
    ],
    [
      'a default that all of both families hide does not count',
      {
        pools: [BOTH, IPV4],
        networks: [network('n', '0.0.0.0/0', '::/0')],
        rules: [rule({ networks: [[0, [0]]], default: [1] })],
      },
      [],
    ],
  ])
  test('NODATA where no pool has the family', () => {
    const { steering } = compiled(split(IPV4, AGAIN))
    expect([hasFamily(steering, 0, 4), hasFamily(steering, 0, 6)]).toEqual([true, false])
  })
})

describe('the last resort answers for all clients too', () => {
  const resort = (last: typeof BOTH): Policy => ({
    pools: [BOTH, last],
    rules: [rule({ all: [0], lastResort: { kind: 'pool', pool: 1 } })],
  })
  problems([
    ['with both families', resort(pool('x', '192.0.2.3', '2001:db8::3')), []],
    [
      'without IPv6',
      resort(IPV4),
      [
        'rules:1:1: www.example.com. has IPv6 addresses for some clients, but none in ipv4 · ' +
          'add an IPv6 target there, or a pool with one: caches keep "none" for all',
      ],
    ],
    [
      'with a host name',
      resort(HOST),
      [
        'rules:1:1: www.example.com. mixes host names (host) and addresses (both) · ' +
          'use pools of one kind: a CNAME stands alone (RFC 1034 §3.6.2)',
      ],
    ],
  ])
})

describe('addresses or a host name, never both', () => {
  const alone = (only: typeof BOTH): Policy => ({
    pools: [only],
    networks: [],
    rules: [rule({ all: [0] })],
  })
  problems([
    ['host names alone', alone(pool('hosts', 'a.example.net.', 'b.example.net.')), []],
    [
      'in one pool',
      alone(pool('mixed', '192.0.2.1', 'a.example.net.')),
      [
        'pools:1:1: pool mixed has both addresses and host names · ' +
          'make two pools of it: an answer is one or the other',
        'rules:1:1: www.example.com. mixes host names (mixed) and addresses (mixed) · ' +
          'use pools of one kind: a CNAME stands alone (RFC 1034 §3.6.2)',
      ],
    ],
    [
      'in one rule',
      split(BOTH, HOST),
      [
        'rules:1:1: www.example.com. mixes host names (host) and addresses (both) · ' +
          'use pools of one kind: a CNAME stands alone (RFC 1034 §3.6.2)',
      ],
    ],
    [
      'a pool without targets',
      alone(pool('bare')),
      ['pools:1:1: pool bare has no targets · give it one, or remove the pool'],
    ],
  ])
  test('a host name answers for every family', () => {
    const { steering } = compiled(alone(HOST))
    const made = decide(steering, '', { family: 6 })
    expect(made).toMatchObject({ alias: true, count: 1, scope: 0, ttl: 30, located: 'nobody' })
    expect(hasFamily(steering, 0, 4) && hasFamily(steering, 0, 6)).toBe(true)
    const wire = Buffer.from('\x03cdn\x07example\x03net\x00', 'latin1').toString('hex')
    expect(chosen(steering, made)).toEqual([wire])
  })
})

describe('networks', () => {
  const twice = (second: readonly number[], ...prefixes: readonly string[]): Policy => ({
    pools: [BOTH, pool('x', '192.0.2.3', '2001:db8::3')],
    networks: [network('a', '198.51.100.0/24', '2001:db8::/32'), network('b', ...prefixes)],
    rules: [
      rule({
        networks: [
          [0, [0]],
          [1, second],
        ],
      }),
    ],
  })
  const clash = (prefixes: string): string =>
    `rules:2:1: ${prefixes} is in a and b, which have different rankings · ` +
    'take it out of one, or give both the same ranking'
  const embedded = (prefix: string, block: string, fix: string): string =>
    `b:1:1: ${prefix} is an IPv4 network inside ${block} · ${fix}`
  problems([
    [
      'one prefix in two, other rankings',
      twice([1], '9.0.0.0/8', '198.51.100.0/24'),
      [clash('198.51.100.0/24')],
    ],
    ['the same in IPv6', twice([1], '2001:db8::/32'), [clash('2001:db8::/32')]],
    [
      'two prefixes in two, said once',
      twice([1], '2001:db8::/32', '198.51.100.0/24'),
      [clash('198.51.100.0/24 (and 1 more)')],
    ],
    ['one prefix in two, the same ranking', twice([0], '198.51.100.0/24'), []],
    ['one inside the other', twice([1], '198.51.100.0/25', '198.51.0.0/16'), []],
    ['twice in one network', twice([1], '9.0.0.0/8', '9.0.0.0/8'), []],
    [
      'mapped',
      twice([1], '::ffff:198.51.100.0/120'),
      [
        embedded(
          '::ffff:198.51.100.0/120',
          '::ffff:0.0.0.0/96',
          'write it as IPv4: 198.51.100.0/24',
        ),
      ],
    ],
    [
      'all that is mapped',
      twice([1], '::ffff:0:0/96'),
      [embedded('::ffff:0.0.0.0/96', '::ffff:0.0.0.0/96', 'write it as IPv4: 0.0.0.0/0')],
    ],
    [
      'translated',
      twice([1], '64:ff9b::c633:6400/120'),
      [embedded('64:ff9b::c633:6400/120', '64:ff9b::/96', 'write it as IPv4: 198.51.100.0/24')],
    ],
    [
      '6to4',
      twice([1], '2002:c633:6400::/40'),
      [embedded('2002:c633:6400::/40', '2002::/16', 'write it as IPv4: 198.51.100.0/24')],
    ],
    [
      '6to4, a subnet of one host',
      twice([1], '2002:c633:6401:1::/64'),
      [embedded('2002:c633:6401:1::/64', '2002::/16', 'write its address as IPv4 /32')],
    ],
    ['wider than those', twice([1], '::/0', '2000::/3', '2002::/15'), []],
  ])
  test('deeper than resolvers tell is a warning, one for each network and family', () => {
    const { said } = compiled(twice([1], '9.0.0.0/25', '9.1.0.0/32', '9.2.0.0/24', '2001:db8::/64'))
    expect(said.warnings.map(problemText)).toEqual([
      'b:1:1: 9.0.0.0/25 (and 1 more) in b is longer than /24 · ' +
        'public resolvers tell at most /24 of a client; shorten it if you can',
      'b:4:1: 2001:db8::/64 in b is longer than /56 · ' +
        'public resolvers tell at most /56 of a client; shorten it if you can',
    ])
  })
})

describe('BC-096 a target twice counts once', () => {
  const { steering, said } = compiled({
    pools: [pool('p', '192.0.2.10', '192.0.2.10=5', '192.0.2.11')],
    networks: [],
    rules: [rule({ all: [0] })],
  })
  test('with a warning', () => {
    expect(said.warnings.map(problemText)).toEqual([
      'pools:1:1: pool p has 192.0.2.10 twice; it counts once · remove one of them',
    ])
  })
  test('and is given once', () => {
    expect(chosen(steering, decide(steering, '')).sort()).toEqual(['c000020a', 'c000020b'])
  })
  test('host names alike but for case', () => {
    const pools = [pool('p', 'cdn.example.net.', 'CDN.example.NET.')]
    const policy = { pools, networks: [], rules: [rule({ all: [0] })] }
    expect(compiled(policy).said.warnings).toHaveLength(1)
  })
})

describe('sharing', () => {
  const networks = [network('n', '198.51.100.0/24'), network('m', '203.0.113.0/24')]
  const pools = [BOTH, pool('x', '192.0.2.3', '2001:db8::3')]
  test('rules that choose alike have one partition, however they are written', () => {
    const { steering } = compiled({
      pools,
      networks,
      rules: [
        rule({
          networks: [
            [0, [0]],
            [1, [1]],
          ],
          countries: { DE: [0], FR: [1] },
        }),
        rule({
          networks: [
            [1, [1]],
            [0, [0, 0]],
          ],
          countries: { FR: [1], DE: [0] },
          pick: 'rotate',
        }),
        rule({
          networks: [
            [1, [0]],
            [0, [1]],
          ],
        }),
      ],
    })
    expect([...steering.shape]).toEqual([0, 0, 1])
  })
  test('rules that part clients alike have one partition, and each its own pools', () => {
    const { steering } = compiled({
      pools,
      networks,
      rules: [rule({ default: [1], networks: [[0, [0]]] }), rule({ networks: [[0, [1]]] })],
    })
    expect([...steering.shape]).toEqual([0, 0])
    const inside = [0, 1].map(slot =>
      chosen(steering, decide(steering, '198.51.100.0/24', { slot })),
    )
    expect(inside).toEqual([['c0000201'], ['c0000203']])
    const outside = [0, 1].map(slot => chosen(steering, decide(steering, '192.0.2.0/24', { slot })))
    expect(outside).toEqual([['c0000203'], ['c0000201']])
  })
  test('all of it can be handed to a thread', () => {
    const { steering } = compiled({ pools, networks, rules: [rule({ networks: [[0, [1]]] })] })
    expect(structuredClone(steering)).toEqual(steering)
    expect(steering.cells.buffer).toBeInstanceOf(SharedArrayBuffer)
  })
})
