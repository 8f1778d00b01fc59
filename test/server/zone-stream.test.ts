/** Master files come in pieces, and may be larger than memory: where pieces end changes nothing. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { wrong } from '../../server/fault.ts'
import { parseZone } from '../../server/zone/master.ts'
import { type Stream, textStream } from '../../server/zone/stream.ts'
import { allTexts, FIXTURE, type Files, loadText } from '../kit/zone-text.ts'

/** A text in pieces of those sizes, over and over. */
function inPieces(sizes: readonly number[]): (text: string) => Stream {
  return text => {
    const whole = textStream(text)
    let piece = 0
    const read = (into: Uint8Array, at: number) => {
      const size = sizes[piece % sizes.length] ?? 1
      piece += 1
      return whole.read(into.subarray(0, Math.min(at + size, into.length)), at)
    }
    return { ...whole, size: 0, read }
  }
}

/** All that reading a text comes to, in words. */
function read(text: string, files: Files, open: (text: string) => Stream): readonly string[] {
  const { zones, problems, warnings } = loadText(text, files, [], open)
  return [...problems, ...warnings, ...allTexts(zones)]
}

/** Lines that are right and lines that are wrong, each in a way of its own. */
const LINES = [
  ...[
    'a A 192.0.2.5\n',
    'b.example.com. 60 IN AAAA 2001:db8::1\r\n',
    '\tTXT t ; c\n',
    '\n',
    '; c\n',
  ],
  ...['m MX (\n 10 ; first\n a )\n', '( n ( A\n192.0.2.7 ) )\r\n', 'k TXT ( "a;b"\n "(c" )\n'],
  ...[
    'd TXT "a\\"b" \\# x\\ y\n',
    'a\\.b A 192.0.2.1\n',
    'h HTTPS 1 . alpn="h2,h3"\n',
    '$ORIGIN x\n',
  ],
  ...[
    '$INCLUDE f y\n',
    '$GENERATE 1-3 g-$ A 192.0.2.$\n',
    'd TXT "open\n',
    'd TXT a\\\n',
    'p A ( 192.0.2.9\n',
  ],
  ...[
    'q ) A 192.0.2.9\n',
    '"r" A 192.0.2.9\n',
    's..t A 192.0.2.9\n',
    'u TYPE65280 \\# 3 ab cdef\n',
  ],
  ...[
    'v FOO x\n',
    '@ A 192.0.2.256\n',
    ' \r \n',
    'w TXT "x""y"z\n',
    '\xff\xfe A 192.0.2.1\n',
    'last A 192.0.2.8',
  ],
]

test('any pieces: the same records, problems and lines as the whole', () => {
  const lines = fc.array(fc.constantFrom(...LINES), { maxLength: 12 })
  const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(lines, lines, sizes, (some, included, pieces) => {
      const text = FIXTURE + some.join('')
      const files = { f: included.join('').replaceAll('$INCLUDE', ';') }
      expect(read(text, files, inPieces(pieces))).toEqual(read(text, files, textStream))
    }),
    { numRuns: 200 },
  )
})

test('every single place to cut a text', () => {
  const text = FIXTURE + LINES.join('')
  const files = { f: 'z A 192.0.2.3\n' }
  const whole = read(text, files, textStream)
  for (let cut = FIXTURE.length; cut < text.length; cut += 1) {
    expect(read(text, files, inPieces([cut, text.length]))).toEqual(whole)
  }
})

test('the marks of UTF-8 and UTF-16 in pieces of one octet', () => {
  expect(read(`\xef\xbb\xbf${FIXTURE}a FOO\n`, {}, inPieces([1]))[0]).toContain(
    'z:9:3: unknown type',
  )
  expect(read('\xff\xfe$\0O\0', {}, inPieces([1]))[0]).toContain('UTF-16')
})

const COMMENT = `; ${'-'.repeat(77)}\n`
const MIB = 1 << 20

test('lines and columns are right behind many pieces', () => {
  const filler = COMMENT.repeat(4 * (MIB / 80))
  const { problems } = loadText(`${FIXTURE}${filler}m MX (\n x\n  a )\n${filler}n FOO\n`)
  const lines = (4 * (MIB / 80)) | 0
  expect(problems).toEqual([
    expect.stringMatching(`^z:${8 + lines + 2}:2: the preference`),
    expect.stringMatching(`^z:${8 + 2 * lines + 4}:3: unknown type FOO`),
  ])
})

// what, text after the fixture, its problems
const LONG = [
  [
    'a line of a MiB',
    `a TXT ${'x'.repeat(MIB)}\nb FOO\n`,
    ['z:9:1: a line', 'z:10:3: unknown type FOO'],
  ],
  [
    'a comment of three',
    `;${'x'.repeat(3 * MIB)}\nb FOO\n`,
    ['z:9:1: a line', 'z:10:3: unknown type FOO'],
  ],
  [
    'one that does not end',
    `b FOO\na TXT ${'x'.repeat(5 * MIB)}`,
    ['z:9:3: unknown type FOO', 'z:10:1: a line'],
  ],
  [
    'lines in parentheses',
    `a TXT (\n${COMMENT.repeat(MIB / 79)})\nb FOO\n`,
    [
      'z:9:7: a ( that is never closed',
      'z:13283:1: a ) that closes nothing',
      'z:13284:3: unknown type FOO',
    ],
  ],
  [
    'a parenthesis left open',
    `a TXT (\n${COMMENT.repeat(6 * (MIB / 80))}b FOO\n`,
    ['z:9:7: a ( that is never closed', 'z:78653:3: unknown type FOO'],
  ],
  [
    'one left open in a long line',
    `a TXT ( ${'x'.repeat(3 * MIB)}\nb FOO\n`,
    ['z:9:7: a ( that is never closed', 'z:10:3: unknown type FOO'],
  ],
] as const

test.each(LONG)('no entry is longer than a MiB: %s', (_, text, expected) => {
  for (const open of [textStream, inPieces([(MIB / 3) | 0, 17])]) {
    const { problems } = loadText(FIXTURE + text, {}, [], open)
    expect(problems).toEqual(expected.map(start => expect.stringMatching(`^${escaped(start)}`)))
  }
})

function escaped(text: string): string {
  return text.replace(/[()]/g, '\\$&')
}

test('a file that cannot be read on ends there, and its stream is closed', () => {
  const whole = textStream(`${FIXTURE}a A 192.0.2.5\nb A 192`)
  let closed = 0
  const close = () => {
    closed += 1
  }
  let reads = 0
  const read = (into: Uint8Array, at: number) => {
    reads += 1
    return reads === 1 ? whole.read(into, at) : wrong('cannot be read (EIO)', 'look at the disk')
  }
  const found = { problems: [], warnings: [] }
  const include = () => wrong('no includes')
  const records = parseZone(
    { file: 'z', stream: { size: whole.size, read, close }, include },
    found,
  )
  expect(found.problems).toEqual([
    { file: 'z', line: 10, column: 8, what: 'cannot be read (EIO)', fix: 'look at the disk' },
  ])
  expect(records?.rows.length).toBe(7 * 6)
  expect(closed).toBe(1)
})

test('an include that is refused is closed', () => {
  let open = 0
  const opened = (text: string): Stream => {
    open += 1
    return {
      ...textStream(text),
      close: () => {
        open -= 1
      },
    }
  }
  const found = { problems: [], warnings: [] }
  const include = (file: string) => ({ file, stream: opened('$INCLUDE f\n') })
  parseZone({ file: 'f', stream: opened(`${FIXTURE}$INCLUDE f\n$INCLUDE g\n`), include }, found)
  expect(open).toBe(0)
})
