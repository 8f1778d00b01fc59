/**
 * What a resolver does with client subnets, from its canaries: one word, every way that was tried, and
 * whether what is measured through it can be believed.
 */
import { type CanaryFate, type CanarySeen, type Fate, fateOf, hasStrayBits } from './canary.ts'
import { octetsOf, readReflection, sharesBits } from './mirror.ts'
import type { EchoState } from './reply.ts'

/** Stable: printed and scripted against. */
export const RESOLVER_VERDICTS = [
  'forwards', 'truncates', 'substitutes', 'strips', 'echoes-only', 'refuses', 'unknown',
] as const // biome-ignore format: list

export type ResolverVerdict = (typeof RESOLVER_VERDICTS)[number]

export type Ways = {
  /** Of the option that comes back for ordinary subnets. */
  readonly echo: EchoState | 'mixed' | undefined
  /** Of the scope that the authority gave: does the client see it? */
  readonly scope: 'shown' | 'hidden' | 'changed' | undefined
  readonly ipv6: Fate | undefined
  readonly shorter: Fate | 'mixed' | undefined
  readonly longer: Fate | 'mixed' | undefined
  readonly private: Fate | undefined
  readonly documentation: Fate | undefined
  readonly hostBits: 'cleared' | 'passed' | 'refused' | 'stripped' | undefined
  /** SOURCE 0: nothing is added, or the resolver's own address, or the client's network all the same. */
  readonly nobody: 'kept' | 'own-address' | 'client-added' | 'refused' | undefined
  readonly cache: 'by-scope' | 'by-subnet' | 'ignores-subnet' | undefined
}

export type Calibration = {
  /** `address#port` */
  readonly server: string
  /** The zone that reflected; absent where none did. */
  readonly zone: string | undefined
  readonly verdict: ResolverVerdict
  /** Whether ordinary subnets did not all meet the same fate. */
  readonly steadiness: 'steady' | 'mixed'
  readonly ways: Ways
  /** Prefix lengths it truncates to, networks it puts in place, addresses it asks from. */
  readonly lengths: readonly number[]
  readonly substitutes: readonly string[]
  readonly egress: readonly string[]
  /** `intact`: what is measured through it counts; `altered`: it does not; absent: not known. */
  readonly path: 'intact' | 'altered' | undefined
  readonly canaries: readonly CanaryFate[]
}

export function judgeResolver(
  server: string,
  zone: string | undefined,
  seen: readonly CanarySeen[],
): Calibration {
  const canaries = seen.map(fateOf)
  const usual = canaries.filter(({ kind }) => kind === 'usual')
  const verdict = verdictOf(usual, canaries)
  const ways = waysOf(usual, canaries, seen)
  const steadiness = new Set(usual.map(({ fate }) => fate)).size > 1 ? 'mixed' : 'steady'
  const told = canaries.filter(({ fate }) => fate === 'truncated')
  const lengths = told.map(({ told }) => Number(told?.replace(/.*\//, '')))
  const replaced = canaries.filter(({ fate, kind }) => fate === 'replaced' && kind !== 'cached')
  return {
    server,
    zone: canaries.some(isReflected) ? zone : undefined,
    verdict,
    steadiness,
    ways,
    lengths: distinct(lengths).sort((a, b) => a - b),
    substitutes: distinct(replaced.flatMap(({ told }) => told ?? [])),
    egress: distinct(canaries.flatMap(({ egress }) => egress ?? [])),
    path: pathOf(verdict, steadiness, ways),
    canaries,
  }
}

/** @param usual those for ordinary subnets, of all canaries */
function waysOf(
  usual: readonly CanaryFate[],
  canaries: readonly CanaryFate[],
  seen: readonly CanarySeen[],
): Ways {
  const of = (kind: string): readonly CanaryFate[] => canaries.filter(one => one.kind === kind)
  return {
    echo: one(usual.filter(({ fate }) => !isLost(fate)).map(({ echo }) => echo)),
    scope: scopeOf(usual),
    ipv6: of('ipv6')[0]?.fate,
    shorter: one(of('shorter').map(({ fate }) => fate)),
    longer: one(of('longer').map(({ fate }) => fate)),
    private: of('private')[0]?.fate,
    documentation: of('documentation')[0]?.fate,
    hostBits: hostBitsOf(seen.find(({ kind }) => kind === 'dirty')),
    nobody: nobodyOf(of('nobody'), of('bare')),
    cache: cacheOf(of('cached')),
  }
}

function isReflected({ fate }: CanaryFate): boolean {
  return fate === 'as-sent' || fate === 'truncated' || fate === 'replaced' || fate === 'stripped'
}

function isLost(fate: Fate): boolean {
  return fate === 'silent' || fate === 'failed' || fate === 'unseen' || fate === 'refused'
}

/** The fate that most ordinary subnets met; a tie is of what spoils more. */
function verdictOf(usual: readonly CanaryFate[], all: readonly CanaryFate[]): ResolverVerdict {
  const count = (fate: Fate): number => usual.filter(one => one.fate === fate).length
  const order: readonly Fate[] = ['refused', 'replaced', 'truncated', 'stripped', 'as-sent']
  const [most] = order.toSorted((a, b) => count(b) - count(a))
  if (most === undefined || count(most) === 0 || !all.some(isReflected)) {
    return count('refused') > 0 ? 'refuses' : 'unknown'
  }
  if (most === 'refused') return 'refuses'
  if (most === 'replaced') return 'substitutes'
  if (most === 'truncated') return 'truncates'
  if (most === 'as-sent') return 'forwards'
  // RFC 7871 §7.2.2: scope 0 says truthfully that the answer is for everybody; a longer one does not
  const claims = usual.some(
    ({ fate, echo, scope }) => fate === 'stripped' && echo === 'exact' && (scope.got ?? 0) > 0,
  )
  return claims ? 'echoes-only' : 'strips'
}

/** What the authority gave is known from its own words, or, where it does not say, from what came. */
function scopeOf(usual: readonly CanaryFate[]): Ways['scope'] {
  const passed = usual.filter(({ fate }) => fate === 'as-sent' || fate === 'truncated')
  const states = passed.map(({ scope: { given, got } }) => {
    if (given === undefined) return (got ?? 0) > 0 ? 'shown' : undefined
    if (given === (got ?? 0)) return 'shown'
    return (got ?? 0) === 0 ? 'hidden' : 'changed'
  })
  if (states.includes('hidden')) return 'hidden'
  if (states.includes('changed')) return 'changed'
  return states.length > 0 && states.every(state => state === 'shown') ? 'shown' : undefined
}

function hostBitsOf(dirty: CanarySeen | undefined): Ways['hostBits'] {
  if (dirty === undefined) return undefined
  const { fate } = fateOf(dirty)
  if (fate === 'refused' || fate === 'stripped') return fate
  const told = readReflection(dirty.seen.answers)?.told
  if (told === undefined || fate === 'replaced') return undefined
  return hasStrayBits(told) ? 'passed' : 'cleared'
}

/** RFC 7871 §7.1.2: the client's network must not be added; the resolver's own address may be. */
function nobodyOf(nobody: readonly CanaryFate[], bare: readonly CanaryFate[]): Ways['nobody'] {
  const seen = nobody.filter(one => isReflected(one) || one.fate === 'refused')
  if (seen.length === 0) return undefined
  if (seen.some(({ fate }) => fate === 'refused')) return 'refused'
  const added = seen.filter(({ fate }) => fate === 'replaced')
  if (added.length === 0) return 'kept'
  if (added.every(isOwn)) return 'own-address'
  const usual = new Set(bare.map(({ told }) => told))
  return added.some(({ told }) => usual.has(told)) ? 'client-added' : undefined
}

/** Whether the network holds the address that the authority was asked from. */
function isOwn({ told = '', egress = '' }: CanaryFate): boolean {
  const [address = '', bits] = told.split('/')
  const [network, asker] = [octetsOf(address), octetsOf(egress)]
  return network !== undefined && asker !== undefined && sharesBits(network, asker, Number(bits))
}

/**
 * The second of one block may be answered with what the first was told; the third, of another block,
 * may not. Says nothing where the authority's scope was not the /16 that was asked for.
 */
function cacheOf(cached: readonly CanaryFate[]): Ways['cache'] {
  const [first, sibling, elsewhere] = cached
  if (first?.fate !== 'as-sent' || first.scope.given !== 16) return undefined
  if (elsewhere?.told === first.told) return 'ignores-subnet'
  if (elsewhere?.fate !== 'as-sent') return undefined
  if (sibling?.told === first.told) return 'by-scope'
  return sibling?.fate === 'as-sent' ? 'by-subnet' : undefined
}

/** A6: what goes through counts where every ordinary subnet arrives and its scope comes back. */
function pathOf(
  verdict: ResolverVerdict,
  steadiness: Calibration['steadiness'],
  ways: Ways,
): Calibration['path'] {
  if (verdict === 'unknown') return undefined
  const { echo, scope } = ways
  if (verdict !== 'forwards' || steadiness === 'mixed' || echo !== 'exact') return 'altered'
  if (scope === 'hidden' || scope === 'changed') return 'altered'
  return scope === 'shown' ? 'intact' : undefined
}

function one<T>(values: readonly T[]): T | 'mixed' | undefined {
  const [first] = values
  return values.every(value => value === first) ? first : 'mixed'
}

function distinct<T>(values: readonly T[]): T[] {
  return [...new Set(values)]
}
