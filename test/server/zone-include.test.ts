/** $INCLUDE: RFC 1035 §5.1. */
import { expect, test } from 'vitest'
import { allTexts, FIXTURE, type Files, loadText } from '../kit/zone-text.ts'

// clause, text after the fixture, files, records that must be there
const READ: readonly [string, string, Files, readonly string[]][] = [
  [
    'BC-129 an origin set in the file does not leak',
    '$INCLUDE f2\nns9 A 192.0.2.3\n',
    { f2: '$ORIGIN x.example.com.\n@ A 192.0.2.4\n' },
    ['ns9.example.com. 300 A 192.0.2.3', 'x.example.com. 300 A 192.0.2.4'],
  ],
  [
    'BC-129 an origin argument',
    '$INCLUDE f3 y.example.com.\nz A 192.0.2.3\n',
    { f3: 'a A 192.0.2.4\n' },
    ['a.y.example.com. 300 A 192.0.2.4', 'z.example.com. 300 A 192.0.2.3'],
  ],
  [
    'BC-129 a relative origin argument',
    '$INCLUDE f3 y\n',
    { f3: 'a A 192.0.2.4\n' },
    ['a.y.example.com. 300 A 192.0.2.4'],
  ],
  [
    'BC-130 a comment glued to the file name',
    '$INCLUDE f2;comment\n',
    { f2: 'a A 192.0.2.4\n' },
    ['a.example.com. 300 A 192.0.2.4'],
  ],
  [
    'BC-130 a file name in quotes',
    '$INCLUDE "f 2" ; c\n',
    { 'f 2': 'a A 192.0.2.4\n' },
    ['a.example.com. 300 A 192.0.2.4'],
  ],
  [
    'BC-131 the owner before the directive is the last one behind it',
    'www A 192.0.2.1\n$INCLUDE f2\n\tTXT "t"\n',
    { f2: 'zzz A 192.0.2.4\n' },
    ['www.example.com. 300 TXT "t"', 'zzz.example.com. 300 A 192.0.2.4'],
  ],
]

for (const [rule, text, files, records] of READ) {
  test(rule, () => {
    const { zones, problems } = loadText(FIXTURE + text, files)
    expect(problems).toEqual([])
    expect(allTexts(zones)).toEqual(expect.arrayContaining([...records]))
  })
}

test('a mistake in an included file has its place there', () => {
  const { problems } = loadText(`${FIXTURE}$INCLUDE f2\n`, { f2: '\na FOO x\n' })
  expect(problems).toEqual([expect.stringContaining('f2:2:3: unknown type FOO')])
})

test('a file that cannot be read is said where it is named', () => {
  const { problems } = loadText(`${FIXTURE}$INCLUDE nowhere\n`)
  expect(problems).toEqual([expect.stringContaining('z:9:10: cannot read nowhere')])
})

test('an included file has no owner before its first', () => {
  const { problems } = loadText(`${FIXTURE}$INCLUDE f2\n`, { f2: ' A 192.0.2.1\n' })
  expect(problems).toEqual([expect.stringContaining('f2:1:2: no owner')])
})

test('BC-132 a file that includes itself', () => {
  const { problems } = loadText(`${FIXTURE}$INCLUDE f\n`, { f: '$INCLUDE f\n$INCLUDE f\n' })
  expect(problems).toEqual([
    expect.stringContaining('f:1:10: f includes itself'),
    expect.stringContaining('f:2:10: f includes itself'),
  ])
})

test('BC-132 files that include others without end', () => {
  const files = Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => [`f${at}`, `$INCLUDE f${at + 1}\n`.repeat(3)]),
  )
  const { problems } = loadText(`${FIXTURE}$INCLUDE f0\n`, files)
  expect(problems).toEqual([expect.stringContaining('nested deeper than 16')])
})
