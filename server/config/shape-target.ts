/**
 * The schema of `targets`: the addresses and host names that a pool hands out.
 */
import * as z from 'zod'
import { isWrong, type Wrong, wrong } from '../fault.ts'
import type { Target } from '../steer/rule.ts'
import { ANY_MAPPING, BY_HAND, keyed, OF_POOLS, reading, refuse } from './brick.ts'
import { hostFrom } from './owner.ts'
import { addressFrom, looksLikeAddress } from './prefix.ts'

/** More than this is no number that anybody measures, and less would still be kept as 0. */
const MOST = 1e30

export function targetsShape() {
  return z
    .array(targetShape())
    .min(1)
    .superRefine((targets, context) => {
      if (targets.length === 0 || targets.some(target => target.weight !== 0)) return
      const reason = wrong('every target has weight 0', 'give at least one a weight above 0')
      refuse(context, [], { reason, spot: 'key' })
    })
}

function targetShape() {
  const weighted = measuredShape().superRefine(eitherOr, ANY_MAPPING).transform(targetOf)
  return z.union([reading(z.string(), targetFrom), weighted], {
    error: 'an address, a host name, or a mapping with address or host',
  })
}

/** A target, and what the operator says of it. */
function measuredShape() {
  return keyed(
    {
      address: reading(z.string(), addressOnly).optional().describe('An IPv4 or IPv6 address.'),
      host: reading(z.string(), hostOnly).optional().describe('A host name, absolute.'),
      check_address: place
        .optional()
        .describe('An address or host to check instead. Default: the target itself.'),
      weight: z
        .int()
        .min(0)
        .max(65_535)
        .default(1)
        .describe('Its share; 0: only when no other is left.'),
      load: z
        .number()
        .min(0)
        .max(MOST)
        .optional()
        .describe('How loaded it is, in any unit: for pick two, least and feedback.'),
      capacity: z
        .number()
        .gt(0)
        .max(MOST)
        .optional()
        .describe('How much it can take, in any unit: for pick feedback.'),
    },
    { said: new Map([...BY_HAND, ...OF_POOLS]) },
  )
}

type Measured = z.output<ReturnType<typeof measuredShape>>

function targetOf(written: Measured): Target {
  const { address, capacity, check_address: checkAt, host, load, weight } = written
  const measured = {
    ...(checkAt !== undefined && { checkAt }),
    ...(load !== undefined && { load }),
    ...(capacity !== undefined && { capacity }),
  }
  return { ...(address ?? host!), weight, ...measured }
}

function eitherOr(target: Readonly<Record<string, unknown>>, context: z.core.$RefinementCtx): void {
  if (Object.hasOwn(target, 'address') !== Object.hasOwn(target, 'host')) return
  if (Object.hasOwn(target, 'host')) {
    const reason = wrong('both address and host', 'keep one of them')
    refuse(context, ['host'], { reason, spot: 'key' })
  } else {
    const reason = wrong('neither address nor host', 'add address: or host:')
    refuse(context, [], { reason, spot: 'key', absent: ['address', 'host'] })
  }
}

type Bare =
  | { readonly kind: 'address'; readonly family: 4 | 6; readonly octets: Uint8Array }
  | { readonly kind: 'host'; readonly name: Uint8Array }

function targetFrom(text: string): Target | Wrong {
  const bare = looksLikeAddress(text) ? addressOnly(text) : hostOnly(text)
  return isWrong(bare) ? bare : { ...bare, weight: 1 }
}

/** What a check connects to: an address, or a host name that the system resolves. */
const place = reading(z.string(), text => {
  const bare = looksLikeAddress(text) ? addressOnly(text) : hostOnly(text)
  return isWrong(bare) ? bare : text
})

function addressOnly(text: string): Bare | Wrong {
  if (text.includes('/')) return wrong(`${text} is a prefix, and a target is one address`)
  const address = addressFrom(text)
  return isWrong(address) ? address : { kind: 'address', ...address }
}

function hostOnly(text: string): Bare | Wrong {
  if (looksLikeAddress(text)) return wrong(`${text} is not a host name`, `write address: ${text}`)
  const name = hostFrom(text)
  return isWrong(name) ? name : { kind: 'host', name }
}
