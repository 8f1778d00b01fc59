/** Whether and with which zone `ecs` calibrates a resolver before it believes what comes through. */

import { isWrong } from '../plan/wrong.ts'
import { readName } from '../words.ts'
import { type FlagRow, Misuse } from './read.ts'

export type CalibrateFlags = {
  /** A zone; `false` with `--no-calibrate`. */
  readonly calibrate?: string | false
}

export type CalibrateOptions = {
  readonly calibration:
    | { readonly kind: 'off' }
    /** With the zones that everybody may ask, and not through a resolver on this machine. */
    | { readonly kind: 'public' }
    | { readonly kind: 'zone'; readonly zone: string }
}

// biome-ignore format: table
export const CALIBRATE_FLAGS: readonly FlagRow[] = [
  ['--calibrate <zone>', 'zone that reflects client subnets, to try a resolver with (default: public ones)'],
  ['--no-calibrate', 'do not try the resolver first'],
]

export function calibrateOptions({ calibrate }: CalibrateFlags): CalibrateOptions {
  if (calibrate === false) return { calibration: { kind: 'off' } }
  if (calibrate === undefined) return { calibration: { kind: 'public' } }
  const zone = readName(calibrate)
  if (isWrong(zone)) throw new Misuse(zone)
  return { calibration: { kind: 'zone', zone } }
}
