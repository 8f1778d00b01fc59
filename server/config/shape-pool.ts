/**
 * The schema of `pools` and `checks`: what is handed out, where it stands, and how it is checked.
 */
import * as z from 'zod'
import { isWrong, type Wrong, wrong } from '../fault.ts'
import type { Country } from '../geo/countries.ts'
import type { Target } from '../steer/rule.ts'
import { ANY_MAPPING, keyed, named, reading, reference, refuse, word } from './brick.ts'
import { countryFlaw } from './country.ts'
import { hostFrom } from './owner.ts'
import { addressFrom, looksLikeAddress } from './prefix.ts'
import { path, span } from './shape-scalar.ts'

const LATER_IN_POOL = ['quorum', 'spill', 'last_resort', 'slow_start', 'drain', 'down', 'load']
const LATER_IN_CHECK = [
  ...['host', 'status', 'ok', 'body', 'header', 'headers', 'method', 'sni', 'query', 'command'],
  ...['fast_every', 'initial', 'address', 'all', 'any', 'of', 'load', 'capacity', 'days'],
]

export function poolsShape(checks: readonly string[], countries: ReadonlyMap<string, Country>) {
  const pool = keyed(
    {
      at: placeShape(countries).optional().describe('Where the pool stands.'),
      check: reference('check', checks)
        .optional()
        .describe('The check that tells whether its targets are up. Not run in this version.'),
      targets: targetsShape().describe('What the pool hands out.'),
    },
    LATER_IN_POOL,
  )
  return named(pool)
}

export function checksShape() {
  const times = z.int().min(1)
  const check = keyed(
    {
      type: word('check', [
        'http',
        'https',
        'tcp',
        'tls',
        'dns',
        'exec',
        'file',
        'push',
        'grpc',
      ]).describe('What is tried.'),
      path: path.optional().describe('The path that is asked for, or of the file or program.'),
      port: z.int().min(1).max(65_535).optional().describe('The port that is checked.'),
      every: span.optional().describe('How often.'),
      timeout: span.optional().describe('How long a check may take.'),
      fall: times.optional().describe('Failures in a row that make a target down.'),
      rise: times.optional().describe('Passes in a row that make a target up.'),
    },
    LATER_IN_CHECK,
  )
  return named(check)
}

function placeShape(countries: ReadonlyMap<string, Country>) {
  const degrees = (most: number) => z.number().min(-most).max(most)
  return keyed({
    country: reading(z.string(), code => countryFlaw(code, countries) ?? code)
      .optional()
      .describe('ISO 3166-1 code, two capital letters.'),
    lat: degrees(90).optional().describe('Degrees north of the equator.'),
    lon: degrees(180).optional().describe('Degrees east of Greenwich.'),
  }).superRefine((place, context) => {
    if (Object.hasOwn(place, 'lat') === Object.hasOwn(place, 'lon')) return
    const [has, lacks] = Object.hasOwn(place, 'lat') ? ['lat', 'lon'] : ['lon', 'lat']
    const reason = wrong(`${has} without ${lacks}`, `add ${lacks}, or take ${has} out`)
    refuse(context, [has], { reason, spot: 'key' })
  }, ANY_MAPPING)
}

function targetsShape() {
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
  const weighted = keyed({
    address: reading(z.string(), addressOnly).optional().describe('An IPv4 or IPv6 address.'),
    host: reading(z.string(), hostOnly).optional().describe('A host name, absolute.'),
    weight: z
      .int()
      .min(0)
      .max(65_535)
      .default(1)
      .describe('Its share; 0: only when no other is left.'),
  })
    .superRefine((target, context) => {
      if (Object.hasOwn(target, 'address') !== Object.hasOwn(target, 'host')) return
      const both = Object.hasOwn(target, 'host')
      if (both) {
        const reason = wrong('both address and host', 'keep one of them')
        refuse(context, ['host'], { reason, spot: 'key' })
      } else {
        const reason = wrong('neither address nor host', 'add address: or host:')
        refuse(context, [], { reason, spot: 'key', absent: ['address', 'host'] })
      }
    }, ANY_MAPPING)
    .transform(({ address, host, weight }) => ({ ...(address ?? host!), weight }))
  return z.union([reading(z.string(), targetFrom), weighted], {
    error: 'an address, a host name, or a mapping with address or host',
  })
}

type Bare =
  | { readonly kind: 'address'; readonly family: 4 | 6; readonly octets: Uint8Array }
  | { readonly kind: 'host'; readonly name: Uint8Array }

function targetFrom(text: string): Target | Wrong {
  const bare = looksLikeAddress(text) ? addressOnly(text) : hostOnly(text)
  return isWrong(bare) ? bare : { ...bare, weight: 1 }
}

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
