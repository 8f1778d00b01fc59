import { describe, expect, test } from 'vitest'
import { addresses, steered } from '../kit/draws.ts'
import { decide } from '../kit/steering.ts'

describe('as many as fit 1232 octets', () => {
  // 1232 − 12 header − owner − 4 − 11 OPT − 24 subnet − 28 cookie − 64 spare, by 16 or 28 octets
  // biome-ignore format: table
  const TABLE = [
    ['A, an owner of 17',      'www.example.com.', {},                              4, 67],
    ['AAAA, an owner of 17',   'www.example.com.', {},                              6, 38],
    ['A, a wildcard',          '*.example.com.',   {},                              4, 52],
    ['A, told to truncate',    'www.example.com.', { truncate: true },              4, 200],
    ['A, fewer asked for',     'www.example.com.', { answers: 8 },                  4, 8],
    ['A, more asked for',      'www.example.com.', { answers: 100 },                4, 67],
    ['A, more, and truncate',  'www.example.com.', { answers: 100, truncate: true }, 4, 100],
  ] as const
  const targets = [...addresses(200), ...addresses(200, '2001:db8::')]
  for (const [name, owner, text, family, expected] of TABLE) {
    test(name, () => {
      const steering = steered({ owner, ...text }, ...targets)
      expect(decide(steering, '', { family }).count).toBe(expected)
    })
  }
  test('told to truncate: as many as fit a TCP message, or there would be no answer at all', () => {
    const many = Array.from({ length: 5000 }, (_, i) => `10.0.${i >> 8}.${i & 255}`)
    const steering = steered({ truncate: true }, ...many)
    expect(decide(steering, '').count).toBe(3740) // 60,000 octets less the same
  })
  test('BC-099 a pool of sixty is given whole', () => {
    expect(decide(steered({}, ...addresses(60)), '').count).toBe(60)
  })
})
