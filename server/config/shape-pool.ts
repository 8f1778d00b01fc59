/**
 * The schema of `pools`: what is handed out together, where it stands, and when it counts as able
 * to serve.
 */
import * as z from 'zod'
import { wrong } from '../fault.ts'
import {
  ANY_MAPPING,
  BY_HAND,
  keyed,
  type Names,
  named,
  reading,
  reference,
  refuse,
} from './brick.ts'
import { type Countries, countryFlaw } from './country.ts'
import { bias, quorum, spill } from './shape-amount.ts'
import { path, span } from './shape-scalar.ts'
import { targetsShape } from './shape-target.ts'

const STRANGE = {
  said: new Map([
    ...BY_HAND,
    ['last_resort', wrong('last_resort is not of a pool', 'put it into a rule, under steer')],
    ['load', wrong('load is not of a pool', 'give it to each target, or name a file with loads:')],
    ['capacity', wrong('capacity is not of a pool', 'give it to each target')],
    ['weight', wrong('weight is not of a pool', 'give it to each target')],
  ]),
}

export function poolsShape(checks: Names, countries: Countries) {
  const pool = keyed(
    {
      at: placeShape(countries)
        .optional()
        .describe('Where the pool stands: lat and lon, or the middle of a country.'),
      check: reference('check', checks)
        .optional()
        .describe(
          'The check that tells whether its targets are up. Default: all of them always are.',
        ),
      bias: bias
        .optional()
        .describe('Percent, for nearest: 50 halves its distance, -50 doubles it. Default: 0.'),
      quorum: quorum
        .optional()
        .describe('Targets that must be up for it to serve: a count, or a share. Default: 1.'),
      spill: spill
        .optional()
        .describe(
          'Gives clients away while fewer than 1 ÷ spill of its targets are up, instead of all at ' +
            'once below the quorum. 1.4: all are kept down to 71 %, half of them at 36 %.',
        ),
      slow_start: span
        .optional()
        .describe(
          'How long the weight of a target that comes back takes to rise to all of it, from 1 %. ' +
            'Default: it has all of it at once.',
        ),
      loads: loadsShape().optional().describe('A file that tells how loaded its targets are.'),
      targets: targetsShape().describe('What the pool hands out.'),
    },
    STRANGE,
  ).superRefine(reachable, ANY_MAPPING)
  return named(pool)
}

function loadsShape() {
  return keyed({
    file: path.describe(
      'CSV. Its head line says target, then load, capacity or latency (in milliseconds).',
    ),
    max_age: span.prefault('60s').describe('What is older counts as unknown.'),
  })
}

function placeShape(countries: Countries) {
  const degrees = (most: number) => z.number().min(-most).max(most)
  return keyed({
    country: reading(z.string(), code => countryFlaw(code, countries) ?? code)
      .optional()
      .describe('ISO 3166-1 code, two capital letters. Without lat and lon: its middle.'),
    lat: degrees(90).optional().describe('Degrees north of the equator.'),
    lon: degrees(180).optional().describe('Degrees east of Greenwich.'),
  }).superRefine((place, context) => {
    if (Object.hasOwn(place, 'lat') === Object.hasOwn(place, 'lon')) return
    const [has, lacks] = Object.hasOwn(place, 'lat') ? ['lat', 'lon'] : ['lon', 'lat']
    const reason = wrong(`${has} without ${lacks}`, `add ${lacks}, or take ${has} out`)
    refuse(context, [has], { reason, spot: 'key' })
  }, ANY_MAPPING)
}

/** A quorum of more targets than there are is never met. */
function reachable(pool: Readonly<Record<string, unknown>>, context: z.core.$RefinementCtx): void {
  const count = countIn(pool.quorum)
  const targets = Array.isArray(pool.targets) ? pool.targets.length : 0
  if (targets === 0 || count <= targets) return
  const what = `a quorum of ${count} is never met: there ${targets === 1 ? 'is' : 'are'} ${targets}`
  const reason = wrong(`${what} ${targets === 1 ? 'target' : 'targets'}`, `at most ${targets}`)
  refuse(context, ['quorum'], { reason, spot: 'value' })
}

function countIn(quorum: unknown): number {
  const count = (quorum as { readonly count?: unknown } | undefined)?.count
  return typeof count === 'number' ? count : 0
}
