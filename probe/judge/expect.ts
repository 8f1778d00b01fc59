/** Holds judgements against what was expected: pure functions that end in an exit code. */
import type { Judgement } from './judgement.ts'

export type Condition =
  | { readonly kind: 'timeout' | 'partial' | 'rcode' | 'no-ecs' | 'fake-geo' | 'mis-scoped' }
  | { readonly kind: 'ns-inconsistent' | 'inconclusive' }
  | { readonly kind: 'verdict-is-not'; readonly wish: string }

/** Reads one condition of `--fail-on`; undefined where it is none. */
export declare function readCondition(text: string): Condition | undefined

/** Whether `--expect` knows the word: an answer or a code. */
export declare function isWish(text: string): boolean

export type Wishes = {
  readonly expect?: string | undefined
  readonly failOn?: readonly Condition[]
  /** How an unclear verdict ends where something was expected: 3, or 1 (strict), or 0 (lenient). */
  readonly inconclusive?: 'report' | 'strict' | 'lenient'
}

/** 0 · 1 failed · 3 inconclusive · 4 partial · 9 no reply; and one sentence for each thing that failed. */
export declare function settle(
  judgements: readonly Judgement[],
  wishes: Wishes,
): { readonly exit: 0 | 1 | 3 | 4 | 9; readonly failed: readonly string[] }
