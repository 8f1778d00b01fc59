/**
 * Flags as values in their range. What is wrong leaves the middle of a long object as a `Misuse`, and
 * that ends in `attempt`.
 */

import { readPort } from '../ask/server.ts'
import { type Wrong, wrong } from '../plan/wrong.ts'

/** A flag as commander declares it, and its help. */
export type FlagRow = readonly [flags: string, help: string, gather?: Gather]

/** How the values of a flag that repeats come together. */
export type Gather = (value: string, before: readonly string[] | undefined) => readonly string[]

/** Gathers a flag that may repeat. */
export const collected: Gather = (value, before) => [...(before ?? []), value]

/** Gathers a flag that may repeat and hold several, with commas between. */
export const listed: Gather = (value, before) => [
  ...(before ?? []),
  ...value.split(',').filter(word => word !== ''),
]

/** Carries a `Wrong` out of the middle of a long object, as far as `attempt`. */
export class Misuse extends Error {
  readonly reason: Wrong

  constructor(reason: Wrong) {
    super(reason.wrong)
    this.reason = reason
  }
}

/** What is made, or the first misuse on the way there. */
export function attempt<T>(make: () => T): T | Wrong {
  try {
    return make()
  } catch (cause) {
    if (cause instanceof Misuse) return cause.reason
    throw cause
  }
}

export function whole(flag: string, text: string, least: number, most: number): number {
  const value = /^[0-9]{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (value >= least && value <= most) return value
  throw new Misuse(wrong(`${flag} ${text}: not a whole number from ${least} to ${most}`))
}

export function real(flag: string, text: string, least: number, most: number): number {
  const value = /^[0-9.]+(e-?[0-9]+)?$/.test(text) ? Number(text) : Number.NaN
  if (value >= least && value <= most) return value
  throw new Misuse(wrong(`${flag} ${text}: not a number from ${least} to ${most}`))
}

export function portOf(text: string): number {
  const port = readPort(text)
  if (port !== undefined) return port
  throw new Misuse(wrong(`--port ${text}: not a port`, 'write 1 to 65535'))
}
