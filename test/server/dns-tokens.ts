/**
 * Splits one line of record data into tokens, for tests of `server/dns` alone: blanks part them but
 * for those in quotes, a backslash keeps what follows. Comments and lines are `server/zone`'s matter.
 */
import type { Token } from '../../server/dns/rdata.ts'

export function tokens(line: string): Token[] {
  const words = line.match(/(?:"(?:[^"\\]|\\.)*"|[^\s"\\]|\\.|\\$)+/gs) ?? []
  return words
    .filter(word => word !== '(' && word !== ')')
    .map(word => {
      const quoted = word.startsWith('"')
      return { text: quoted ? word.slice(1, -1) : word, quoted }
    })
}
