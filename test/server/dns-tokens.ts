/**
 * Record data for tests of `server/dns` alone: one line split into tokens, and the check that its text
 * and its octets are each other's. Comments and lines are `server/zone`'s matter.
 */
import { expect, test } from 'vitest'
import { nameFromText } from '../../server/dns/name.ts'
import { hex, hexText } from '../../server/dns/octets.ts'
import { rdataFromText, rdataText, type Token, validRdata } from '../../server/dns/rdata.ts'
import { typeFromText } from '../../server/dns/rrtype.ts'
import { isWrong } from '../../server/fault.ts'

/** A clause, a type, its text, its octets, and how it is printed where that is not the text. */
export type Row = readonly [
  rule: string,
  type: string,
  text: string,
  octets: string,
  printed?: string,
]

/** A test for each row: text becomes the octets, which are valid and print as they should. */
export function testRows(rows: readonly Row[]): void {
  const origin = nameFromText('example.com.', undefined)
  for (const [rule, word, text, octets, printed] of rows) {
    test(`${rule} (${word})`, () => {
      const type = typeFromText(word) ?? Number.NaN
      const read = rdataFromText(type, tokens(text), isWrong(origin) ? undefined : origin)
      expect(isWrong(read) ? read.wrong : hexText(read)).toBe(hexText(hex(octets)))
      expect(validRdata(type, hex(octets))).toBe(true)
      expect(rdataText(type, hex(octets))).toBe((printed ?? text).replace(/\s+/g, ' '))
    })
  }
}

/** Blanks part tokens but for those in quotes; a backslash keeps what follows. */
export function tokens(line: string): Token[] {
  const words = line.match(/(?:"(?:[^"\\]|\\.)*"|[^\s"\\]|\\.|\\$)+/gs) ?? []
  return words
    .filter(word => word !== '(' && word !== ')')
    .map(word => {
      const quoted = word.startsWith('"')
      return { text: quoted ? word.slice(1, -1) : word, quoted }
    })
}
