/** What a map is going to ask, before it does: in one line, and as plain data. */

import { type Server, serverText } from './ask/server.ts'
import { ordinaryIn, rangeOf, type Span, spanText } from './judge/span.ts'
import type { Special } from './judge/sweep.ts'
import type { MapOptions } from './options/map.ts'
import { isLoopback } from './plan/budget.ts'

export type MapPlanned = {
  readonly options: MapOptions
  readonly servers: readonly Server[]
  readonly space: readonly Span[]
  readonly special: Special
  readonly sources: readonly number[]
  readonly seed: number
  readonly queries: number
  /** Replies that an earlier run kept. */
  readonly kept: number
}

export type MapPlan = {
  readonly command: 'map'
  readonly name: string
  readonly type: string
  readonly servers: readonly string[]
  readonly space: string
  readonly special: Special
  readonly sources: readonly number[]
  readonly samples: number
  readonly maxQueries: number
  /** Queries a second; absent: no cap. */
  readonly rate?: number
  readonly seed: number
  /** Replies that an earlier run kept. */
  readonly kept: number
}

export function mapPlan(planned: MapPlanned): MapPlan {
  const { options, servers, sources, special, seed, queries, kept } = planned
  const remote = servers.some(server => !isLoopback(server.address))
  return {
    command: 'map',
    name: options.name,
    type: options.type,
    servers: servers.map(serverText),
    space: spaceText(planned),
    special,
    sources,
    samples: options.samples,
    maxQueries: queries,
    ...(remote && { rate: options.rate }),
    seed,
    kept,
  }
}

/** `plan: …`, without a line end. */
export function mapPlanText(plan: MapPlan): string {
  const samples = plan.samples === 1 ? 'a sample' : `${plan.samples} samples`
  const how = plan.samples === 0 ? 'one query a block' : `one query a block and ${samples} in it`
  const parts = [
    `${plan.name} ${plan.type}`,
    plan.space,
    `${how}, ${plan.maxQueries} in all at most`,
    `to ${plan.servers.join(', ')}`,
    ...(plan.rate === undefined ? [] : [paceText(plan.rate, plan.maxQueries)]),
    ...(plan.kept === 0 ? [] : [`${plan.kept} replies kept from before`]),
    `seed ${plan.seed}`,
  ]
  return `plan: ${parts.join(' · ')}`
}

function paceText(rate: number, queries: number): string {
  const minutes = Math.ceil(queries / rate / 60)
  return `${rate} a second, ${minutes} minutes at most`
}

function spaceText({ space, special }: MapPlanned): string {
  const [first, other] = space
  const version = first?.family === 2 ? 'IPv6' : 'IPv4'
  const without = special === 'skipped' && space.some(holdsSpecial)
  const tail = without ? ' without special blocks' : ''
  if (first === undefined || first.bits === 0) return `all of ${version}${tail}`
  if (other === undefined) return `${spanText(first)}${tail}`
  return `${space.length} blocks of ${version}${tail}`
}

function holdsSpecial(span: Span): boolean {
  const range = rangeOf(span)
  return ordinaryIn(range) !== range.to - range.from
}
