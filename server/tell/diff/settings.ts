/**
 * What two configurations say otherwise beside their maps: how a name answers, and what a pool hands
 * out. In the words of the configuration.
 */
import { addressText } from '../../dns/address.ts'
import { nameText } from '../../dns/name.ts'
import { hexText } from '../../dns/octets.ts'
import { typeText } from '../../dns/rrtype.ts'
import type { LastResort, Policy, Pool, Quorum, Rule, Service, Target } from '../../steer/rule.ts'

/** Absent: not said before, or not said any more. */
export type Change = {
  readonly what: string
  readonly from: string | undefined
  readonly to: string | undefined
}

export type PoolDiff = {
  readonly name: string
  readonly kind: 'added' | 'removed' | 'changed'
  /** Targets. */
  readonly added: readonly string[]
  readonly removed: readonly string[]
  readonly changes: readonly Change[]
}

type Settings = ReadonlyMap<string, string | undefined>

/** How a name answers otherwise than before. */
export function ruleChanges(old: Policy, before: Rule, now: Policy, after: Rule): Change[] {
  return changesOf(ruleSettings(old, before), ruleSettings(now, after))
}

/** The pools that are new, gone or not as before, in the order of the configurations. */
export function poolDiffs(old: Policy, now: Policy): PoolDiff[] {
  const names = [...old.pools, ...now.pools].map(({ name }) => name)
  const poolIn = ({ pools }: Policy, name: string) => pools.find(pool => pool.name === name)
  return [...new Set(names)].flatMap(
    name => poolDiff(name, poolIn(old, name), poolIn(now, name)) ?? [],
  )
}

function poolDiff(name: string, old?: Pool, now?: Pool): PoolDiff | undefined {
  const [before, after] = [targetsOf(old), targetsOf(now)]
  const removed = [...before.keys()].filter(target => !after.has(target))
  const added = [...after.keys()].filter(target => !before.has(target))
  if (old === undefined) return { name, kind: 'added', added, removed, changes: [] }
  if (now === undefined) return { name, kind: 'removed', added, removed, changes: [] }
  const kept = [...before].filter(([target]) => after.has(target))
  const targets = kept.flatMap(([target, settings]) =>
    changesOf(settings, after.get(target) ?? new Map()).map(change => ({
      ...change,
      what: `${target} ${change.what}`,
    })),
  )
  const changes = [...changesOf(poolSettings(old), poolSettings(now)), ...targets]
  if (added.length + removed.length + changes.length === 0) return undefined
  return { name, kind: 'changed', added, removed, changes }
}

function changesOf(before: Settings, after: Settings): Change[] {
  const keys = new Set([...before.keys(), ...after.keys()])
  return [...keys].flatMap(what => {
    const [from, to] = [before.get(what), after.get(what)]
    return from === to ? [] : [{ what, from, to }]
  })
}

function ruleSettings({ pools }: Policy, rule: Rule): Settings {
  const { ttl, pick, quantum } = rule
  return new Map([
    ['ttl', ttl.min === ttl.max ? `${ttl.max}s` : `${ttl.min}s to ${ttl.max}s`],
    ['pick', pick],
    ['answers', numberText(rule.answers)],
    ['truncate', rule.truncate ? 'on' : undefined],
    ['spread', rule.spread],
    ['quantum', pick === 'hash' && quantum ? `/${quantum.ipv4} and /${quantum.ipv6}` : undefined],
    ['quorum', quorumText(rule.quorum)],
    ['spill', numberText(rule.spill)],
    ['last_resort', resortText(rule.lastResort, pools)],
    ...(rule.services ?? []).map(serviceSetting),
  ])
}

function poolSettings({ quorum, spill }: Pool): Settings {
  return new Map([
    ['quorum', quorumText(quorum)],
    ['spill', numberText(spill)],
  ])
}

function targetsOf(pool: Pool | undefined): ReadonlyMap<string, Settings> {
  return new Map(
    pool?.targets.map(target => [
      targetText(target),
      new Map([
        ['weight', numberText(target.weight)],
        ['load', numberText(target.load)],
        ['capacity', numberText(target.capacity)],
      ]),
    ]),
  )
}

function targetText(target: Target): string {
  return target.kind === 'host' ? nameText(target.name) : addressText(target.octets)
}

function numberText(number: number | undefined): string | undefined {
  return number === undefined ? undefined : String(number)
}

function quorumText(quorum: Quorum | undefined): string | undefined {
  if (quorum === undefined) return undefined
  return quorum.kind === 'count' ? String(quorum.count) : `${100 * quorum.share}%`
}

function resortText(resort: LastResort | undefined, pools: readonly Pool[]): string | undefined {
  if (resort === undefined) return 'all'
  if (resort.kind === 'pool') return pools[resort.pool]?.name
  return resort.kind === 'healthiest' ? 'none-healthy-pool' : 'all'
}

/** The record as data, but for its hints. */
function serviceSetting({ type, priority, target, params }: Service): readonly [string, string] {
  const written = params.map(({ key, value }) => `key${key}=${hexText(value)}`)
  return [typeText(type).toLowerCase(), [priority, nameText(target), ...written].join(' ')]
}
