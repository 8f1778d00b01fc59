/** What a mistyped word was probably meant to be. Knows only words. */

/** Farther off than this a word is no mistyping. */
const NEAR = 3
const MOST = 4

/** Of the words known those that may have been meant, the nearest first, four at most. */
export function nearTo(text: string, known: readonly string[]): readonly string[] {
  const typed = text.toLowerCase()
  const scored = [...new Set(known)].map(word => {
    const lower = word.toLowerCase()
    const holds = typed.length >= 3 && lower.includes(typed)
    return { word, far: holds ? 0.5 : distance(typed, lower) }
  })
  const near = scored.filter(({ far, word }) => far <= Math.min(NEAR, word.length / 2))
  return near
    .sort((a, b) => a.far - b.far)
    .slice(0, MOST)
    .map(({ word }) => word)
}

/** Letters to put in, leave out or change to come from one word to the other (Levenshtein). */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1]
    for (const [at, other] of [...to].entries()) {
      const change = (row[at] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(change, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
