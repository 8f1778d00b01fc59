/**
 * The map of a steered name as a picture or in figures: brings together what was loaded and what
 * drawing needs of the world.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { nameText } from './dns/name.ts'
import { readCountries } from './geo/countries.ts'
import type { Serving } from './load.ts'
import { basisOf } from './tell/clients.ts'
import { baseNames } from './tell/file.ts'
import { censusOf } from './tell/map/census.ts'
import { type Counting, censusJson, censusText } from './tell/map/census-text.ts'
import { pictureText } from './tell/picture/picture.ts'
import { territoryOf } from './tell/picture/territory.ts'

const require = createRequire(import.meta.url)
const COUNTRIES = require.resolve('#data/geo/countries.csv')
const ATLAS = require.resolve('world-atlas/countries-50m.json')

/** Draws a slot: an SVG document. */
export function drawn({ config, geo, sites, world }: Serving, slot: number): string {
  const { digest, steering } = world
  const points = config.policy.pools.flatMap(({ name, point }) =>
    point === undefined ? [] : [[name, point] as const],
  )
  return pictureText({
    territory: territoryOf(steering, sites, slot),
    basis: basisOf(sites),
    title: titleOf(steering.owners[slot]),
    subtitle: [`digest ${digest}, geo data: ${geoText(geo)}`],
    countries: readCountries(readFileSync(COUNTRIES, 'utf8')),
    atlas: JSON.parse(readFileSync(ATLAS, 'utf8')),
    points: new Map(points),
  })
}

/** Counts a slot, for a person or for a program. */
export function counts(
  { geo, sites, world }: Serving,
  slot: number,
  options: { readonly families: readonly (4 | 6)[]; readonly format: 'text' | 'json' },
): string {
  const { digest, steering } = world
  const of: Counting = { name: titleOf(steering.owners[slot]), digest, geo: geoText(geo) }
  const censuses = options.families.map(family => censusOf(steering, sites, slot, family))
  return options.format === 'json' ? censusJson(of, censuses) : censusText(of, censuses)
}

/** A name as people write it: without its last dot. */
function titleOf(owner: Uint8Array | undefined): string {
  return nameText(owner ?? Uint8Array.of(0)).replace(/(.)\.$/, '$1')
}

function geoText({ names, built }: Serving['geo']): string {
  return names.length === 0 ? 'none' : `${baseNames(names)} of ${built}`
}
