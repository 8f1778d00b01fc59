/**
 * Names as text and as wire octets. Octets by hand from RFC 1035.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  canonical,
  holdsName,
  isBelow,
  measureName,
  nameBuffer,
  nameFromText,
  nameOf,
  nameText,
  parentOf,
  sameName,
  setName,
} from '../../server/dns/name.ts'
import { hex, hexText } from '../../server/dns/octets.ts'
import { isWrong } from '../../server/fault.ts'

const ORIGIN = hex('076578616d706c6503636f6d00')
const LABEL63 = 'a'.repeat(63)
const NAME256 = `${LABEL63}.${LABEL63}.${LABEL63}.${'b'.repeat(62)}.`
const NAME255 = `${LABEL63}.${LABEL63}.${LABEL63}.${'b'.repeat(61)}.`

function name(text: string): Uint8Array {
  const wire = nameFromText(text, ORIGIN)
  if (isWrong(wire)) throw new Error(wire.wrong)
  return wire
}

describe('from text', () => {
  // biome-ignore format: table
  const TABLE = [
    ['RFC 1035 §3.1 absolute',                    'www.example.org.', '03777777076578616d706c65036f726700'],
    ['RFC 1035 §5.1 relative',                    'www',              '03777777076578616d706c6503636f6d00'],
    ['RFC 1035 §5.1 relative, two labels',        'a.b',              '01610162076578616d706c6503636f6d00'],
    ['RFC 1035 §5.1 the origin',                  '@',                '076578616d706c6503636f6d00'],
    ['RFC 1035 §3.1 the root',                    '.',                '00'],
    ['RFC 4343 §3.1 case is kept',                'WwW.',             '0357775700'],
    ['RFC 4592 §2.1.1 an asterisk is a label',    '*.a.',             '012a016100'],
    ['RFC 2181 §11 any octet: an underscore',     '_sip._udp.',       '045f736970045f75647000'],
    ['RFC 1035 §5.1 \\DDD',                       '\\000\\255.',      '0200ff00'],
    ['RFC 1035 §5.1 \\X',                         '\\@\\(.',          '02402800'],
    ['RFC 1035 §5.1 BC-145 an escaped dot',       'john\\.doe.',      '086a6f686e2e646f6500'],
    ['RFC 1035 §5.1 BC-145 an escaped last dot',  'x\\.',             '02782e076578616d706c6503636f6d00'],
    ['RFC 1035 §5.1 a backslash, then the end',   'x\\\\.',           '02785c00'],
    ['RFC 1035 §5.1 a number for the last dot',   'x\\046',           '02782e076578616d706c6503636f6d00'],
    ['RFC 1035 §5.1 three backslashes and a dot', 'x\\\\\\.',         '03785c2e076578616d706c6503636f6d00'],
  ] as const

  for (const [rule, text, octets] of TABLE) {
    test(rule, () => expect(hexText(name(text))).toBe(octets))
  }

  // biome-ignore format: table
  const WRONG = [
    ['RFC 1035 §2.3.4 a label of 64',         `${LABEL63}a.`,         'a label of 64 octets, and a label has at most 63'],
    ['RFC 1035 §2.3.4 a name of 256',         NAME256, 'takes 256 octets'],
    ['RFC 1035 §2.3.4 too long below the origin', NAME255.slice(0, -1), 'takes 267 octets'],
    ['RFC 1035 §3.1 two dots',                'a..b.',                'an empty label'],
    ['RFC 1035 §3.1 a dot in front',          '.a.',                  'an empty label'],
    ['RFC 1035 §3.1 nothing',                 '',                     'an empty name'],
    ['RFC 1035 §3.1 only dots',               '..',                   'an empty label'],
    ['RFC 1035 §5.1 BC-135 past 255',         'a\\256.',              '\\256 is not an escape'],
    ['RFC 1035 §5.1 BC-135 two digits',       'a\\03x.',              '\\03x is not an escape'],
    ['RFC 1035 §5.1 BC-135 nothing escaped',  'a\\',                  'a backslash with nothing behind it'],
    ['RFC 5890 §2.3 no octet',                'münchen\u0142.',       '\u0142 is not one octet'],
  ] as const

  for (const [rule, text, reason] of WRONG) {
    test(rule, () => {
      const wire = nameFromText(text, ORIGIN)
      expect(isWrong(wire) ? wire.wrong : nameText(wire)).toContain(reason)
    })
  }

  test('RFC 1035 §2.3.4 a name of 255', () => expect(name(NAME255).length).toBe(255))

  test('RFC 1035 §5.1 relative, and no origin', () => {
    expect(nameFromText('www', undefined)).toMatchObject({ fix: 'end the name with a dot' })
    expect(nameFromText('@', undefined)).toHaveProperty('wrong')
  })
})

describe('to text', () => {
  // biome-ignore format: table
  const TABLE = [
    ['RFC 1035 §3.1 labels',                   '03777777076578616d706c6500', 'www.example.'],
    ['RFC 1035 §3.1 the root',                 '00',                         '.'],
    ['RFC 1035 §5.1 a dot',                    '03612e6200',                 'a\\.b.'],
    ['RFC 1035 §5.1 what is special in files', '08402428293b225c2000',       '\\@\\$\\(\\)\\;\\"\\\\\\032.'],
    ['RFC 1035 §5.1 octets that are no text',  '0400097fff00',               '\\000\\009\\127\\255.'],
  ] as const

  for (const [rule, octets, text] of TABLE) {
    test(rule, () => expect(nameText(hex(octets))).toBe(text))
  }
})

describe('comparing', () => {
  // biome-ignore format: table
  const TABLE = [
    ['RFC 4343 §3 letters',                   'ExAmPlE.CoM.',  'example.com.',   true],
    ['RFC 4343 §3 nothing but letters',       '\\064.',        '`.',             false],
    ['RFC 4343 §3 octets past ASCII',         '\\193.',        '\\225.',         false],
    ['RFC 4343 §3 neighbours of the letters', '\\091.',        '\\123.',         false],
    ['another length',                        'a.example.',    'example.',       false],
    ['labels split otherwise',                'ab.c.',         'a.bc.',          false],
    ['the root',                              '.',             '.',              true],
  ] as const

  for (const [rule, a, b, same] of TABLE) {
    test(rule, () => {
      expect(sameName(name(a), name(b))).toBe(same)
      expect(hexText(canonical(name(a))) === hexText(canonical(name(b)))).toBe(same)
    })
  }

  // biome-ignore format: table
  const BELOW = [
    ['a child',                      'a.example.com.',   'Example.com.', true],
    ['deeper',                       'c.b.a.com.',       'com.',         true],
    ['itself',                       'example.com.',     'example.com.', false],
    ['its parent',                   'com.',             'example.com.', false],
    ['the same end inside a label',  'myexample.com.',   'example.com.', false],
    ['the root is above all',        'com.',             '.',            true],
    ['nothing is above the root',    '.',                '.',            false],
    ['octets that look like labels', 'a\\007example.com.', 'example.com.', false],
  ] as const

  for (const [rule, a, b, below] of BELOW) {
    test(`below: ${rule}`, () => expect(isBelow(name(a), name(b))).toBe(below))
  }
})

test('parents', () => {
  expect(nameText(parentOf(name('www.example.com.')))).toBe('example.com.')
  expect(nameText(parentOf(name('com.')))).toBe('.')
  expect(nameText(parentOf(name('.')))).toBe('.')
})

function labelCount(wire: Uint8Array): number {
  let count = 0
  for (let at = 0; (wire[at] ?? 0) > 0; at += 1 + (wire[at] ?? 0)) count += 1
  return count
}

describe('laws', () => {
  const label = fc.uint8Array({ minLength: 1, maxLength: 63 })
  const wire = fc
    .array(label, { maxLength: 8 })
    .map(labels => Uint8Array.from([...labels.flatMap(octets => [octets.length, ...octets]), 0]))
    .filter(octets => octets.length <= 255)

  test('text reads back octet by octet', () => {
    fc.assert(
      fc.property(wire, octets => {
        expect(nameFromText(nameText(octets), undefined)).toEqual(octets)
      }),
    )
  })

  test('a name is measured to its end, and no further', () => {
    fc.assert(
      fc.property(wire, fc.uint8Array({ maxLength: 4 }), (octets, more) => {
        const both = Uint8Array.from([...octets, ...more])
        expect(measureName(both, 0, both.length)).toBe(octets.length)
        expect(measureName(octets, 0, octets.length - 1)).toBe(-1)
      }),
    )
  })

  test('names equal but for case have one hash, and so has every part of them', () => {
    const hashesOf = (octets: Uint8Array) => {
      const buffer = nameBuffer()
      setName(buffer, octets, 0)
      return buffer.hashes.slice(0, buffer.labels + 1)
    }
    fc.assert(
      fc.property(wire, octets => {
        const hashes = hashesOf(octets)
        expect(hashesOf(canonical(octets))).toEqual(hashes)
        expect(hashesOf(parentOf(octets))).toEqual(octets.length > 1 ? hashes.slice(1) : hashes)
      }),
    )
  })

  test('the order of labels counts, and a label is not two', () => {
    const hashes = ['a.b.', 'b.a.', 'ab.', 'a.', 'b.', '.'].map(text => {
      const buffer = nameBuffer()
      setName(buffer, name(text), 0)
      return buffer.hashes[0]
    })
    expect(new Set(hashes).size).toBe(6)
  })

  test('a buffer gives back the name it was given', () => {
    fc.assert(
      fc.property(wire, fc.nat(5), (octets, at) => {
        const buffer = nameBuffer()
        setName(buffer, Uint8Array.from([...new Uint8Array(at), ...octets, 7]), at)
        expect(nameOf(buffer)).toEqual(octets)
        expect(buffer.labels).toBe(labelCount(octets))
        expect(buffer.starts[buffer.labels]).toBe(octets.length - 1)
        expect(holdsName(buffer, canonical(octets), octets.length)).toBe(true)
      }),
    )
  })

  test('any text is a name or wrong, and never throws', () => {
    const near = fc.string({ unit: fc.constantFrom('a', '.', '\\', '0', '9', '@', 'é', '"', ' ') })
    fc.assert(
      fc.property(fc.oneof(near, fc.string()), text => {
        const read = nameFromText(text, ORIGIN)
        if (!isWrong(read)) expect(measureName(read, 0, read.length)).toBe(read.length)
      }),
      { numRuns: 2000 },
    )
  })
})

test('RFC 1035 §2.3.4 a label of a million octets is wrong, and not a crash', () => {
  expect(nameFromText('a'.repeat(1_000_000), ORIGIN)).toHaveProperty('wrong')
})

test('RFC 1035 §5.1 a hundred thousand escapes are looked through once', () => {
  expect(nameFromText(`${'\\123'.repeat(100_000)}x.`, ORIGIN)).toHaveProperty('wrong')
})
