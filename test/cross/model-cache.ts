/**
 * The cache that RFC 7871 §7.3.1 describes, for one name and type: a third witness beside the
 * resolvers, with the same rules and none of their habits.
 */
import { Address4, Address6 } from 'ip-address'
import type { Said } from '../kit/ask.ts'

type Entry = { readonly block: Address4 | Address6; readonly said: Said }

export type ModelCache = {
  /** What is kept for a client, the longest block first. */
  readonly look: (subnet: string) => Said | undefined
  /** Keeps a reply for as much of the address space as its scope says. */
  readonly keep: (subnet: string, said: Said) => void
}

export function modelCache(): ModelCache {
  const entries: Entry[] = []
  return {
    look(subnet) {
      const client = parsed(subnet)
      return entries.find(({ block }) => holds(block, client))?.said
    },
    keep(subnet, said) {
      const [address = '', source] = subnet.split('/')
      const bits = Math.min(said.scope ?? 0, Number(source))
      entries.push({ block: parsed(`${address}/${bits}`), said })
      entries.sort((a, b) => b.block.subnetMask - a.block.subnetMask)
    },
  }
}

function parsed(subnet: string): Address4 | Address6 {
  return subnet.includes(':') ? new Address6(subnet) : new Address4(subnet)
}

function holds(block: Address4 | Address6, client: Address4 | Address6): boolean {
  if (block instanceof Address4) return client instanceof Address4 && client.isInSubnet(block)
  return client instanceof Address6 && client.isInSubnet(block)
}
