/**
 * What one serving thread guards the line with, and what all of them share of it: accounts of rate
 * limits, and who is known.
 */
import { type Chance, drawBits } from '../steer/chance.ts'
import { type Known, known } from './known.ts'
import { type Overload, overload } from './overload.ts'
import {
  type Accounts,
  accounts,
  NO_RRL,
  type Rrl,
  type RrlOptions,
  type RrlPolicy,
  rrl,
  rrlPolicy,
} from './rrl.ts'

/** What the operator wants. */
export type GuardPolicy = {
  readonly rrl: RrlPolicy
  /** Milliseconds after which nobody waits for a reply any more: heeded when there is too much to do. */
  readonly maxAge: number
  /** Whether anybody may be turned away when there is too much to do. */
  readonly shedding: 'on' | 'off'
}

/** @param options `maxAgeMs` in milliseconds; without `rrl` nobody is limited */
export function guardPolicy(options: {
  readonly maxAgeMs: number
  readonly shedding: 'on' | 'off'
  readonly rrl?: RrlOptions | undefined
}): GuardPolicy {
  const { maxAgeMs: maxAge, rrl: limits, shedding } = options
  return { rrl: limits === undefined ? NO_RRL : rrlPolicy(limits), maxAge, shedding }
}

/** In memory that threads share. They outlive Worlds and threads. */
export type Limits = { readonly accounts: Accounts; readonly known: Known }

/** One thread's. */
export type Guard = {
  readonly limits: Limits
  readonly rrl: Rrl
  readonly overload: Overload
  /** When the messages at hand came, in ticks of `rrl.ts`. */
  ticks: number
}

export function openLimits(chance: Chance): Limits {
  return { accounts: accounts(drawBits(chance)), known: known(drawBits(chance)) }
}

export function openGuard(limits: Limits, chance: Chance): Guard {
  const own = limitsOf(limits)
  const { accounts, known } = own
  return { limits: own, rrl: rrl(accounts), overload: overload(known, chance), ticks: 0 }
}

/** The same, of one shape wherever they come from: what another thread has sent has another. */
function limitsOf({ accounts, known }: Limits): Limits {
  const { notice, seed, table } = accounts
  return {
    accounts: { table, notice, seed },
    known: { words: known.words, seed: known.seed },
  }
}
