/** One row an assertion as CSV, with its place in the file. */

import type { Ruling } from '../judge/ruling.ts'
import { csvText } from './csv.ts'

const HEAD = [
  'name', 'type', 'assertion', 'outcome', 'expected', 'seen', 'file', 'line', 'column',
] // biome-ignore format: list

export function checkCsv(rulings: readonly Ruling[]): string {
  const rows = rulings.map(({ name, type, assertion, state, expected, seen, at }) => [
    name, type, assertion, state, expected, seen, at?.file, at?.line, at?.column,
  ]) // biome-ignore format: list
  return csvText(HEAD, rows)
}
