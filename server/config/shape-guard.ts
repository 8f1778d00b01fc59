/**
 * The schema of what keeps the server standing: how much is told to one network (`rrl`), and what is
 * left undone when there is too much to do (`overload`).
 */
import * as z from 'zod'
import { wrong } from '../fault.ts'
import { keyed, refuse } from './brick.ts'
import type { GuardOptions, Rates } from './config.ts'
import { onOff, prefix, span } from './shape-scalar.ts'

const USUAL_RATE = 20
const MOST_RATE = 10_000
const MOST_WINDOW = 3600
/** Resolvers give up after some seconds; what is older is nobody's. */
const MOST_AGE = 60

const rate = z
  .union([z.int().min(1).max(MOST_RATE), z.literal('off')], {
    error: `replies a second, 1 to ${MOST_RATE}, or off`,
  })
  .meta({ examples: [20, 'off'] })

type Rate = z.output<typeof rate>

function within(least: number, most: number) {
  return span.superRefine((seconds, context) => {
    if (seconds >= least && seconds <= most) return
    const reason = wrong(`${seconds} s is out of range`, `write ${least}s to ${most}s`)
    refuse(context, [], { reason, spot: 'value' })
  })
}

/** A rate alone is that of everything, and all else as it is by itself. */
export function rrlShape() {
  const whole = keyed({
    per_second: rate
      .prefault(USUAL_RATE)
      .describe('How often one answer, to one type of one name, is told to one network.'),
    nodata: rate.optional().describe('Likewise that a name has no such type. Default: per_second.'),
    nxdomain: rate
      .optional()
      .describe('Likewise that names of one zone do not exist. Default: per_second.'),
    referrals: rate.optional().describe('Likewise of one delegation. Default: per_second.'),
    errors: rate.optional().describe('Likewise all other codes together. Default: per_second.'),
    all: rate.prefault('off').describe('All replies to one network together.'),
    slip: z
      .int()
      .min(0)
      .max(10)
      .prefault(2)
      .describe(
        'Of what is over the limit, every so many is truncated and sent, so that a real client comes over TCP. 1: all; 0: none.',
      ),
    window: within(1, MOST_WINDOW)
      .prefault('15s')
      .describe(
        'For how long a flood is remembered: only that long after it are replies told again.',
      ),
    ipv4_prefix: z.int().min(1).max(32).prefault(24).describe('How large a network is.'),
    ipv6_prefix: z.int().min(1).max(64).prefault(56).describe('Likewise of IPv6.'),
    exempt: z.array(prefix).prefault([]).describe('Sources without a limit.'),
    log_only: onOff
      .prefault(false)
      .describe('on: what would be limited is counted and logged, and sent all the same.'),
  })
  const bare = rate.transform(written =>
    written === 'off' ? undefined : whole.parse({ per_second: written }, { jitless: true }),
  )
  return z.union([bare, whole], { error: 'replies a second, off, or a mapping' })
}

export function overloadShape() {
  return keyed({
    max_age: within(1, MOST_AGE)
      .prefault('1s')
      .describe(
        'How long a query may have waited in the kernel when there is too much to do: it is not read then, as nobody waits for its reply.',
      ),
    shed: onOff
      .prefault(true)
      .describe(
        'on: where there is too much to do, sources that ask for more than their share, then those never seen before, are not answered over UDP.',
      ),
  })
}

type Written = {
  readonly rrl?: z.output<ReturnType<typeof rrlShape>> | undefined
  readonly overload: z.output<ReturnType<typeof overloadShape>>
}

export function guardOf({ overload, rrl }: Written): GuardOptions {
  return {
    maxAgeMs: 1000 * overload.max_age,
    shedding: overload.shed ? 'on' : 'off',
    rrl: rrl && {
      rates: ratesOf(rrl),
      slip: rrl.slip,
      window: rrl.window,
      bits4: rrl.ipv4_prefix,
      bits6: rrl.ipv6_prefix,
      exempt: rrl.exempt,
      mode: rrl.log_only ? 'log-only' : 'on',
    },
  }
}

function ratesOf({ all, errors, nodata, nxdomain, per_second, referrals }: RatesWritten): Rates {
  const of = (written: Rate = per_second) => (written === 'off' ? 0 : written)
  return {
    answer: of(),
    nodata: of(nodata),
    nxdomain: of(nxdomain),
    referral: of(referrals),
    error: of(errors),
    all: of(all),
  }
}

type RatesWritten = { readonly per_second: Rate; readonly all: Rate } & {
  readonly [key in 'errors' | 'nodata' | 'nxdomain' | 'referrals']?: Rate | undefined
}
