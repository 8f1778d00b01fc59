/** A page of `lbprobe explain`: five short paragraphs about one word. Data only. */

export type Page = {
  /** What the word means. */
  readonly means: string
  /** How it was decided, and the evidence to look at. */
  readonly shown: string
  /** Why it matters. */
  readonly matters: string
  /** What to do. */
  readonly next: string
  /** What else it could be. */
  readonly unless: string
  /** The clause that it rests on; findings have theirs in the table of rules. */
  readonly section?: string
}
