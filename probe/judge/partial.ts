/** Why a run ended before it had seen all that it wanted, and how that is said. */

export type Partial =
  | { readonly reason: 'interrupted' }
  | { readonly reason: 'deadline'; readonly seconds: number }
  /** More rounds or scope checks were wanted than `--max-queries` allows. */
  | { readonly reason: 'budget'; readonly queries: number; readonly name: string }
  /** Replies REFUSED, so many in a row that asking on is of no use. */
  | { readonly reason: 'refused'; readonly server: string; readonly replies: number }

/** As documents hold it. */
export type PartialDocument = { readonly reason: Partial['reason']; readonly message: string }

export function partialDocument(partial: Partial | undefined): PartialDocument | undefined {
  return partial && { reason: partial.reason, message: partialText(partial) }
}

/** One sentence, without a full stop. */
export function partialText(partial: Partial): string {
  switch (partial.reason) {
    case 'interrupted':
      return 'interrupted: this is what was seen until then'
    case 'deadline':
      return `the deadline of ${partial.seconds} s is over: this is what was seen until then`
    case 'budget':
      return `--max-queries ${partial.queries} ended the measurement of ${partial.name} early`
    case 'refused':
      return `${partial.server} refused ${partial.replies} queries in a row: nothing more was asked of it`
  }
}
