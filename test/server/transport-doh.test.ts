import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hex } from '../../server/dns/octets.ts'
import { askingOf, fromBase64url, lifetime, type Request } from '../../server/transport/doh.ts'

/** The query of RFC 8484 §4.1.1: www.example.com A, ID 0, RD. */
const EXAMPLE = 'AAABAAABAAAAAAAAA3d3dwdleGFtcGxlA2NvbQAAAQAB'
const LONG = 'A'.repeat(8196)
const POST = { method: 'POST', target: '/dns-query', type: 'application/dns-message' }

// biome-ignore format: table
const REQUESTS = [
  // rule                                                   request                                                                   what it asks
  ['§4.1.1 GET',                                            { target: `/dns-query?dns=${EXAMPLE}` },                                  'message'],
  ['§4.1 HEAD is asked as GET is',                          { method: 'HEAD', target: `/dns-query?dns=${EXAMPLE}` },                  'message'],
  ['other variables beside it',                             { target: `/dns-query?ct&dns=${EXAMPLE}&x=1` },                           'message'],
  ['§6 no padding',                                         { target: '/dns-query?dns=AAABAAABAAAAAAAAA3d3dwdleGFtcGxlA2NvbQAAAQABAA==' }, 400],
  ['RFC 4648 §5 neither + nor /',                           { target: '/dns-query?dns=AAABAAABAAAAAAAAA3d3dwdleGFtcGxl+2NvbQAAAQAB' }, 400],
  ['no query',                                              { target: '/dns-query' },                                                 400],
  ['no variable dns',                                       { target: '/dns-query?name=www.example.com' },                            400],
  ['dns twice',                                             { target: `/dns-query?dns=${EXAMPLE}&dns=${EXAMPLE}` },                   400],
  ['an empty message',                                      { target: '/dns-query?dns=' },                                            400],
  ['shorter than a header',                                 { target: '/dns-query?dns=AAABAAABAAAAAA' },                              400],
  ['RFC 9110 §15.5.15 too long for a path',                 { target: `/dns-query?dns=${LONG}` },                                     414],
  ['another path',                                          { target: `/other?dns=${EXAMPLE}` },                                      404],
  ['a path below',                                          { target: `/dns-query/?dns=${EXAMPLE}` },                                 404],
  ['§4.1 POST: a body follows',                             { ...POST, length: '33' },                                                'body'],
  ['POST without a length',                                 POST,                                                                     'body'],
  ['RFC 9110 §8.3.1 parameters, and any case',              { ...POST, type: 'Application/DNS-Message; v=1' },                         'body'],
  ['the longest message',                                   { ...POST, length: '65535' },                                             'body'],
  ['RFC 9110 §15.5.14 longer than a message',               { ...POST, length: '65536' },                                             413],
  ['§6 another type',                                       { ...POST, type: 'application/json' },                                    415],
  ['no type',                                               { ...POST, type: undefined },                                             415],
  ['RFC 9110 §15.5.6 another method',                       { method: 'PUT', target: '/dns-query' },                                  405],
  ['another method at another path',                        { method: 'PUT', target: '/' },                                           404],
] as const

describe('requests', () => {
  for (const [rule, request, expected] of REQUESTS) {
    test(`RFC 8484 ${rule}: ${expected}`, () => {
      const whole: Request = { method: 'GET', type: undefined, length: undefined, ...request }
      const asking = askingOf(whole, '/dns-query')
      expect(asking.kind === 'refused' ? asking.status : asking.kind).toBe(expected)
    })
  }

  test('RFC 8484 §4.1.1 the message of its example', () => {
    const target = `/dns-query?dns=${EXAMPLE}`
    const request = { method: 'GET', target, type: undefined, length: undefined }
    expect(askingOf(request, '/dns-query')).toEqual({
      kind: 'message',
      message: Buffer.from(
        '00000100000100000000000003777777076578616d706c6503636f6d0000010001',
        'hex',
      ),
    })
  })
})

// biome-ignore format: table
const TEXTS = [
  ['RFC 4648 §10',                    'Zm9vYmFy', '666f6f626172'],
  ['RFC 4648 §10 without padding',    'Zm8',      '666f'],
  ['- and _ are 62 and 63',           '-_8',      'fbff'],
  ['nothing',                         '',         ''],
  ['a length that there is not',      'Zm9vY',    undefined],
  ['padding',                         'Zm8=',     undefined],
  ['§3.5 stray bits',                 'Zm9',      undefined],
  ['a blank',                         'Zm 8',     undefined],
  ['the other alphabet',              '+/8',      undefined],
  ['a letter beyond ASCII',           'Zmé8',     undefined],
] as const

describe('base64url', () => {
  for (const [rule, text, octets] of TEXTS) {
    test(`${rule}: ${text}`, () => {
      const read = fromBase64url(text)
      expect(read && Buffer.from(read).toString('hex')).toBe(octets)
    })
  }
})

const QUESTION = '03777777 07657861 6d706c65 03636f6d 00 0001 0001'
const A = (ttl: string) => `c00c 0001 0001 ${ttl} 0004 c0000201`
const SOA = (ttl: string, minimum: string) =>
  `c010 0006 0001 ${ttl} 0018 c010 c010 00000001 00000e10 00000384 00093a80 ${minimum}`
const NS = (ttl: string) => `c010 0002 0001 ${ttl} 0002 c00c`
const OPT = '00 0029 04d0 00000000 0000'

// biome-ignore format: table
const LIFETIMES = [
  // §5.1                                         flags, counts                     records                                             seconds
  ['one answer',                                  '8400 0001 0001 0000 0000',       A('0000003c'),                                      60],
  ['the least of several',                        '8400 0001 0003 0000 0000',       `${A('0000003c')}${A('0000001e')}${A('00000258')}`, 30],
  ['authorities and OPT do not count',            '8400 0001 0001 0001 0001',       `${A('0000003c')}${NS('00000001')}${OPT}`,          60],
  ['a TTL of 0',                                  '8400 0001 0001 0000 0000',       A('00000000'),                                      0],
  ['NXDOMAIN: MINIMUM',                           '8403 0001 0000 0001 0000',       SOA('00000e10', '0000012c'),                        300],
  ['RFC 2308 §5 NXDOMAIN: the TTL of the SOA',    '8403 0001 0000 0001 0000',       SOA('0000003c', '0000012c'),                        60],
  ['no data',                                     '8400 0001 0000 0001 0001',       `${SOA('00000e10', '0000012c')}${OPT}`,             300],
  ['the SOA behind another authority',            '8400 0001 0000 0002 0000',       `${NS('00000001')}${SOA('00000e10', '0000012c')}`,  300],
  ['a referral has neither',                      '8000 0001 0000 0001 0000',       NS('00000e10'),                                     0],
  ['SERVFAIL',                                    '8402 0001 0001 0000 0000',       A('0000003c'),                                      0],
  ['REFUSED',                                     '8005 0001 0000 0000 0000',       '',                                                 0],
] as const

describe('how long a reply may be kept', () => {
  for (const [rule, head, records, seconds] of LIFETIMES) {
    test(`RFC 8484 §5.1 ${rule}`, () => {
      const reply = hex(`0000 ${head} ${QUESTION} ${records}`.replaceAll(' ', ''))
      expect(lifetime(reply)).toBe(seconds)
    })
  }

  test('any octets behind a header: no throw, and a whole number from 0', () => {
    const replies = fc.uint8Array({ minLength: 12, maxLength: 200 })
    fc.assert(
      fc.property(replies, reply => {
        expect(lifetime(reply)).toBeGreaterThanOrEqual(0)
        expect(Number.isInteger(lifetime(reply))).toBe(true)
      }),
      { numRuns: 3000 },
    )
  })
})
