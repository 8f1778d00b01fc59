/**
 * What a mistyped word was probably meant to be. Knows only words.
 */
import { type Wrong, wrong } from '../fault.ts'

/** Says that a word is not one of those known, and which it resembles. */
export function unknownWord(what: string, word: string, known: readonly string[]): Wrong {
  const meant = nearestWord(word, known)
  return wrong(what, meant === undefined ? oneOf(known) : `did you mean ${meant}?`)
}

/** Returns the known word with the fewest typing mistakes, or `undefined` where none is near. */
export function nearestWord(word: string, known: readonly string[]): string | undefined {
  const typed = word.toLowerCase()
  const allowed = Math.floor((word.length + 1) / 3)
  let best: string | undefined
  let least = allowed + 1
  for (const candidate of known) {
    if (Math.abs(candidate.length - typed.length) >= least) continue
    const count = mistakesIn(typed, candidate.toLowerCase())
    if (count < least) {
      least = count
      best = candidate
    }
  }
  return best
}

/** A hint that lists what there is, shortened where that is much. */
export function oneOf(known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined
  const shown = known.slice(0, 12).join(', ')
  return known.length > 12 ? `known: ${shown}, …` : `known: ${shown}`
}

/** What both words begin and end with takes no counting: most names of one file share much. */
function mistakesIn(from: string, to: string): number {
  const most = Math.min(from.length, to.length)
  let start = 0
  while (start < most && from[start] === to[start]) start += 1
  let end = 0
  while (end < most - start && from.at(-1 - end) === to.at(-1 - end)) end += 1
  return mistakes(from.slice(start, from.length - end), to.slice(start, to.length - end))
}

/**
 * Counts letters added, left out, changed or swapped with their neighbour: the Damerau–Levenshtein
 * distance, restricted to swaps that are not edited again.
 */
function mistakes(from: string, to: string): number {
  let before: number[] = []
  let above = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row++) {
    const line = [row]
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1]
      const changed = cell(above, column - 1) + (same ? 0 : 1)
      const moved = Math.min(cell(above, column), cell(line, column - 1)) + 1
      const swaps = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      const swapped = swaps ? cell(before, column - 2) + 1 : changed
      line.push(Math.min(changed, moved, swapped))
    }
    before = above
    above = line
  }
  return cell(above, to.length)
}

function cell(line: readonly number[], column: number): number {
  return line[column] ?? Number.POSITIVE_INFINITY
}
