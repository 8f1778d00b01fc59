/** The look-up: RFC 1034 §4.3.2, wildcards (RFC 4592), cuts (RFC 2181 §6.1), DNAME (RFC 6672). */
import { describe, expect, test } from 'vitest'
import { FIXTURE, findingText, findText, loadText } from '../kit/zone-text.ts'

/** The example zone of RFC 4592 §2.2.1. */
const WILDCARDS = `$ORIGIN example.
$TTL 3600
example.                 SOA   ns.example.com. host 1 2 3 4 5
example.                 NS    ns.example.com.
example.                 NS    ns.example.net.
*.example.               TXT   "this is a wildcard"
*.example.               MX    10 host1.example.
sub.*.example.           TXT   "this is not a wildcard"
host1.example.           A     192.0.2.1
_ssh._tcp.host1.example. SRV   0 0 22 host1.example.
_ssh._tcp.host2.example. SRV   0 0 22 host1.example.
subdel.example.          NS    ns.example.com.
subdel.example.          NS    ns.example.net.
`

// name, type, finding: the table of RFC 4592 §2.2.1
// biome-ignore format: table
const RFC_4592 = [
  ['host3.example.', 'MX', 'answer | *.example. 3600 MX 10 host1.example.'],
  ['host3.example.', 'A', 'no-data'],
  ['foo.bar.example.', 'TXT', 'answer | *.example. 3600 TXT "this is a wildcard"'],
  ['host1.example.', 'MX', 'no-data'],
  ['sub.*.example.', 'MX', 'no-data'],
  ['_telnet._tcp.host1.example.', 'SRV', 'no-name'],
  ['host.subdel.example.', 'A', 'referral | subdel.example. 3600 NS ns.example.com. | subdel.example. 3600 NS ns.example.net.'],
  ['ghost.*.example.', 'MX', 'no-name'],
  ['_tcp.host2.example.', 'A', 'no-data'],
] as const

describe('RFC 4592 §2.2.1', () => {
  const { zones, problems } = loadText(WILDCARDS)
  expect(problems).toEqual([])
  for (const [name, type, expected] of RFC_4592) {
    test(`${name} ${type}`, () => expect(findingText(zones, name, type)).toBe(expected))
  }
})

// clause, text after the fixture, questions and findings
const CHILD = 'child NS ns.child\nns.child A 198.51.100.1\nwww.child A 198.51.100.5\n'
const CHILD_REFERRAL = 'referral | child.example.com. 300 NS ns.child.example.com.'
// biome-ignore format: table
const TABLE = [
  ['BC-062 RFC 4343 §3 names match blind to case', '', [['WwW.eXample.COM.', 'A', 'answer | www.example.com. 300 A 192.0.2.10'], ['NOSUCH.example.COM.', 'A', 'no-name']]],
  ['BC-065 a name in no zone', '', [['www.example.net.', 'A', 'no-zone'], ['com.', 'A', 'no-zone'], ['.', 'NS', 'no-zone']]],
  ['BC-064 an unknown type', '', [['www.example.com.', 'TYPE65280', 'no-data'], ['nosuch.example.com.', 'TYPE65280', 'no-name']]],
  ['BC-068 empty non-terminals', 'a.b.ent A 192.0.2.9\n',
    [['ent.example.com.', 'A', 'no-data'], ['b.ent.example.com.', 'A', 'no-data'], ['c.ent.example.com.', 'A', 'no-name'], ['x.a.b.ent.example.com.', 'A', 'no-name']]],
  ['BC-070 what is above a delegation exists', 'b.g NS n.b.g\nn.b.g A 192.0.2.7\n',
    [['g.example.com.', 'A', 'no-data'], ['x.b.g.example.com.', 'A', 'referral | b.g.example.com. 300 NS n.b.g.example.com.']]],
  ['BC-071 no wildcard below a closer name', '* A 192.0.2.53\nreal.deeper A 192.0.2.54\n', [['x.deeper.example.com.', 'A', 'no-name']]],
  ['BC-072 a wildcard that is an empty non-terminal', 'f.*.e A 192.0.2.2\nt.e A 192.0.2.1\n', [['something.e.example.com.', 'A', 'no-data'], ['f.x.e.example.com.', 'A', 'no-data']]],
  ['BC-073 a literal asterisk', '* A 192.0.2.53\n',
    [['a.*.example.com.', 'A', 'no-name'], ['*.example.com.', 'A', 'answer | *.example.com. 300 A 192.0.2.53']]],
  ['BC-074 a wildcard covers any number of labels', '* A 192.0.2.53\n', [['a.b.c.example.com.', 'A', 'answer | *.example.com. 300 A 192.0.2.53']]],
  ['BC-076 a label that merely holds an asterisk', 'a-* TXT "x"\n', [['a-foo.example.com.', 'TXT', 'no-name'], ['a-*.example.com.', 'TXT', 'answer | a-*.example.com. 300 TXT "x"']]],
  ['BC-077 another type is no data', '', [['www.example.com.', 'AAAA', 'no-data'], ['www.example.com.', 'SRV', 'no-data'], ['www.example.com.', 'HTTPS', 'no-data']]],
  ['BC-078 CAA', '', [['www.example.com.', 'CAA', 'no-data']]],
  ['BC-081 a CNAME', 'a CNAME b\nb CNAME www\n', [['a.example.com.', 'A', 'alias | a.example.com. 300 CNAME b.example.com.'], ['a.example.com.', 'CNAME', 'answer | a.example.com. 300 CNAME b.example.com.']]],
  ['RFC 4592 §3.3.1 a CNAME at a wildcard', '*.w CNAME www\n', [['x.w.example.com.', 'A', 'alias | *.w.example.com. 300 CNAME www.example.com.']]],
  ['BC-085 at and below a cut', `${CHILD}bar.child NS x.example.net.\n`,
    [['www.child.example.com.', 'A', CHILD_REFERRAL], ['child.example.com.', 'NS', CHILD_REFERRAL], ['y.bar.child.example.com.', 'A', CHILD_REFERRAL], ['ns.child.example.com.', 'A', CHILD_REFERRAL], ['child.example.com.', 'ANY', CHILD_REFERRAL]]],
  ['BC-086 RFC 4035 §3.1.4.1 DS at a cut, absent', CHILD, [['child.example.com.', 'DS', 'no-data'], ['www.child.example.com.', 'DS', CHILD_REFERRAL]]],
  ['RFC 4035 §3.1.4.1 DS at a cut, present', `${CHILD}child DS 1 8 2 ${'00'.repeat(32)}\n`, [['child.example.com.', 'DS', `answer | child.example.com. 300 DS 1 8 2 ${'00'.repeat(32)}`]]],
  ['RFC 2181 §6.1 a wildcard does not reach into a delegation', `${CHILD}* A 192.0.2.53\n*.child A 192.0.2.54\n`, [['q.child.example.com.', 'A', CHILD_REFERRAL]]],
  ['BC-088 RFC 6672 §2.3 a DNAME does not redirect its owner', 'd DNAME t\nd TXT "here"\n',
    [['d.example.com.', 'A', 'no-data'], ['d.example.com.', 'TXT', 'answer | d.example.com. 300 TXT "here"'], ['d.example.com.', 'DNAME', 'answer | d.example.com. 300 DNAME t.example.com.']]],
  ['BC-089 RFC 6672 §3.2 below a DNAME', 'd DNAME e\n', [['x.d.example.com.', 'A', 'rename | d.example.com. 300 DNAME e.example.com.'], ['x.y.d.example.com.', 'DNAME', 'rename | d.example.com. 300 DNAME e.example.com.']]],
  ['RFC 6672 §2.4 data below a DNAME is hidden', 'd DNAME e\nx.d A 192.0.2.7\n', [['x.d.example.com.', 'A', 'rename | d.example.com. 300 DNAME e.example.com.']]],
  ['RFC 6672 §2.4 a cut below a DNAME is hidden', 'd DNAME e\nc.d NS ns.example.net.\n', [['x.c.d.example.com.', 'A', 'rename | d.example.com. 300 DNAME e.example.com.']]],
  ['RFC 2181 §6.1 a DNAME below a cut is hidden', `${CHILD}d.child DNAME e\n`, [['x.d.child.example.com.', 'A', CHILD_REFERRAL]]],
  ['RFC 6672 §2.3 a cut beside a DNAME', 'c DNAME e\nc NS ns.example.net.\n', [['x.c.example.com.', 'A', 'referral | c.example.com. 300 NS ns.example.net.']]],
  ['RFC 6672 §2.3 a DNAME at the apex', '@ DNAME e.example.net.\n', [['x.example.com.', 'A', 'rename | example.com. 300 DNAME e.example.net.'], ['example.com.', 'NS', 'answer | example.com. 300 NS ns1.example.com. | example.com. 300 NS ns2.example.com.']]],
  ['BC-095 a whole RRset', 't TXT "a"\nt TXT "b"\n', [['t.example.com.', 'TXT', 'answer | t.example.com. 300 TXT "a" | t.example.com. 300 TXT "b"']]],
  ['RFC 8482 §4.1 ANY', 'e.ent A 192.0.2.1\n', [['www.example.com.', 'ANY', 'any | www.example.com. 300 A 192.0.2.10'], ['ent.example.com.', 'ANY', 'no-data'], ['nosuch.example.com.', 'ANY', 'no-name']]],
  ['BC-145 a dot inside a label is no boundary', 'a\\.b A 192.0.2.1\n', [['a\\.b.example.com.', 'A', 'answer | a\\.b.example.com. 300 A 192.0.2.1'], ['a.b.example.com.', 'A', 'no-name'], ['b.example.com.', 'A', 'no-name']]],
  ['RFC 1035 §2.3.4 the longest name there is', '* A 192.0.2.53\n', [[`${'a.'.repeat(121)}example.com.`, 'A', 'answer | *.example.com. 300 A 192.0.2.53']]],
] as const

for (const [rule, text, questions] of TABLE) {
  test(rule, () => {
    const { zones, problems } = loadText(FIXTURE + text)
    expect(problems).toEqual([])
    for (const [name, type, expected] of questions) {
      expect(`${name} ${type}: ${findingText(zones, name, type)}`).toBe(
        `${name} ${type}: ${expected}`,
      )
    }
  })
}

test('BC-090 the root zone, and wildcards in it', () => {
  const { zones, problems } = loadText(
    '. 60 SOA a. b. 1 2 3 4 5\n. NS a.\n*. A 192.0.2.1\nnet. NS a.\n',
  )
  expect(problems).toEqual([])
  expect(findingText(zones, '.', 'SOA')).toBe('answer | . 60 SOA a. b. 1 2 3 4 5')
  expect(findingText(zones, 'foo.', 'A')).toBe('answer | *. 60 A 192.0.2.1')
  expect(findingText(zones, 'a.b.', 'A')).toBe('answer | *. 60 A 192.0.2.1')
  expect(findingText(zones, 'x.net.', 'A')).toBe('referral | net. 60 NS a.')
  expect(findText(zones, 'x.net.', 'A').labels).toBe(1)
})

test('the owner of a cut or DNAME is told by its number of labels', () => {
  const { zones } = loadText(`${FIXTURE}${CHILD}d DNAME e\n* A 192.0.2.1\n`)
  expect(findText(zones, 'a.b.child.example.com.', 'A').labels).toBe(3)
  expect(findText(zones, 'a.b.d.example.com.', 'A').labels).toBe(3)
  expect(findText(zones, 'a.b.c.example.com.', 'A').labels).toBe(5)
})

test('without zones nothing is found', () => {
  expect(findingText(loadText([]).zones, 'example.com.', 'A')).toBe('no-zone')
  expect(findingText(loadText([]).zones, '.', 'A')).toBe('no-zone')
})

describe('nested hosted zones', () => {
  const parent = `${FIXTURE}child NS ns.child\nns.child A 198.51.100.1\nchild DS 1 8 2 ${'11'.repeat(32)}\nx.other NS ns1\n`
  const child =
    '$ORIGIN child.example.com.\n$TTL 60\n@ SOA ns h 1 2 3 4 5\n@ NS ns\nns A 198.51.100.9\n'
  const { zones, problems } = loadText([parent, child])

  test('load', () => expect(problems).toEqual([]))

  // biome-ignore format: table
  const rows = [
    ['the closest zone answers', 'ns.child.example.com.', 'A', 'answer | ns.child.example.com. 60 A 198.51.100.9', 1],
    ['its apex is its own', 'child.example.com.', 'NS', 'answer | child.example.com. 60 NS ns.child.example.com.', 1],
    ['and says what does not exist', 'no.child.example.com.', 'A', 'no-name', 1],
    ['the parent has the DS', 'child.example.com.', 'DS', `answer | child.example.com. 300 DS 1 8 2 ${'11'.repeat(32)}`, 0],
    ['other names are the parent’s', 'www.example.com.', 'A', 'answer | www.example.com. 300 A 192.0.2.10', 0],
    ['DS of an apex without a parent here', 'example.com.', 'DS', 'no-data', 0],
  ] as const
  for (const [rule, name, type, expected, zone] of rows) {
    test(rule, () => {
      expect(findingText(zones, name, type)).toBe(expected)
      expect(findText(zones, name, type).zone).toBe(zone)
    })
  }

  test('RFC 4035 §3.1.4.1 where a delegation lies between, the zone itself answers for its DS', () => {
    const far = child.replaceAll('child.example.com.', 'far.x.other.example.com.')
    const { zones } = loadText([parent, far])
    expect(findingText(zones, 'far.x.other.example.com.', 'DS')).toBe('no-data')
    expect(findText(zones, 'far.x.other.example.com.', 'DS').zone).toBe(1)
  })

  test('the same zone twice is a problem', () => {
    expect(loadText([child, child]).problems).toEqual([
      'z1: the zone child.example.com. is in z already · list one of them',
    ])
  })
})
