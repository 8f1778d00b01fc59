/**
 * What a DYNA or DYNC record stands for: a steered name, or records of its own where its resource
 * never changes (gdnsd.zonefile(5), "DYNA").
 */

import type { Gdnsd } from './gdnsd-house.ts'
import { pluginAt } from './gdnsd-house.ts'
import { resourceChoice } from './gdnsd-meta.ts'
import { textOf, valueAt } from './gdnsd-syntax.ts'
import { exact, type Spot, unsupported } from './ledger.ts'
import { addRule } from './mend.ts'
import { familyOf } from './targets.ts'
import { plainName, secondsOf } from './zone-names.ts'

export type Dynamic = {
  readonly at: Spot
  /** In full, with the last dot. */
  readonly owner: string
  /** `MAX` or `MAX/MIN`. */
  readonly ttl: string
  readonly type: string
  /** `plugin` or `plugin!resource`. */
  readonly data: string
}

/** Adds the rule to the draft. Returns lines for the zone, where it becomes records instead. */
export function steerDynamic(gdnsd: Gdnsd, dynamic: Dynamic): readonly string[] {
  const { at, owner, type, data } = dynamic
  const [plugin = '', resource = ''] = data.split('!', 2)
  const what = `${plainName(owner)} ${type} ${data}`
  const ttl = ttlOf(gdnsd, dynamic.ttl)
  if (plugin === 'null') {
    exact(gdnsd.ledger, at, what, 'two records')
    return [`${owner} ${ttl.max} A 0.0.0.0\n`, `${owner} ${ttl.max} AAAA ::\n`]
  }
  if (plugin === 'reflect') {
    const here = 'left out: ask lbdns explain, or lbprobe resolver, who a client is'
    unsupported(gdnsd.ledger, at, what, here)
    return []
  }
  if (plugin === 'static') return staticRecord(gdnsd, dynamic, resource, ttl.max, what)
  const choose = resourceChoice(gdnsd, plugin, resource)
  if (choose === undefined) {
    unsupported(gdnsd.ledger, at, what, 'left out: there is no such resource')
    return []
  }
  const addressesOnly = type.toUpperCase() === 'DYNA'
  const wish = { owner: plainName(owner), at, what, ttl, choose, zone: '', addressesOnly }
  if (addRule(gdnsd.draft, gdnsd.ledger, wish)) exact(gdnsd.ledger, at, what)
  return []
}

function staticRecord(
  gdnsd: Gdnsd,
  { at, owner }: Dynamic,
  resource: string,
  ttl: number,
  what: string,
): readonly string[] {
  const text = textOf(valueAt(pluginAt(gdnsd, 'static'), resource))
  if (text === undefined) {
    unsupported(gdnsd.ledger, at, what, 'left out: there is no such resource')
    return []
  }
  exact(gdnsd.ledger, at, what, 'one record')
  gdnsd.resources.set(`static!${resource}`, { kind: 'pools', pools: [] })
  const family = familyOf(text)
  const type = family === undefined ? 'CNAME' : family === 'ipv4' ? 'A' : 'AAAA'
  return [`${owner} ${ttl} ${type} ${text}\n`]
}

/** Seconds; without MIN it is half of MAX. */
function ttlOf({ ttl }: Gdnsd, text: string): { max: number; min: number } {
  const [most = '', least] = text.split('/', 2)
  const clamped = (seconds: number) => Math.min(ttl.most, Math.max(ttl.least, seconds))
  const max = clamped(secondsOf(most) ?? ttl.usual)
  const half = Math.floor(max / 2)
  const min = clamped(least === undefined ? half : (secondsOf(least) ?? half))
  return { max, min: Math.min(min, max) }
}
