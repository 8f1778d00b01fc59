import fc from 'fast-check'
import { Reader, type Response } from 'maxmind'
import { describe, expect, test } from 'vitest'
import { hex } from '../../server/dns/octets.ts'
import { openData, type Path, readRecord, soughtAt } from '../../server/geo/data.ts'
import { encode, type Value, writeDatabase } from '../kit/mmdb.ts'

/** What is read at paths of the record at an offset, or what is wrong. */
function read(octets: Uint8Array, paths: readonly Path[], offset: number = 0): unknown {
  const data = openData(octets, 0, octets.length)
  const record = readRecord(data, offset, soughtAt(paths))
  return data.broken ?? record
}

function readHex(text: string, paths: readonly Path[], offset?: number): unknown {
  return read(hex(text), paths, offset)
}

describe('MaxMind DB format 2.0: a value of each type', () => {
  // biome-ignore format: table
  const TABLE = [
    // type                         octets                            value
    ['text, empty',                 '40',                             ''],
    ['text',                        '42 4445',                        'DE'],
    ['text in UTF-8',               '47 5ac3bc72696368 00',           'Zürich'],
    ['text in no UTF-8',            '42 c3c3',                        ''],
    ['text of 29 octets',           `5d00 ${'61'.repeat(29)}`,        'a'.repeat(29)],
    ['text of 285 octets',          `5e0000 ${'61'.repeat(285)}`,     'a'.repeat(285)],
    ['text of 65,821 octets',       `5f000000 ${'61'.repeat(65821)}`, 'a'.repeat(65821)],
    ['text of 66,078 octets',       `5f000101 ${'61'.repeat(66078)}`, 'a'.repeat(66078)],
    ['double',                      '68 404933333333333 3',           50.4],
    ['double below 0',              '68 c049333333333333',            -50.4],
    ['bytes have no meaning',       '82 0102',                        undefined],
    ['uint16, 0 takes no octet',    'a0',                             0],
    ['uint16',                      'a2 ffff',                        65535],
    ['uint32',                      'c4 fffffffe',                    4294967294],
    ['uint32 in three octets',      'c3 010000',                      65536],
    ['int32',                       '0401 fffffffe',                  -2],
    ['int32 in one octet',          '0101 ff',                        255],
    ['uint64',                      '0802 8000000000000001',          9223372036854775809n],
    ['uint64, 0',                   '0002',                           0n],
    ['uint128',                     '0903 01 0000000000000000',       18446744073709551616n],
    ['true',                        '0107',                           true],
    ['false',                       '0007',                           false],
    ['float',                       '0408 3fa00000',                  1.25],
    ['pointer of 11 bits',          '2003 40 42 4445',                'DE'],
    ['pointer of 19 bits',          `280000 ${'40'.repeat(2045)} 42 4445`,           'DE'],
    ['pointer of 27 bits',          `30000000 ${'40'.repeat(526332)} 42 4445`,       'DE'],
    ['pointer of 32 bits',          '3800000005 42 4445',             'DE'],
  ] as const
  for (const [type, octets, expected] of TABLE) {
    test(type, () => expect(readHex(octets, [[]])).toBe(expected))
  }
})

describe('what is sought, and nothing else', () => {
  // {"a": {"b": "x", "c": 7}, "d": ["y", {"e": true}], "é": "z"}
  const RECORD = 'e3 41 61 e2 41 62 41 78 41 63 a1 07 41 64 0204 41 79 e1 41 65 0107 42 c3a9 41 7a'
  // biome-ignore format: table
  const TABLE = [
    [[['a', 'b']],                        { a: { b: 'x' } }],
    [[['a', 'c'], ['d', '1', 'e']],       { a: { c: 7 }, d: { 1: { e: true } } }],
    [[['d', '0']],                        { d: { 0: 'y' } }],
    [[['é']],                             { é: 'z' }],
    [[['a'], ['a', 'b']],                 { a: { b: 'x' } }],
    [[['a', 'b', 'c']],                   { a: {} }],
    [[['d', '2']],                        { d: {} }],
    [[['d', '01'], ['d', '-0']],          { d: {} }],
    [[['z']],                             {}],
    [[],                                  {}],
  ] as const
  for (const [paths, expected] of TABLE) {
    const names = paths.map(path => path.join('/')).join(' and ')
    test(names || 'nothing', () => expect(readHex(RECORD, paths)).toEqual(expected))
  }
  test('a key may be a pointer, and so may its value', () => {
    expect(readHex('41 61 41 78 e1 2000 2002', [['a']], 4)).toEqual({ a: 'x' })
  })
  test('after a pointer the record goes on behind it', () => {
    const both = [['a'], ['b']]
    expect(readHex('41 78 e2 41 61 2000 41 62 41 79', both, 2)).toEqual({ a: 'x', b: 'y' })
  })
})

describe('data that break the format', () => {
  const END = 'the data end too early'
  const TYPE = 'a value of no known type'
  const SIZE = 'a number of a wrong size'
  // biome-ignore format: table
  const TABLE = [
    ['no octet at all',              '',                  END],
    ['text cut short',               '45 4445',           END],
    ['a map cut short',              'e2 41 61 41 78',    END],
    ['an array cut short',           '0404 41 78',        END],
    ['a map of 16 million',          'ff ffffff 41 61 40', END],
    ['an array of 16 million',       '1f04 ffffff',       END],
    ['a type of the future',         '0009',              TYPE],
    ['a cache',                      '0005',              TYPE],
    ['the end of a cache',           '0006',              TYPE],
    ['a key that is a number',       'e1 a1 07 40',       'a key that is no text'],
    ['a double of four octets',      '64 40493333',       SIZE],
    ['a float of eight',             '0808 4049333333333333', SIZE],
    ['a uint32 of five',             'c5 0102030405',     SIZE],
    ['a uint128 of 17',              `1103 ${'01'.repeat(17)}`, SIZE],
    ['a pointer to itself',          '2000',              'a pointer to a pointer'],
    ['a pointer to a pointer',       '2002 2004 41 61',   'a pointer to a pointer'],
    ['a pointer past the end',       '27ff',              END],
    ['a pointer of 32 bits past the end', '38ffffffff',   END],
    ['a key that points past the end', 'e1 27ff 40',      END],
  ] as const
  for (const [name, octets, expected] of TABLE) {
    test(name, () => expect(readHex(octets, [[], ['a'], ['0']])).toBe(expected))
  }
  test('a map that is its own value is not gone round for ever', () => {
    expect(readHex('e1 41 61 2000', [['a', 'a', 'a']])).toEqual({ a: { a: { a: {} } } })
  })
  test('records made of each other are not read again and again', () => {
    const octets = hex(`${'0104'.repeat(50_000)} 40`) // arrays of one, each inside all before it
    const data = openData(octets, 0, octets.length)
    const sought = soughtAt([['1']])
    let reads = 0
    for (; data.broken === undefined && reads < 50_000; reads += 1) {
      readRecord(data, 2 * reads, sought)
    }
    expect(data.broken).toBe('its records are made of each other')
    expect(reads).toBeGreaterThan(64) // as often as all octets once, it may be
  })
})

/** What JSON can say, with keys and values such as databases have. */
const { value: VALUE } = fc.letrec<{ value: Value }>(tie => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom('', 'DE', 'Zürich', '東京', 'x'.repeat(300)),
    fc.nat(0xffffffff),
    fc.double({ noNaN: true }),
    fc.boolean(),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'cc', 'é', '0'), tie('value'), { maxKeys: 4 }),
  ),
}))
const PATH = fc.array(fc.constantFrom('a', 'b', 'cc', 'é', '0', '1'), { maxLength: 3 })

function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((found, key) => {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined
    return (found as Readonly<Record<string, unknown>>)[key]
  }, value)
}

describe('any record', () => {
  test('says at any path what maxmind reads there', () => {
    fc.assert(
      fc.property(VALUE, fc.array(PATH, { maxLength: 4 }), (value, paths) => {
        const networks = [['192.0.2.0/24', { a: value, b: 'behind' }]] as const
        const file = writeDatabase({ ipVersion: 4, networks })
        const whole: unknown = new Reader<Response>(file).get('192.0.2.1')
        const full = [...paths.map(path => ['a', ...path]), ['b']]
        const found = read(encode(networks[0][1]), full)
        for (const path of full) {
          const expected = at(whole, path)
          if (typeof expected !== 'object') expect(at(found, path)).toBe(expected)
        }
      }),
      { seed: 1, numRuns: 1000 },
    )
  })
  test('of any octets: no throw, and an end', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.array(PATH), (octets, paths) => {
        for (let offset = 0; offset < octets.length; offset += 1) read(octets, paths, offset)
      }),
      { seed: 1, numRuns: 1000 },
    )
  })
})
