/**
 * An assertion file as data: what is to be asked, and what must hold of it. Each wish knows its place
 * in the file, so that what fails can be pointed at.
 */
import type { Place } from '../judge/ruling.ts'
import type { Preset } from '../plan/preset.ts'

export type Check = {
  /** As it is asked: lower case, no trailing dot. */
  readonly name: string
  readonly types: readonly string[]
  /** Words as on the command line, without `@`; empty: the zone's own name servers. */
  readonly servers: readonly string[]
  /** Client subnets; empty: those of the countries. */
  readonly subnets: readonly string[]
  /** Country codes; empty: the default panel. */
  readonly countries: readonly string[]
  /** Absent: universities and providers. */
  readonly preset: Preset | undefined
  /** Queries in a row for `dns2`. */
  readonly count: number | undefined
  readonly wishes: readonly Wish[]
  readonly at: Place
}

/** One assertion. */
export type Wish = Wanted & {
  /** Its keys in the file: `ttl.min`. */
  readonly label: string
  readonly at: Place
}

export type Wanted =
  | { readonly kind: 'rotation'; readonly codes: readonly string[] }
  | { readonly kind: 'least'; readonly addresses: number }
  | { readonly kind: 'addresses'; readonly set: WishedSet }
  | { readonly kind: 'country'; readonly country: string; readonly set: WishedSet }
  /** Answers or codes of `ecs`. */
  | { readonly kind: 'verdict'; readonly words: readonly string[] }
  | { readonly kind: 'scope'; readonly bound: 'min' | 'max'; readonly bits: number }
  | { readonly kind: 'ttl'; readonly bound: 'min' | 'max'; readonly seconds: number }
  | { readonly kind: 'ttl-policy'; readonly policy: TtlPolicy }
  | { readonly kind: 'all-ns' }
  | { readonly kind: 'forbid'; readonly id: string }

export type TtlPolicy = 'constant' | 'counting-down'

export type WishedSet = {
  readonly how: 'exactly' | 'contains' | 'within'
  /** Addresses or rdata; prefixes where `within`. */
  readonly list: readonly string[]
}

export type Measurement = 'dns2' | 'ecs'

/** Which measurements the wishes of a check need, in the order they are made. */
export function measurementsFor(check: Check): readonly Measurement[] {
  const needed = new Set(check.wishes.flatMap(measurementOf))
  if (needed.size === 0) needed.add('dns2')
  return (['dns2', 'ecs'] as const).filter(one => needed.has(one))
}

/** Addresses are judged by whatever is measured anyway. */
function measurementOf(wish: Wish): readonly Measurement[] {
  switch (wish.kind) {
    case 'rotation':
    case 'least':
    case 'ttl':
    case 'ttl-policy':
      return ['dns2']
    case 'country':
    case 'verdict':
    case 'scope':
    case 'all-ns':
      return ['ecs']
    case 'forbid':
      return wish.id.startsWith('ECS') ? ['ecs'] : ['dns2']
    case 'addresses':
      return []
  }
}
