/**
 * Rounds: every subnet once and every control once, in an order that differs from round to round.
 * A server that counts its answers then cannot look as if it knew geography (spec: C2).
 */

import { type Chance, shuffled } from './chance.ts'
import type { Question, Subnet } from './question.ts'
import { NOBODY4, NOBODY6 } from './subnet.ts'

/** Some name and type to be asked. */
export type Subject = { readonly name: string; readonly type: string }

/** No option at all, and SOURCE 0 of both families. */
export const CONTROLS: readonly (Subnet | undefined)[] = [undefined, NOBODY4, NOBODY6]

/** Whether queries are sent that the others are compared with. */
export type Controls = 'sent' | 'unsent'

/** The controls of each round. */
export function controlsOf(controls: Controls): readonly (Subnet | undefined)[] {
  return controls === 'sent' ? CONTROLS : []
}

/** One complete round. */
export function roundOf(
  subject: Subject,
  panel: readonly Subnet[],
  round: number,
  chance: Chance,
  sending: Controls = 'sent',
): readonly Question[] {
  const controls = controlsOf(sending).map(
    (subnet): Question => ({ ...subject, subnet, round, purpose: 'control' }),
  )
  return shuffled(chance, [...samplesOf(subject, panel, round), ...controls])
}

/** One question for each subnet, in the order of the panel. */
export function samplesOf(
  subject: Subject,
  panel: readonly Subnet[],
  round: number,
): readonly Question[] {
  return panel.map(subnet => ({ ...subject, subnet, round, purpose: 'sample' }))
}

/** The same question so many times in a row: what `dns2` asks, as a rule for no client subnet. */
export function inARow(
  subject: Subject,
  count: number,
  subnet: Subnet | undefined,
): readonly Question[] {
  return Array.from({ length: count }, (_, index) => ({
    ...subject,
    subnet,
    round: index + 1,
    purpose: 'sample',
  }))
}
