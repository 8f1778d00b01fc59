/**
 * DNS cookies: the vectors of RFC 9018 Appendix A, its rules of time and secrets, and that nothing
 * but the address, the secret and the whole cookie makes one valid.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Address, address, setAddressText } from '../../server/dns/address.ts'
import { hex, hexText, viewOf } from '../../server/dns/octets.ts'
import {
  COOKIE,
  COOKIE_OPTION,
  type CookiePolicy,
  cookiePolicy,
  isCookieLength,
  jar,
  putCookie,
  takeCookie,
} from '../../server/guard/cookies.ts'

const WORDS = ['none', 'client', 'valid', 'invalid']

function addressOf(text: string): Address {
  const found = address()
  if (!setAddressText(found, text)) throw new Error(text)
  return found
}

function policyOf(...secrets: readonly string[]): CookiePolicy {
  return cookiePolicy({ enabled: true, secrets: secrets.map(hex), require: 'never' })
}

/** What is held of a cookie at a time, and the whole one that goes back. */
function exchanged(policy: CookiePolicy, cookie: string, from: string, at: number) {
  const now = Int32Array.of(at | 0)
  const own = jar()
  const octets = hex(cookie)
  const client = addressOf(from)
  const found = takeCookie(own, policy, octets, 0, octets.length, client, now)
  const out = new Uint8Array(COOKIE_OPTION)
  expect(putCookie(own, policy, viewOf(out), 0, client, now)).toBe(COOKIE_OPTION)
  expect(hexText(out.subarray(0, 4))).toBe('000a0018')
  return { found: WORDS[found], reply: hexText(out.subarray(4)) }
}

const SECRET = 'e5e973e5a6b2a43f48e7dc849e37bfcf'
const OLD = 'dd3bdf9344b678b185a6f5cb60fca715'
const NEW = '445536bcd2513298075a5d379663c962'
const SIX = '2001:db8:220:1:59de:d0f4:8769:82b8'

// A.3 calls valid what is two hours old, which §4.3 would not have: here it is too old.
// biome-ignore format: table
const APPENDIX_A = [
  ['A.1 learning a new one',         [SECRET],   '198.51.100.100', 1559731985, '2464c4abcf10c957',                                 'client', '2464c4abcf10c957010000005cf79f111f8130c3eee29480'],
  ['A.2 a renewed one',              [SECRET],   '198.51.100.100', 1559734385, '2464c4abcf10c957010000005cf79f111f8130c3eee29480', 'valid',  '2464c4abcf10c957010000005cf7a871d4a564a1442aca77'],
  ['A.3 reserved octets are hashed', [SECRET],   '203.0.113.203',  1559734700, 'fc93fc62807ddb8601abcdef5cf78f71a314227b6679ebf5', 'invalid', 'fc93fc62807ddb86010000005cf7a9acf73a7810aca2381e'],
  ['A.4 IPv6, a rolled-over secret', [NEW, OLD], SIX,              1559741961, '22681ab97d52c298010000005cf7c57926556bd0934c72f8', 'valid',  '22681ab97d52c298010000005cf7c609a6bb79d16625507a'],
] as const

describe('RFC 9018 Appendix A', () => {
  test.each(APPENDIX_A)('%s', (_, secrets, from, at, cookie, found, reply) => {
    expect(exchanged(policyOf(...secrets), cookie, from, at)).toEqual({ found, reply })
  })

  test('A.3 within the hour of §4.3 it is valid, and goes back without reserved octets later', () => {
    const [, [secret], from, , cookie] = APPENDIX_A[2]
    const made = 0x5cf78f71
    expect(exchanged(policyOf(secret), cookie, from, made + 3600).found).toBe('valid')
    const { reply } = exchanged(policyOf(secret), cookie, from, made + 1801)
    expect(reply.slice(16, 24)).toBe('01000000')
  })

  test('A.4 without the old secret it is not ours', () => {
    const [, , from, at, cookie] = APPENDIX_A[3]
    expect(exchanged(policyOf(NEW), cookie, from, at).found).toBe('invalid')
  })
})

const MADE = 1559731985
const WHOLE = '2464c4abcf10c957010000005cf79f111f8130c3eee29480'

// biome-ignore format: table
const TIMES = [
  ['§4.3 at once: it goes back as it is',    MADE,        'valid',   WHOLE],
  ['§4.3 half an hour old: likewise',        MADE + 1800, 'valid',   WHOLE],
  ['§4.3 older: a new one',                  MADE + 1801, 'valid',   undefined],
  ['§4.3 an hour old',                       MADE + 3600, 'valid',   undefined],
  ['§4.3 older than an hour',                MADE + 3601, 'invalid', undefined],
  ['§4.3 five minutes ahead',                MADE - 300,  'valid',   WHOLE],
  ['§4.3 further ahead',                     MADE - 301,  'invalid', undefined],
  ['§4.3 half the numbers away',             MADE + 2 ** 31, 'invalid', undefined],
] as const

describe('RFC 9018 time', () => {
  test.each(TIMES)('%s', (_, at, found, reply) => {
    const came = exchanged(policyOf(SECRET), WHOLE, '198.51.100.100', at)
    expect(came.found).toBe(found)
    if (reply === undefined) expect(came.reply).not.toBe(WHOLE)
    else expect(came.reply).toBe(reply)
    expect(exchanged(policyOf(SECRET), came.reply, '198.51.100.100', at).found).toBe('valid')
  })

  test('§4.3, RFC 1982 time goes on past 2³²', () => {
    const policy = policyOf(SECRET)
    const { reply } = exchanged(policy, '0102030405060708', '192.0.2.1', 2 ** 32 - 10)
    expect(exchanged(policy, reply, '192.0.2.1', 2 ** 32 + 100).found).toBe('valid')
    expect(exchanged(policy, reply, '192.0.2.1', 2 ** 32 + 3600).found).toBe('invalid')
  })
})

test('§5 a secret is rolled over: second, first, gone; clients notice nothing', () => {
  const ask = (policy: CookiePolicy, cookie: string) => exchanged(policy, cookie, '192.0.2.1', MADE)
  const before = ask(policyOf(OLD), '0102030405060708').reply
  const announced = ask(policyOf(OLD, NEW), before)
  expect(announced).toEqual({ found: 'valid', reply: before })
  const turned = ask(policyOf(NEW, OLD), before)
  expect(turned.found).toBe('valid')
  expect(ask(policyOf(OLD, NEW), turned.reply).found).toBe('valid') // a node that has not turned yet
  expect(ask(policyOf(NEW), turned.reply)).toEqual({ found: 'valid', reply: turned.reply })
  expect(ask(policyOf(NEW), before).found).toBe('invalid')
})

test('RFC 7873 §4 lengths: 8, and 16 to 40', () => {
  const fine = Array.from({ length: 60 }, (_, length) => length).filter(isCookieLength)
  expect(fine).toEqual([8, ...Array.from({ length: 25 }, (_, i) => 16 + i)])
})

// biome-ignore format: table
const STRANGE = [
  ['of another length',        `${WHOLE}00`],
  ['the shortest of others',   WHOLE.slice(0, 32)],
  ['of a version to come',     WHOLE.replace('01000000', '02000000')],
] as const

test.each(STRANGE)(
  'RFC 9018 §4 a server cookie %s is not ours, and the client is told a new one',
  (_, cookie) => {
    const { found, reply } = exchanged(policyOf(SECRET), cookie, '198.51.100.100', MADE)
    expect([found, reply.slice(0, 16)]).toEqual(['invalid', WHOLE.slice(0, 16)])
    expect(exchanged(policyOf(SECRET), reply, '198.51.100.100', MADE).found).toBe('valid')
  },
)

test('one bit changed anywhere, or another address, and it is invalid', () => {
  const policy = policyOf(SECRET)
  fc.assert(
    fc.property(fc.nat(24 * 8 - 1), bit => {
      const octets = hex(WHOLE)
      octets[bit >> 3]! ^= 1 << (bit & 7)
      expect(exchanged(policy, hexText(octets), '198.51.100.100', MADE).found).toBe('invalid')
    }),
    { numRuns: 500 },
  )
  for (const from of ['198.51.100.101', '::198.51.100.100', '2001:db8::1']) {
    expect(exchanged(policy, WHOLE, from, MADE).found).toBe('invalid')
  }
})

test('COOKIE numbers the words that are counted by', () => {
  expect(Object.keys(COOKIE)).toEqual(WORDS)
  expect(Object.values(COOKIE)).toEqual([0, 1, 2, 3])
})
