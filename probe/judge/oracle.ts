/**
 * The cache oracle: all that a sweep was told, replayed through models of resolvers' caches in random
 * orders. Whoever then gets an answer of another group than the server gives him directly is
 * mis-steered. A server whose scopes are true misleads nobody, in any model and order.
 */
import { CACHES, type CacheName, MOST_TOLD } from './caches.ts'
import { type Chance, chance, draw, shuffle } from './chance.ts'
import type { Sighting } from './sighting.ts'
import { blockFrom } from './span.ts'

export type Misled = {
  readonly model: CacheName
  /** Of the clients, over all orders. */
  readonly share: number
  /** In the order that misleads most. */
  readonly worst: number
}

export type OracleReport = {
  /** Networks that ask, each once. */
  readonly clients: number
  readonly orders: number
  readonly models: readonly Misled[]
}

export type OracleOptions = { readonly seed: number; readonly orders: number }

/** With more, random ones are taken: an order then takes a second or two. */
const MOST_CLIENTS = 20_000

type Client = {
  readonly family: 4 | 6
  readonly address: Uint8Array
  readonly source: number
  readonly scope: number | undefined
  readonly of: string
}

/** @param classOf the group of an answer, so that rotation misleads nobody */
export function oracle(
  sightings: readonly Sighting[],
  classOf: (set: readonly string[]) => string,
  options: OracleOptions,
): OracleReport {
  const state = chance(options.seed)
  const clients = clientsOf(sightings, classOf, state)
  const models = (Object.keys(CACHES) as CacheName[]).map((model): Misled => {
    const shares = Array.from({ length: options.orders }, () => misled(model, clients, state))
    const total = shares.reduce((sum, share) => sum + share, 0)
    return { model, share: total / options.orders, worst: Math.max(...shares) }
  })
  return { clients: clients.length, orders: options.orders, models }
}

function clientsOf(
  sightings: readonly Sighting[],
  classOf: (set: readonly string[]) => string,
  state: Chance,
): readonly Client[] {
  const asked = new Map<bigint, Sighting>()
  for (const seen of sightings) {
    const { at, bits, family } = seen.network
    if (seen.purpose !== 'again' && bits <= (family === 1 ? MOST_TOLD[4] : MOST_TOLD[6])) {
      asked.set((at << 8n) | BigInt(bits), seen)
    }
  }
  const all = [...asked.values()]
  const order = orderOf(all.length, state).subarray(0, MOST_CLIENTS)
  return [...order].flatMap(index => {
    const seen = all[index]
    return seen === undefined ? [] : [clientOf(seen, classOf(seen.set))]
  })
}

function clientOf({ network, scope }: Sighting, of: string): Client {
  const family = network.family === 1 ? 4 : 6
  return { family, address: blockFrom(network).octets, source: network.bits, scope, of }
}

function orderOf(count: number, state: Chance): Int32Array {
  const order = Int32Array.from({ length: count }, (_, at) => at)
  shuffle(state, order, 0, count)
  return order
}

/** Sends the clients through an empty cache; the share that gets what is not meant for it. */
function misled(model: CacheName, clients: readonly Client[], state: Chance): number {
  const cache = CACHES[model]<string>()
  let wrong = 0
  for (const index of orderOf(clients.length, chance(draw(state)))) {
    const client = clients[index]
    if (client === undefined) continue
    const kept = cache.look(client)
    if (kept === undefined) cache.keep(client, client)
    else if (kept !== client.of) wrong += 1
  }
  return clients.length === 0 ? 0 : wrong / clients.length
}
