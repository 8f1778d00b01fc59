/** The block that decides, whose address it was of, and the hashes that later choices draw by. */
import { describe, expect, test } from 'vitest'
import type { Decision } from '../../server/steer/decision.ts'
import { clientKey, sourceKey } from '../../server/steer/draws.ts'
import { apartBits, embeddedBits } from '../../server/steer/special.ts'
import { compiled, decide, network, octetsOf, pool, rule } from '../kit/steering.ts'

const { steering } = compiled({
  pools: [pool('D', '192.0.2.1'), pool('A', '192.0.2.2')],
  networks: [network('a', '198.51.100.0/24', '2001:db8::/32', '10.7.0.0/16')],
  rules: [rule({ networks: [[0, [1]]] }), rule({ owner: 'all.', all: [0] })],
})

describe('where an answer comes from', () => {
  // biome-ignore format: table
  const TABLE = [
    // rule                                    slot subnet                  peer           located   family bits scope special
    ['the subnet told',                        0, '198.51.100.9/32',      '192.0.2.53',  'subnet',  4, 24, 24, false],
    ['the subnet told, IPv6',                  0, '2001:db8:1::/48',      '192.0.2.53',  'subnet',  6, 32, 32, false],
    ['another family than the peer',           0, '198.51.100.0/24',      '2001:db8::1', 'subnet',  4, 24, 24, false],
    ['none told: the peer, and scope 0',       0, '',                     '198.51.100.9', 'peer',   4, 24, 0,  false],
    ['SOURCE 0: the peer, and scope 0',        0, '0.0.0.0/0',            '198.51.100.9', 'peer',   4, 24, 0,  false],
    ['a special subnet: the peer',             0, '127.0.0.1/32',         '198.51.100.9', 'peer',   4, 24, 8,  true],
    ['a named network in a special block',     0, '10.7.1.0/24',          '192.0.2.53',  'subnet',  4, 16, 16, false],
    ['beside it: special, as far as it',       0, '10.6.0.0/16',          '192.0.2.53',  'peer',    4, 9,  16, true], // 192.168.0.0/16 is in the other half of that /8
    ['a special peer: nobody',                 0, '',                     '192.168.0.1', 'nobody',  0, 0,  0,  false],
    ['both special: nobody',                   0, '127.0.0.1/32',         '192.168.0.1', 'nobody',  0, 0,  8,  true],
    ['not tailored: nobody',                   1, '198.51.100.0/24',      '192.0.2.53',  'nobody',  0, 0,  0,  false],
  ] as const
  for (const [name, slot, subnet, peer, located, blockFamily, blockBits, scope, special] of TABLE) {
    test(name, () => {
      const made = decide(steering, subnet, { slot, peer })
      expect(made).toMatchObject({ located, blockFamily, blockBits, scope, special })
    })
  }
})

describe('the key is of the block that decided', () => {
  const keyOf = (subnet: string, told: { peer?: string; slot?: number } = {}) =>
    clientKey(decide(steering, subnet, told))
  // biome-ignore format: table
  const SAME = [
    ['one block, two clients',          keyOf('198.51.100.0/25'),  keyOf('198.51.100.200/32')],
    ['one block, subnet and peer',      keyOf('198.51.100.0/24'),  keyOf('', { peer: '198.51.100.9' })],
    ['6to4 as its IPv4',                keyOf('198.51.100.0/24'),  keyOf('2002:c633:6400::/48')],
    ['mapped as its IPv4',              keyOf('198.51.100.0/24'),  keyOf('::ffff:198.51.100.7/128')],
    ['nobody is nobody',                keyOf('', { peer: '10.0.0.1' }), keyOf('198.51.100.0/24', { slot: 1 })],
  ] as const
  for (const [name, one, other] of SAME) test(`the same: ${name}`, () => expect(one).toBe(other))

  test('two blocks, two keys: by address, by length and by family', () => {
    const subnets = [
      '198.51.100.0/24',
      '198.51.101.0/24',
      '198.51.102.0/24',
      '2001:db8::/32',
      '10.7.0.0/16',
    ]
    expect(new Set(subnets.map(subnet => keyOf(subnet))).size).toBe(5)
  })
  test('keys are signed integers of 32 bits', () => {
    const keys = (made: Decision) => [clientKey(made), sourceKey(made)]
    for (let i = 0; i < 200; i += 1) {
      for (const key of keys(decide(steering, `${i + 1}.2.3.0/24`, { peer: `192.0.${i}.1` }))) {
        expect(key).toBe(key | 0)
      }
    }
  })
})

describe('IPv4 inside IPv6', () => {
  // biome-ignore format: table
  const TABLE = [
    // address                 embedded  bits of 48 and of 8 without embedded IPv4 in them
    ['::ffff:1.2.3.4',         96,       undefined],
    ['64:ff9b::1.2.3.4',       96,       undefined],
    ['2002:102:304::1',        16,       undefined],
    ['2001:db8::1',            0,        [48, 15]], // 2001 and 2002 part at the 15th bit
    ['2a00::1',                0,        [48, 8]],
    ['::1',                    0,        [81, 81]], // as far as ::ffff:0:0 has zeros, and one more
    ['64:ff9b:0:1::',          0,        [64, 64]],
    ['64:ff9b:1::',            0,        [48, 48]],
    ['::fffe:1.2.3.4',         0,        [96, 96]],
  ] as const
  for (const [text, embedded, apart] of TABLE) {
    test(text, () => {
      const octets = octetsOf(text)
      expect(embeddedBits(octets)).toBe(embedded)
      if (apart) expect([apartBits(octets, 48), apartBits(octets, 8)]).toEqual(apart)
    })
  }
})
