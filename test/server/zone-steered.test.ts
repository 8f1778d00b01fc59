/** Steered owners laid over zones. */
import { expect, test } from 'vitest'
import { canonical, nameFromText } from '../../server/dns/name.ts'
import { TYPE } from '../../server/dns/rrtype.ts'
import { isWrong } from '../../server/fault.ts'
import type { SteeredOwner } from '../../server/zone/compile.ts'
import { FLAG, glueFrom, glueTo, nodeFlags } from '../../server/zone/zones.ts'
import { FIXTURE, findingText, findText, loadText } from '../kit/zone-text.ts'

function steer(
  text: string,
  slot: number,
  answers: SteeredOwner['answers'] = 'addresses',
  ...services: readonly number[]
): SteeredOwner {
  const owner = nameFromText(text, undefined)
  if (isWrong(owner)) throw new Error(owner.wrong)
  const at = { file: 'lbdns.yaml', line: slot, column: 3 }
  const types = [TYPE.A, TYPE.AAAA, ...services]
  return { owner: canonical(owner), slot, answers, types, tailored: slot > 5, at }
}

const { HTTPS, SVCB } = TYPE

// clause, text after the fixture, steered owners, questions and findings
// biome-ignore format: table
const TABLE = [
  ['addresses of a name that is only steered', '', [steer('lb.example.com.', 1)],
    [['LB.example.com.', 'A', 'steered 1'], ['lb.example.com.', 'AAAA', 'steered 1'], ['lb.example.com.', 'TXT', 'no-data'], ['lb.example.com.', 'ANY', 'any'], ['x.lb.example.com.', 'A', 'no-name']]],
  ['BC-069 empty non-terminals above it', '', [steer('x.y.geo.example.com.', 2)],
    [['y.geo.example.com.', 'A', 'no-data'], ['geo.example.com.', 'A', 'no-data'], ['z.geo.example.com.', 'A', 'no-name']]],
  ['other types stay', 'lb TXT "t"\n', [steer('lb.example.com.', 1)],
    [['lb.example.com.', 'TXT', 'answer | lb.example.com. 300 TXT "t"'], ['lb.example.com.', 'A', 'steered 1'], ['lb.example.com.', 'ANY', 'any | lb.example.com. 300 TXT "t"']]],
  ['the apex', '', [steer('example.com.', 1)], [['example.com.', 'A', 'steered 1'], ['example.com.', 'MX', 'no-data']]],
  ['a wildcard', '', [steer('*.w.example.com.', 3)], [['a.b.w.example.com.', 'A', 'steered 3'], ['w.example.com.', 'A', 'no-data'], ['a.w.example.com.', 'MX', 'no-data']]],
  ['a wildcard does not reach below a steered name', '* A 192.0.2.1\n', [steer('lb.example.com.', 1)], [['x.lb.example.com.', 'A', 'no-name']]],
  ['an alias answers every type', '', [steer('go.example.com.', 4, 'alias')],
    [['go.example.com.', 'A', 'steered 4'], ['go.example.com.', 'TXT', 'steered 4'], ['go.example.com.', 'CNAME', 'steered 4'], ['go.example.com.', 'HTTPS', 'steered 4'], ['go.example.com.', 'DS', 'steered 4']]],
  ['RFC 9460 an HTTPS record of the rule', '', [steer('lb.example.com.', 1, 'addresses', HTTPS)],
    [['lb.example.com.', 'HTTPS', 'steered 1'], ['lb.example.com.', 'A', 'steered 1'], ['lb.example.com.', 'SVCB', 'no-data'], ['lb.example.com.', 'TXT', 'no-data'], ['lb.example.com.', 'ANY', 'any']]],
  ['RFC 9460 an SVCB record of the rule', '', [steer('_dns.example.com.', 1, 'addresses', SVCB)],
    [['_dns.example.com.', 'SVCB', 'steered 1'], ['_dns.example.com.', 'AAAA', 'steered 1'], ['_dns.example.com.', 'HTTPS', 'no-data']]],
  ['RFC 9460 both, at a wildcard', '', [steer('*.w.example.com.', 3, 'addresses', HTTPS, SVCB)],
    [['a.w.example.com.', 'SVCB', 'steered 3'], ['a.b.w.example.com.', 'HTTPS', 'steered 3'], ['w.example.com.', 'HTTPS', 'no-data']]],
  ['RFC 9460 static ones stay where the rule makes none', 'lb HTTPS 1 . alpn=h2\nlb SVCB 1 . alpn=h3\n', [steer('lb.example.com.', 1)],
    [['lb.example.com.', 'HTTPS', 'answer | lb.example.com. 300 HTTPS 1 . alpn="h2"'], ['lb.example.com.', 'SVCB', 'answer | lb.example.com. 300 SVCB 1 . alpn="h3"']]],
  ['RFC 9460 a static SVCB beside an HTTPS of the rule', 'lb SVCB 1 . alpn=h3\n', [steer('lb.example.com.', 1, 'addresses', HTTPS)],
    [['lb.example.com.', 'HTTPS', 'steered 1'], ['lb.example.com.', 'SVCB', 'answer | lb.example.com. 300 SVCB 1 . alpn="h3"']]],
] as const

for (const [rule, text, steered, questions] of TABLE) {
  test(rule, () => {
    const { zones, problems } = loadText(FIXTURE + text, {}, steered)
    expect(problems).toEqual([])
    for (const [name, type, expected] of questions) {
      expect(`${name} ${type}: ${findingText(zones, name, type)}`).toBe(
        `${name} ${type}: ${expected}`,
      )
    }
  })
}

test('a steered finding says slot, zone and SOA, and whether the client is read', () => {
  const steered = [steer('lb.example.com.', 1), steer('geo.example.com.', 7)]
  const { zones } = loadText(FIXTURE, {}, steered)
  const found = findText(zones, 'geo.example.com.', 'A')
  expect(found).toMatchObject({
    kind: 'steered',
    slot: 7,
    zone: 0,
    rrset: -1,
    soa: zones.zoneNegative[0],
  })
  expect(nodeFlags(zones, found.node) & FLAG.TAILORED).toBe(FLAG.TAILORED)
  expect(nodeFlags(zones, findText(zones, 'lb.example.com.', 'A').node) & FLAG.TAILORED).toBe(0)
})

test('addresses in the zone are replaced, with a warning', () => {
  const { zones, problems, warnings } = loadText(FIXTURE, {}, [steer('www.example.com.', 1)])
  expect(problems).toEqual([])
  expect(warnings).toEqual([expect.stringContaining('z:8:1: www.example.com. is steered: its A')])
  expect(findingText(zones, 'www.example.com.', 'A')).toBe('steered 1')
})

// biome-ignore format: table
const PROBLEMS = [
  ['a CNAME there', 'c CNAME www\n', steer('c.example.com.', 1), 'c.example.com. is steered and has a CNAME'],
  ['in no zone', '', steer('www.example.net.', 1), 'www.example.net. is in no hosted zone'],
  ['an alias at the apex', '', steer('example.com.', 1, 'alias'), 'example.com. is an apex'],
  ['an alias beside other data', 'x TXT "t"\n', steer('x.example.com.', 1, 'alias'), 'x.example.com. is steered to a host name and has other data (TXT)'],
] as const

test('RFC 9460 a service record in the zone beside one of the rule: which to remove', () => {
  const text = 'lb SVCB 1 . alpn=h3\nlb HTTPS 1 . alpn=h2\nlb HTTPS 2 x alpn=h2\n'
  const owner = steer('lb.example.com.', 1, 'addresses', HTTPS, SVCB)
  const { problems } = loadText(FIXTURE + text, {}, [owner])
  expect(problems).toEqual([
    'lbdns.yaml:1:3: lb.example.com. has an HTTPS record in the zone and one of its rule · remove that of the zone (z:10), or https: here',
    'lbdns.yaml:1:3: lb.example.com. has an SVCB record in the zone and one of its rule · remove that of the zone (z:9), or svcb: here',
  ])
})

// SOA TTL and MINIMUM, steered or not, and the seconds warned of
// biome-ignore format: table
const ABSENCES = [
  ['MINIMUM above 60',              '3600',  '61',  true,  61],
  ['MINIMUM of 60',                 '3600',  '60',  true,  undefined],
  ['a SOA TTL below MINIMUM counts', '60',   '300', true,  undefined],
  ['both above 60: the lesser',     '120',   '300', true,  120],
  ['nothing is steered',            '3600',  '300', false, undefined],
] as const

for (const [rule, ttl, minimum, isSteered, seconds] of ABSENCES) {
  test(`RFC 2308 §5 absences beside steered names: ${rule}`, () => {
    const text = FIXTURE.replace('@ 3600', `@ ${ttl}`).replace('1209600 60', `1209600 ${minimum}`)
    const owners = isSteered ? [steer('lb.example.com.', 1)] : []
    const { problems, warnings } = loadText(text, {}, owners)
    const said = `z:3:1: the zone has steered names, and an absence in it is kept for ${seconds} seconds`
    expect(problems).toEqual([])
    expect(warnings).toEqual(seconds === undefined ? [] : [expect.stringContaining(said)])
  })
}

for (const [rule, text, owner, said] of PROBLEMS) {
  test(`BC-141 ${rule}`, () => {
    const { problems } = loadText(FIXTURE + text, {}, [owner])
    expect(problems).toEqual([expect.stringContaining(`lbdns.yaml:1:3: ${said}`)])
  })
}

test('two rules for one owner', () => {
  const twice = [steer('a.example.com.', 1), steer('a.example.com.', 2)]
  expect(loadText(FIXTURE, {}, twice).problems).toEqual([
    'lbdns.yaml:2:3: a.example.com. is steered twice · keep one rule',
  ])
})

// biome-ignore format: table
const HIDDEN = [
  ['at a cut', 'c NS ns.example.net.\n', 'c.example.com.', 'referral | c.example.com. 300 NS ns.example.net.'],
  ['below a cut', 'c NS ns.example.net.\n', 'x.c.example.com.', 'referral | c.example.com. 300 NS ns.example.net.'],
  ['below a DNAME', 'c DNAME d\n', 'x.c.example.com.', 'rename | c.example.com. 300 DNAME d.example.com.'],
] as const

for (const [rule, text, owner, expected] of HIDDEN) {
  test(`a steered owner ${rule} is never answered`, () => {
    const { zones, problems, warnings } = loadText(FIXTURE + text, {}, [steer(owner, 1)])
    expect(problems).toEqual([])
    expect(warnings).toEqual([expect.stringContaining('lbdns.yaml:1:3: steering of')])
    expect(findingText(zones, owner, 'A')).toBe(expected)
  })
}

test('the closest zone takes a steered owner', () => {
  const child = '$ORIGIN c.example.com.\n$TTL 60\n@ SOA n h 1 20 3 40 5\n@ NS n\nn A 192.0.2.1\n'
  const { zones } = loadText([FIXTURE, child], {}, [steer('lb.c.example.com.', 1)])
  expect(findText(zones, 'lb.c.example.com.', 'A')).toMatchObject({ kind: 'steered', zone: 1 })
})

test('steering below a cut leaves the glue there alone', () => {
  const text = 'c NS ns.c\nns.c A 192.0.2.7\n'
  const { zones, warnings } = loadText(FIXTURE + text, {}, [steer('ns.c.example.com.', 1)])
  const { rrset } = findText(zones, 'c.example.com.', 'A')
  expect(warnings).toEqual([expect.stringContaining('lbdns.yaml:1:3: steering of')])
  expect(glueTo(zones, rrset) - glueFrom(zones, rrset)).toBe(1)
})
