/** What makes a zone wrong, and what is only said. */
import { expect, test } from 'vitest'
import { allTexts, FIXTURE, findText, loadText, rrsetTexts } from '../kit/zone-text.ts'

const ZEROS = '00'.repeat(32)

// clause, text after the fixture, problems (parts of them, in order)
// biome-ignore format: table
const PROBLEMS = [
  ['RFC 1035 §5.2 two SOA records', '@ SOA ns1 host 2 7200 900 1209600 60\n', ['z:3:1: example.com. has 2 different SOA records']],
  ['RFC 1035 §5.2 SOA below the apex', 'x SOA ns1 host 2 7200 900 1209600 60\n', ['z:9:1: a SOA record at x.example.com.']],
  ['BC-141 CNAME beside other data', 'c CNAME x\nc MX 10 m\n', ['z:9:1: c.example.com. has a CNAME and other data (MX)']],
  ['BC-141 two CNAMEs', 'd CNAME x\nd CNAME y\n', ['z:9:1: d.example.com. has 2 different CNAME records']],
  ['BC-142 CNAME at the apex', '@ CNAME www.example.net.\n', ['z:9:1: example.com., the apex, has a CNAME · steer']],
  ['RFC 6672 §2.4 two DNAMEs', 'd DNAME x\nd DNAME y\n', ['z:9:1: d.example.com. has 2 different DNAME records']],
  ['RFC 6672 §2.4 DNAME beside CNAME', 'd DNAME x\nd CNAME y\n', ['z:10:1: d.example.com. has a CNAME and other data (DNAME)']],
  ['BC-140 RFC 1035 §5.2 a record out of the zone', 'x.example.net. A 192.0.2.2\nlater A 192.0.2.3\n', ['z:9:1: x.example.net. is not in the zone example.com.']],
  ['RFC 1035 §5.2 a record above the zone', 'com. A 192.0.2.2\n', ['z:9:1: com. is not in the zone']],
  ['a signed zone', 'n1 NSEC n2 A\nn2 NSEC n1 A\n', ['z:9:1: the zone holds records of a signer (NSEC; 2 RRsets), and signed zones are not served yet']],
] as const

for (const [rule, text, problems] of PROBLEMS) {
  test(rule, () => {
    const loaded = loadText(FIXTURE + text)
    expect(loaded.problems).toEqual(problems.map(problem => expect.stringContaining(problem)))
  })
}

test('BC-140 records behind one that is out of the zone are there', () => {
  const { zones } = loadText(`${FIXTURE}x.example.net. A 192.0.2.2\nlater A 192.0.2.3\n`)
  expect(allTexts(zones)).toContain('later.example.com. 300 A 192.0.2.3')
})

test('no NS at the apex', () => {
  expect(loadText('$ORIGIN example.com.\n$TTL 60\n@ SOA n h 1 20 3 40 5\n').problems).toEqual([
    'z:3:1: example.com. has no NS record · add one: @ NS ns1',
  ])
})

test('more records in an RRset than a message holds', () => {
  const text = Array.from({ length: 300 }, (_, i) => `t TXT "${i}${'x'.repeat(240)}"\n`).join('')
  const { problems, zones } = loadText(FIXTURE + text)
  expect(problems).toEqual([expect.stringContaining('t.example.com. has more TXT records than')])
  expect(findText(zones, 'www.example.com.', 'A').kind).toBe('answer')
})

// clause, text after the fixture, warnings (parts of them, in order)
// biome-ignore format: table
const WARNINGS = [
  ['keys and digests without signatures are fine', `@ DNSKEY 256 3 8 AwEAAQ==\n@ CDS 1 8 2 ${ZEROS}\n`, []],
  ['RFC 4035 §2.4 a DS of the apex', `@ DS 1 8 2 ${ZEROS}\n`, ['z:9:1: DS of example.com. has no delegation beside it · put it in the zone above']],
  ['RFC 4035 §2.4 a DS without a delegation', `c DS 1 8 2 ${ZEROS}\n`, ['z:9:1: DS of c.example.com. has no delegation beside it · add NS records']],
  ['RFC 4035 §2.4 a DS at a delegation', `c NS ns.example.net.\nc DS 1 8 2 ${ZEROS}\n`, []],
  ['RFC 2181 §6.1 data below a cut', 'c NS ns.example.net.\nwww.c A 192.0.2.3\n', ['z:10:1: A of www.c.example.com. is never answered: the delegation of c.example.com. hides it']],
  ['RFC 2181 §6.1 data beside a cut', 'c NS ns.example.net.\nc TXT "x"\n', ['z:10:1: TXT of c.example.com. is never answered']],
  ['glue is no data below a cut', 'c NS ns.c\nns.c A 192.0.2.3\nns.c AAAA 2001:db8::1\n', []],
  ['RFC 6672 §2.4 data below a DNAME', 'd DNAME e\nx.d A 192.0.2.3\n', ['z:10:1: A of x.d.example.com. is never answered: the DNAME of d.example.com. hides it']],
  ['data beside a DNAME is fine', 'd DNAME e\nd A 192.0.2.3\n', []],
  ['RFC 9471 §3.1 missing glue', 'c NS ns.c\n', ['z:9:1: ns.c.example.com. serves c.example.com. and has no address here']],
  ['a name server elsewhere needs no glue', 'c NS ns.example.net.\n', []],
  ['BC-096 RFC 2181 §5 a duplicate', 'a A 192.0.2.3\na A 192.0.2.3\n', ['z:10:1: a second A record with the same data']],
  ['RFC 4343 a duplicate but for case', 'a MX 1 WWW\na MX 1 www\n', ['z:10:1: a second MX record with the same data']],
  ['a SOA twice, as AXFR prints it', '@ 3600 SOA ns1 hostmaster 2024010101 7200 900 1209600 60\n', ['z:9:1: a second SOA record']],
  ['RFC 2181 §10.3 NS to an alias', 'al CNAME www\n@ NS al\n', ['z:4:1: al.example.com., of the NS record of example.com., is an alias']],
  ['RFC 9460 §2.4.2 an alias with parameters', 'h HTTPS 0 www.example.net. port=443\n', ['z:9:1: h.example.com. has an HTTPS alias (priority 0) with parameters: they do nothing']],
  ['RFC 9460 §2.4.2 an alias without', 'h HTTPS 0 www.example.net.\n', []],
  ['RFC 2181 §10.3 MX to an alias', 'al CNAME www\nm MX 1 al\n', ['z:10:1: al.example.com., of the MX record of m.example.com., is an alias']],
  ['NS to a host that does not exist', '@ NS gone\n', ['z:4:1: gone.example.com., of the NS record of example.com., does not exist']],
  ['MX to a host without an address', 't TXT "x"\nm MX 1 t\n', ['z:10:1: t.example.com., of the MX record of m.example.com., has no address']],
  ['MX to a wildcard', '*.w A 192.0.2.1\nm MX 1 x.w\n', []],
  ['RFC 7505 §3 a null MX', 'm MX 0 .\n', []],
] as const

for (const [rule, text, warnings] of WARNINGS) {
  test(rule, () => {
    const loaded = loadText(FIXTURE + text)
    expect(loaded.problems).toEqual([])
    expect(loaded.warnings).toEqual(warnings.map(warning => expect.stringContaining(warning)))
  })
}

test('RFC 1912 §2.2, RFC 2308 §5 odd timers', () => {
  const { problems, warnings } = loadText(
    FIXTURE.replace('7200 900 1209600 60', '900 900 1000 604800'),
  )
  expect(problems).toEqual([])
  expect(warnings).toEqual([
    expect.stringContaining('z:3:1: SOA MINIMUM 604800'),
    expect.stringContaining('z:3:1: SOA RETRY 900'),
    expect.stringContaining('z:3:1: SOA EXPIRE 1000'),
  ])
})

test('BC-096 RFC 2181 §5 eight times the same record is one', () => {
  const { zones } = loadText(FIXTURE + `big TXT "${'x'.repeat(100)}"\n`.repeat(8))
  expect(rrsetTexts(zones, findText(zones, 'big.example.com.', 'TXT').rrset)).toHaveLength(1)
})
