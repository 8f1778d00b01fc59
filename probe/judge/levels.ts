/**
 * Both levels of the question, weighed at one look: does the answer depend on the subnet, and does
 * that go with geography. Two looks are allowed, so each must pass half of alpha.
 */
import { chance, draw } from './chance.ts'
import { dependence, type Trial } from './dependence.ts'
import { type Grid, variesWithin } from './grid.ts'
import type { EcsOptions } from './options.ts'
import { regionTest } from './region.ts'
import type { RegionTest, Test } from './verdict.ts'

/**
 * yes: goes with the region. no: subnets of one region disagree as much as those of two. untested:
 * no two subnets share a known region. unsure: in between, or too few subnets to tell.
 */
export type Geography = 'yes' | 'no' | 'untested' | 'unsure'

export type Levels = {
  readonly limit: number
  readonly subnet: Test | undefined
  readonly dependent: boolean
  readonly region: RegionTest | undefined
  readonly geography: Geography
  readonly varies: boolean
}

/** Subnets of one region disagree as much as those of two from this share of the distance on. */
const AS_MUCH = 0.7

/** Above it subnets of two regions mostly differ. */
const MOSTLY = 0.5

const PERMUTATIONS = 19_999

export function weighLevels(grid: Grid, options: EcsOptions): Levels {
  const limit = (options.alpha ?? 0.001) / 2
  const permutations = options.permutations ?? PERMUTATIONS
  const seeds = chance(options.seed)
  const trial = { permutations, seed: draw(seeds), exchange: 'everywhere' } as const
  const subnet = dependence(grid, trial)
  const dependent = subnet !== undefined && subnet.p <= limit
  const region = dependent ? regionTest(grid, limit, permutations, draw(seeds)) : undefined
  const geography = geographyOf(grid, region, limit, { ...trial, exchange: 'within-regions' })
  return { limit, subnet, dependent, region, geography, varies: variesWithin(grid) }
}

function geographyOf(
  grid: Grid,
  region: RegionTest | undefined,
  limit: number,
  trial: Trial,
): Geography {
  if (region === undefined) return 'untested'
  if (region.p <= limit) return 'yes'
  if (region.within < AS_MUCH * region.across) return 'unsure'
  // Where most subnets agree, the few that do not can fall in any region: the test could not have
  // said yes, so it must not say no.
  if (region.attainable > limit && region.across < MOSTLY) return 'unsure'
  // Where a pool rotates, two subnets of one region have seen different parts of it: that is no
  // disagreement. They must differ by more than exchanging their answers explains.
  const inside = dependence(grid, trial)
  return inside !== undefined && inside.p <= limit ? 'no' : 'unsure'
}
