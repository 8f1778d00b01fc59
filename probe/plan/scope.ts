/**
 * Scope checks: a reply that says "good for this block" is tried at other places of the block. Which
 * blocks and places is the judge's affair; here they become questions that fit into the budget.
 */

import type { Question, Subnet } from './question.ts'
import type { Subject } from './rounds.ts'

/** Places to be asked for inside one block. */
export type Places = { readonly samples: readonly Subnet[] }

/** Samples in each block: a wrong half of it is found with 95 %, with 29 a wrong tenth. */
export const SCOPE_SAMPLES = { usual: 5, thorough: 29 } as const

/**
 * One question for each place; when they do not all fit, every block gets as many as the others.
 *
 * @param most how many questions may still be asked
 * @param round the round they are made after
 */
export function scopeQuestions(
  subject: Subject,
  blocks: readonly Places[],
  most: number,
  round: number,
): readonly Question[] {
  const all = blocks.reduce((sum, block) => sum + block.samples.length, 0)
  const each = all <= most ? Number.POSITIVE_INFINITY : Math.floor(most / blocks.length)
  return blocks.flatMap(block =>
    block.samples
      .slice(0, each)
      .map((subnet): Question => ({ ...subject, subnet, round, purpose: 'scope' })),
  )
}
