/** SipHash-2-4 against the vectors of its authors: the key 00 … 0f, the message 00 01 02 … */
import { expect, test } from 'vitest'
import { hex, hexText } from '../../server/dns/octets.ts'
import { keyWords, sip, siphash24 } from '../../server/dns/siphash.ts'

const KEY = Int32Array.from(keyWords(hex('000102030405060708090a0b0c0d0e0f')))
const MESSAGE = Uint8Array.from({ length: 64 }, (_, i) => i)

// biome-ignore format: table
const VECTORS = [
  // octets, hash: https://github.com/veorq/SipHash, vectors.h
  [0,  '310e0edd47db6f72'],
  [4,  'b7877127e09427cf'],
  [8,  '6224939a79f5f593'],
  [12, 'fbe50e86bc8f1e75'],
  [16, 'db9bc2577fcc2a3f'],
] as const

test.each(VECTORS)('%i octets', (length, expected) => {
  const state = sip()
  siphash24(state, KEY, 0, MESSAGE, length)
  expect(hexText(new Uint8Array(state.buffer, 0, 8))).toBe(expected)
})

test('the key begins where it is said to, and what was hashed before leaves nothing', () => {
  const state = sip()
  const keys = Int32Array.of(1, 2, 3, 4, ...KEY)
  siphash24(state, keys, 0, MESSAGE, 16)
  siphash24(state, keys, 4, MESSAGE, 8)
  expect(hexText(new Uint8Array(state.buffer, 0, 8))).toBe('6224939a79f5f593')
})
