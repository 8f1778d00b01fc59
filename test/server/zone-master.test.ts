/** The syntax of master files: RFC 1035 §5.1, and what people stumbled over. */
import { describe, expect, test } from 'vitest'
import { hexText } from '../../server/dns/octets.ts'
import { allTexts, eachRecord, FIXTURE, loadText } from '../kit/zone-text.ts'

/** The records that a text adds to the fixture. */
function added(text: string): string[] {
  const base = new Set(allTexts(loadText(FIXTURE).zones))
  return allTexts(loadText(FIXTURE + text).zones).filter(record => !base.has(record))
}

// clause, text after the fixture, records it adds
// biome-ignore format: table
const READ = [
  ['RFC 1035 §5.1 relative and absolute owners', 'a A 192.0.2.5\nb.example.com. A 192.0.2.6\n',
    ['a.example.com. 300 A 192.0.2.5', 'b.example.com. 300 A 192.0.2.6']],
  ['RFC 1035 §5.1 a blank owner is the last one', 'a A 192.0.2.5\n\tTXT t\n  TXT u\n',
    ['a.example.com. 300 A 192.0.2.5', 'a.example.com. 300 TXT "t"', 'a.example.com. 300 TXT "u"']],
  ['RFC 1035 §5.1 TTL, then class', 'a 60 IN A 192.0.2.5\n', ['a.example.com. 60 A 192.0.2.5']],
  ['RFC 1035 §5.1 class, then TTL', 'a IN 60 A 192.0.2.5\n', ['a.example.com. 60 A 192.0.2.5']],
  ['RFC 1035 §5.1 class and type in any case', 'a in a 192.0.2.5\n', ['a.example.com. 300 A 192.0.2.5']],
  ['RFC 3597 §5 a class by its number', 'a CLASS1 A 192.0.2.5\n', ['a.example.com. 300 A 192.0.2.5']],
  ['RFC 1035 §5.1 parentheses join lines', 'm MX (\n  10 ; first\n  a )\n', ['m.example.com. 300 MX 10 a.example.com.']],
  ['RFC 1035 §5.1 parentheses anywhere, nested', '( n ( A\n192.0.2.7 ) )\n', ['n.example.com. 300 A 192.0.2.7']],
  ['RFC 1035 §5.1 a line inside parentheses may begin in column 1', 'm MX ( 10\na\n)\n',
    ['m.example.com. 300 MX 10 a.example.com.']],
  ['RFC 1035 §5.1 a blank line is nothing', '\n   \n\t; c\n\na A 192.0.2.5\n', ['a.example.com. 300 A 192.0.2.5']],
  ['RFC 1035 §5.1 a semicolon in quotes is text', 'a TXT "x;y" ; c\n', ['a.example.com. 300 TXT "x;y"']],
  ['RFC 1035 §5.1 parentheses in quotes are text', 'a TXT "(" \\)\n', ['a.example.com. 300 TXT "(" ")"']],
  ['RFC 1035 §5.1 no final newline', 'a A 192.0.2.5', ['a.example.com. 300 A 192.0.2.5']],
  ['RFC 1035 §5.1 CRLF', 'a A 192.0.2.5\r\nb TXT "t"\r\nc TXT u\r\n',
    ['a.example.com. 300 A 192.0.2.5', 'b.example.com. 300 TXT "t"', 'c.example.com. 300 TXT "u"']],
  ['RFC 1035 §5.1 \\$ begins an owner', '\\$x A 192.0.2.5\n', ['\\$x.example.com. 300 A 192.0.2.5']],
  ['RFC 1035 §5.1 an escaped blank does not end an owner', 'a\\ b A 192.0.2.5\n', ['a\\032b.example.com. 300 A 192.0.2.5']],
  ['RFC 1035 §5.1 $ORIGIN', '$ORIGIN example.com.\n$ORIGIN x\n@ A 192.0.2.5\n', ['x.example.com. 300 A 192.0.2.5']],
  ['RFC 1035 §5.1 directives in any case', '$origin x\n$ttl 7\n@ A 192.0.2.5\n', ['x.example.com. 7 A 192.0.2.5']],
  ['RFC 9460 §2.1 quotes inside a word', 'h HTTPS 1 . alpn="h2,h3"\n', ['h.example.com. 300 HTTPS 1 . alpn="h2,h3"']],
  ['RFC 1035 §5.1 strings that touch', 'a TXT "x""y"\n', ['a.example.com. 300 TXT "x" "y"']],
  ['BC-130 a comment glued to data', 'a A 192.0.2.5;c\n', ['a.example.com. 300 A 192.0.2.5']],
  ['BC-133 a string a line, in parentheses', 'k TXT ( "abcdef"\n  "ghijk" )\n', ['k.example.com. 300 TXT "abcdef" "ghijk"']],
  ['BC-135 \\; in quotes is a semicolon', 'd TXT "v=DKIM1\\; k"\n', ['d.example.com. 300 TXT "v=DKIM1; k"']],
  ['BC-135 \\" in quotes is a quote', 'd TXT "a\\"b"\n', ['d.example.com. 300 TXT "a\\"b"']],
  ['BC-135 \\065 is A', 'd TXT "\\065"\n', ['d.example.com. 300 TXT "A"']],
  ['BC-139 a relative $ORIGIN', '$ORIGIN foo\nbar A 192.0.2.1\n', ['bar.foo.example.com. 300 A 192.0.2.1']],
  ['BC-144 an unknown type', 'g TYPE65280 \\# 3 abcdef\n', ['g.example.com. 300 TYPE65280 \\# 3 abcdef']],
  ['BC-144 a known type as octets', 'h A \\# 4 c0000201\n', ['h.example.com. 300 A 192.0.2.1']],
  ['BC-144 no octets at all', 'g TYPE65280 \\# 0\n', ['g.example.com. 300 TYPE65280 \\# 0']],
  ['BC-145 a dot inside a label', 'a\\.b A 192.0.2.1\n', ['a\\.b.example.com. 300 A 192.0.2.1']],
  ['BC-145 a dot that ends a label', 'x\\. A 192.0.2.1\n', ['x\\..example.com. 300 A 192.0.2.1']],
  ['BC-146 a comment behind data', 'c A 192.0.2.82; c\nd A 192.0.2.82\t; c\n',
    ['c.example.com. 300 A 192.0.2.82', 'd.example.com. 300 A 192.0.2.82']],
] as const

for (const [rule, text, records] of READ) {
  test(rule, () => {
    expect(loadText(FIXTURE + text).problems).toEqual([])
    expect(added(text).sort()).toEqual([...records].sort())
  })
}

test('BC-145 the first label of john\\.doe has eight octets', () => {
  const { zones } = loadText(FIXTURE.replace('hostmaster', 'john\\.doe.example.com.'))
  const soa = zones.zoneSoa[0] ?? -1
  const [record] = [...eachRecord(zones, soa)]
  // MNAME ns1.example.com. takes 17 octets.
  expect(hexText(record?.rdata.subarray(17, 26) ?? new Uint8Array())).toBe('086a6f686e2e646f65')
})

test('a UTF-8 byte order mark is not part of the first word', () => {
  expect(loadText(`\xef\xbb\xbf${FIXTURE}`).problems).toEqual([])
})

test('BC-143 strings of 255 and 45 octets, and forty of 250', () => {
  const long = `a TXT "${'x'.repeat(255)}" "${'y'.repeat(45)}"\n`
  const many = `b TXT${` "${'z'.repeat(250)}"`.repeat(40)}\n`
  expect(added(long)).toEqual([`a.example.com. 300 TXT "${'x'.repeat(255)}" "${'y'.repeat(45)}"`])
  expect(added(many)).toEqual([`b.example.com. 300 TXT${` "${'z'.repeat(250)}"`.repeat(40)}`])
})

// clause, text after the fixture (its first line is line 9), place and part of what is said
// biome-ignore format: table
const WRONG = [
  ['RFC 1035 §5.1 a quote left open', 'a TXT "x\nb A 192.0.2.5\n', 'z:9:7:', 'quote'],
  ['RFC 1035 §5.1 a parenthesis left open', 'a MX ( 10\nb A 192.0.2.5\n', 'z:9:6:', 'never closed'],
  ['RFC 1035 §5.1 a parenthesis that closes nothing', 'a A 192.0.2.5 )\n', 'z:9:15:', 'closes nothing'],
  ['RFC 1035 §5.1 an unknown type', 'a FOO 192.0.2.5\n', 'z:9:3:', 'FOO'],
  ['RFC 1035 §5.1 no type at all', 'a 300 IN\n', 'z:9:7:', 'no type'],
  ['RFC 1035 §5.1 data of another type', '  A nonsense\n', 'z:9:5:', 'nonsense'],
  ['RFC 1035 §5.1 too many words', 'a A 192.0.2.5 x\n', 'z:9:', 'x'],
  ['RFC 1035 §3.2.4 another class', 'a CH A 192.0.2.5\n', 'z:9:3:', 'class CH'],
  ['RFC 6895 §3.1 a type for questions only', 'a TYPE255 \\# 0\n', 'z:9:3:', 'ANY'],
  ['RFC 6891 §6.1 a type for messages only', 'a OPT \\# 0\n', 'z:9:3:', 'OPT'],
  ['RFC 1035 §2.3.4 a label of 64 octets', `${'x'.repeat(64)} A 192.0.2.5\n`, 'z:9:1:', '64'],
  ['an empty label', 'a..b A 192.0.2.5\n', 'z:9:1:', 'empty label'],
  ['an owner in quotes', '"a" A 192.0.2.5\n', 'z:9:1:', 'quotes'],
  ['an unknown directive', '$FOO 1\n', 'z:9:1:', '$FOO'],
  ['a directive that is indented', ' $TTL 1\n', 'z:9:2:', 'column 1'],
  ['$ORIGIN without a name', '$ORIGIN\n', 'z:9:1:', '$ORIGIN takes'],
  ['$TTL with two words', '$TTL 1 2\n', 'z:9:8:', '$TTL takes'],
  ['BC-135 \\256 is no octet', 'd TXT "\\256"\n', 'z:9:7:', '\\256'],
  ['BC-135 \\03x is no octet', 'd TXT "\\03x"\n', 'z:9:7:', '\\03x'],
  ['BC-135 a backslash ends the line', 'd TXT a\\\n', 'z:9:8:', 'backslash'],
  ['BC-143 a string of 256 octets', `a TXT "${'x'.repeat(256)}"\n`, 'z:9:7:', '256'],
  ['BC-144 data of the wrong length', 'g TYPE65280 \\# 4 abcdef\n', 'z:9:', ''],
  ['BC-147 a leading zero', 'a A 192.0.2.010\n', 'z:9:5:', '192.0.2.010'],
  ['BC-147 a leading zero inside IPv6', 'a AAAA ::ffff:192.0.2.01\n', 'z:9:8:', '192.0.2.01'],
  ['BC-149 a quote that opens late', '@ TXT "a"b="c\n@ A 192.0.2.5\n', 'z:9:', ''],
] as const

for (const [rule, text, place, said] of WRONG) {
  test(rule, () => {
    const [first] = loadText(FIXTURE + text).problems
    expect(first).toContain(place)
    expect(first).toContain(said)
  })
}

describe('one pass', () => {
  test('tells every mistake and keeps all that is right', () => {
    const text = 'a A 1.2.3\nb A 192.0.2.5\nc FOO x\nd MX x y\n TXT "\ne A 192.0.2.6\n'
    const { zones, problems } = loadText(FIXTURE + text)
    expect(problems.map(problem => problem.split(':')[1])).toEqual(['9', '11', '12', '13'])
    expect(allTexts(zones)).toContain('b.example.com. 300 A 192.0.2.5')
    expect(allTexts(zones)).toContain('e.example.com. 300 A 192.0.2.6')
  })

  test('goes on behind a parenthesis that is never closed', () => {
    const { problems } = loadText(`${FIXTURE}a MX ( 10\nb FOO x\nc A 192.0.2.5\n`)
    expect(problems.map(problem => problem.split(':')[1])).toEqual(['9', '10'])
  })

  test('does not blame a missing NS on a line that was read badly', () => {
    const text = '$ORIGIN example.com.\n$TTL 60\n@ SOA n h 1 2 3 4 5\n@ NS ..\n'
    expect(loadText(text).problems).toHaveLength(1)
  })

  test('does not give records of a bad owner to the one before', () => {
    const { zones } = loadText(`${FIXTURE}a..b A 192.0.2.5\n TXT "lost"\n`)
    expect(allTexts(zones).join()).not.toContain('lost')
  })

  test('says that it stops after 1,000 problems', () => {
    const { problems } = loadText(FIXTURE + 'a FOO\n'.repeat(5000))
    expect(problems).toHaveLength(1001)
    expect(problems.at(-1)).toContain('no more are told')
  })

  test('many parentheses left open do not cost a pass each', () => {
    const { problems } = loadText(FIXTURE + 'a A ( 192.0.2.5\n'.repeat(20_000))
    expect(problems.length).toBeLessThan(20)
  })
})

test('what is shown of a file is short and holds no control characters', () => {
  const [long] = loadText(`${FIXTURE}a ${'x'.repeat(100_000)} y\n`).problems
  expect(long?.length).toBeLessThan(500)
  const [raw] = loadText(`${FIXTURE}a \x1b[31m\x9b y\n`).problems
  expect(raw).toContain('unknown type \\027[31m\\155')
})

test('UTF-16 is said to be that', () => {
  expect(loadText('\xff\xfe$\0O\0').problems).toEqual([
    expect.stringContaining('UTF-16'),
    expect.stringContaining('no SOA'),
  ])
})

test('the origin is the owner of the SOA record where no $ORIGIN came first', () => {
  const { zones, problems } = loadText(
    'Example.COM. 60 SOA ns h 1 2 3 4 5\n NS ns\nns A 192.0.2.1\n',
  )
  expect(problems).toEqual([])
  expect(allTexts(zones)).toContain('ns.example.com. 60 A 192.0.2.1')
})

test('a file without a SOA record is no zone', () => {
  expect(loadText('$ORIGIN example.com.\n$TTL 60\n@ NS ns\n').problems).toEqual([
    expect.stringContaining('z: there is no SOA record'),
  ])
})

test('a first line without an owner', () => {
  expect(loadText(' SOA ns h 1 2 3 4 5\n').problems[0]).toContain('z:1:2: no owner')
})
