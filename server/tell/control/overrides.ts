/** Overrides for a reader: what each does, in words, and how it stands. */
import { phaseAt } from '../../steer/impose.ts'
import type { Placed } from '../../steer/named.ts'
import type { Does } from '../../steer/override.ts'
import { spanText } from './span.ts'
import type { OverrideTold } from './told.ts'

/** @param now milliseconds of the calendar */
export function overrideTold(placed: Placed, now: number): OverrideTold {
  const { override } = placed
  const { author, does, from, id, made, reason, until } = override
  return {
    ...{ id, does: doesText(does), override: does, author, reason },
    ...{ made: moment(made), from: moment(from) },
    ...(until !== undefined && { until: moment(until) }),
    now: phaseAt(override, now) === 'later' ? 'later' : 'in force',
    ...(placed.kind === 'void' && { void: placed.why }),
  }
}

/** RFC 3339, to the second. */
export function moment(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z')
}

/** Like `drain fra 30 %`. */
export function doesText(does: Does): string {
  switch (does.kind) {
    case 'drain':
      return `drain ${does.what}${does.share === 1 ? '' : ` ${percentText(does.share)}`}`
    case 'force':
      return `force ${does.to} ${does.what}`
    case 'ramp':
      return `ramp ${does.name} from ${does.from} to ${does.to} over ${spanText(does.seconds)}`
    case 'challenge':
      return `acme ${does.name} ${does.token}`
  }
}

function percentText(share: number): string {
  return `${Math.round(share * 10_000) / 100} %`
}
