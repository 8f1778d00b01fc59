/** What is asked beside the measurement: malformed options octet by octet, and which questions. */
import { describe, expect, test } from 'vitest'
import { encodeQuery, subnetOption } from '../../probe/ask/query.ts'
import { hostileQuestions, privateQuestions, signingQuestions } from '../../probe/plan/extra.ts'
import type { Subnet } from '../../probe/plan/question.ts'
import { readSubnet } from '../../probe/plan/subnet.ts'
import { isWrong } from '../../probe/plan/wrong.ts'

const SUBJECT = { name: 'www.example.com', type: 'A' }
const V4 = subnet('198.51.100.0/24')
const V6 = subnet('2001:db8:5::/56')

function subnet(text: string): Subnet {
  const read = readSubnet(text, 'any')
  if (isWrong(read)) throw new Error(read.wrong)
  return read
}

const hex = (octets: Uint8Array): string => Buffer.from(octets).toString('hex')

describe('RFC 7871 §6 what no client may send', () => {
  // biome-ignore format: table
  const TABLE = [
    // clause                                        kind               family src scp address
    ['a bit set past SOURCE',                        'host-bits',       '0001 14 00 c63365'],
    ['an octet too few',                             'too-few-octets',  '0001 18 00 c633'],
    ['an octet too many',                            'too-many-octets', '0001 18 00 c6336400'],
    ['SOURCE past the end of an address',            'source-too-long', '0001 21 00 c633640000'],
    ['§7.2.1 an unknown FAMILY',                     'unknown-family',  '0003 18 00 c63364'],
    ['SCOPE is 0 in a query',                        'scope-set',       '0001 18 18 c63364'],
  ] as const
  const questions = hostileQuestions(SUBJECT, [V4], 4)
  for (const [rule, kind, option] of TABLE) {
    test(rule, () => {
      const found = questions.find(one => one.subnet?.malformed === kind)?.subnet ?? V4
      expect(hex(subnetOption(found))).toBe(option.replaceAll(' ', ''))
    })
  }
  test('each once, as they stand in the query', () => {
    expect(questions.map(one => one.subnet?.malformed)).toEqual(TABLE.map(([, kind]) => kind))
    const [first] = questions
    const query = {
      id: 1,
      name: 'a.test',
      type: 'A',
      recursion: 'not-desired',
      size: 1232,
    } as const
    expect(hex(encodeQuery({ ...query, subnet: first?.subnet }))).toContain(
      '0008000700011400c63365',
    )
  })
  test('IPv6', () => {
    const lengths = hostileQuestions(SUBJECT, [V6], 4).map(one => one.subnet?.data?.length)
    expect(lengths).toEqual([11, 10, 12, 21, 11, 11])
  })
})

describe('private subnets', () => {
  const texts = (panel: readonly Subnet[]) =>
    privateQuestions(SUBJECT, panel, 4).map(one => one.subnet?.text)
  test('RFC 1918, three times', () => expect(texts([V4])).toEqual(Array(3).fill('10.53.0.0/24')))
  test('RFC 4193 where the panel has IPv6', () => {
    expect(new Set(texts([V4, V6]))).toEqual(new Set(['10.53.0.0/24', 'fd00::/56']))
  })
})

test('types of DNSSEC once each, for one subnet', () => {
  expect(signingQuestions(SUBJECT, [V4, V6], 4)).toMatchObject(
    ['DNSKEY', 'DS', 'NSEC'].map(type => ({ name: SUBJECT.name, type, subnet: V4 })),
  )
})
