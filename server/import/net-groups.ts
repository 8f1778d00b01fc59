/**
 * Prefixes with what their clients get, as branches by named networks: those that get the same are one
 * network.
 */
import type { Branch, Choice } from './choice.ts'
import { type Draft, freeName } from './draft.ts'

export type Net = { readonly prefix: string; readonly to: Choice }

/**
 * Adds the networks to the draft.
 *
 * @param label what a network of several prefixes is called by; one alone is called by its prefix
 */
export function networkBranches(draft: Draft, label: string, nets: readonly Net[]): Branch[] {
  const groups = new Map<string, { readonly prefixes: Set<string>; readonly to: Choice }>()
  const seen = new Set<string>()
  for (const { prefix, to } of nets) {
    if (seen.has(prefix)) continue
    seen.add(prefix)
    const key = JSON.stringify(to)
    const group = groups.get(key) ?? { prefixes: new Set(), to }
    group.prefixes.add(prefix)
    groups.set(key, group)
  }
  return [...groups.values()].map(({ prefixes, to }) => {
    return { level: 'networks', key: networkOf(draft, label, [...prefixes]), to }
  })
}

/** The network of one prefix. */
export function loneNetwork(draft: Draft, prefix: string): string {
  return networkOf(draft, '', [prefix])
}

/** The network with these prefixes: one that is there, or a new one. */
function networkOf(draft: Draft, label: string, prefixes: readonly string[]): string {
  const [first = ''] = prefixes
  const wish = prefixes.length === 1 ? `net-${first.replace('/', '-')}` : `${label}-nets`
  const known = draft.networks.get(wish)?.prefixes.join()
  if (known === prefixes.join()) return wish
  const name = freeName(draft.networks, wish)
  draft.networks.set(name, { prefixes, note: '' })
  return name
}
