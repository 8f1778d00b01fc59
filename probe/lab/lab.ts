/**
 * The lab: one name for every verdict and every fault, below `lab.test`. Octets in, what leaves and
 * when out; no socket and no clock, so that its slow and silent servers can be tried at once.
 */

import { chanceFrom } from '../plan/chance.ts'
import { type LabName, type Memory, run } from './behaviour.ts'
import { BREAKING } from './breaking.ts'
import { FAULTS } from './faults.ts'
import { LISTS } from './lists.ts'
import type { Atlas } from './map.ts'
import { type Request, readRequest } from './request.ts'
import { STEERED } from './steered.ts'
import { MIRROR, MIRRORS } from './whoami.ts'
import { addresses, FORMERR, NXDOMAIN, optOf, REFUSED, type Sent, say, soaOf } from './write.ts'

export const LAB_ZONE = 'lab.test'

/** Every name there is, in the order it is listed. */
export const LAB_NAMES: readonly LabName[] = [
  ...LISTS,
  ...STEERED,
  ...BREAKING,
  ...FAULTS,
  ...MIRRORS,
]

export type Lab = {
  /** @param peer the address that the query came from, where it is known */
  readonly serve: (
    query: Uint8Array,
    transport: 'udp' | 'tcp',
    listener: number,
    peer?: string,
  ) => readonly Sent[]
}

const BY_LABEL = new Map(LAB_NAMES.map(name => [name.label, name]))

/**
 * @param atlas the lab's geography
 * @param seed the same seed gives the same replies to the same queries
 */
export function labOf(atlas: Atlas, seed: number): Lab {
  const memory: Memory = {
    chance: chanceFrom(seed),
    atlas,
    counts: new Map(),
    held: new Map(),
  }
  return {
    serve: (query, transport, listener, peer) => {
      const request = readRequest(query, transport, listener, peer)
      return request === undefined ? [] : answered(request, memory)
    },
  }
}

function answered(request: Request, memory: Memory): readonly Sent[] {
  const name = request.name.toLowerCase()
  if (name === LAB_ZONE) return apex(request)
  if (!name.endsWith(`.${LAB_ZONE}`)) return say(request, { rcode: REFUSED })
  const label = name.slice(0, -LAB_ZONE.length - 1)
  if (label === 'ns') return say(request, { answers: addresses(request, run(0, 1)), scope: 0 })
  const known = BY_LABEL.get(label.endsWith(`.${MIRROR}`) ? MIRROR : label)
  // RFC 7871 §6. What is lenient, or does not even look, is a name of its own.
  if (!request.isWellFormed && known?.takes !== 'any-option') {
    return say(request, { rcode: FORMERR, additionals: [optOf([])] })
  }
  if (known !== undefined) return known.behave(request, memory)
  return say(request, { rcode: NXDOMAIN, authorities: [soaOf(LAB_ZONE)], scope: 0 })
}

function apex(request: Request): readonly Sent[] {
  const soa = soaOf(LAB_ZONE)
  if (request.type === 'SOA') return say(request, { answers: [soa], scope: 0 })
  if (request.type !== 'NS') return say(request, { authorities: [soa], scope: 0 })
  const ns = { name: LAB_ZONE, type: 'NS', ttl: 60, data: `ns.${LAB_ZONE}` }
  return say(request, { answers: [ns], scope: 0 })
}
