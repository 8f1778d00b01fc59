/**
 * How many of 1,000 keys get another server when a sixth one joins five: by our own `pick: hash`, and
 * beside it by two ways that we do not have, a ring of 64 points a server and the remainder of a
 * division.
 */
import { hashText } from '../../server/steer/hash.ts'
import { addresses, asked, steered } from '../kit/draws.ts'
import { between, type Figure, SEEDS, type Wanted } from './figure.ts'

const KEYS = 1000
const POINTS = 64

/** The server of each key, among so many; it is called the same when others join. */
type Placing = (servers: number) => readonly (number | string)[]

/** Ours: networks of clients, others for another seed, as the servers are. */
function pickedBy(seed: number): Placing {
  return servers => {
    const steering = steered({ pick: 'hash' }, ...addresses(servers, `192.0.${seed}.`))
    return asked(steering, KEYS, { subnet: key => clientText(seed, key) }).flat()
  }
}

function clientText(seed: number, key: number): string {
  return `${10 + seed}.${key >> 8}.${key & 255}.0/24`
}

/** For the ways that are not ours: unsigned numbers of 32 bits. */
type Hashed = {
  readonly keys: readonly number[]
  readonly pointOf: (server: number, point: number) => number
}

/** The same clients and servers, by a hash whose bits are well mixed. */
function mixed(seed: number): Hashed {
  const hash = (text: string) => hashText(text) >>> 0
  return {
    keys: hashes(hash, key => clientText(seed, key)),
    pointOf: (server, point) => hash(`192.0.${seed}.${server + 1}#${point}`),
  }
}

/**
 * As in the source, by FNV-1a alone, whose bits are not. It does not say how keys and points are
 * called: these have its figures.
 */
const PLAIN: Hashed = {
  keys: hashes(fnv1a, key => `key-${key}`),
  pointOf: (server, point) => fnv1a(`b${server}#${point}`),
}

function hashes(hash: (text: string) => number, name: (key: number) => string): number[] {
  return Array.from({ length: KEYS }, (_, key) => hash(name(key)))
}

function fnv1a(text: string): number {
  let hash = 0x811c9dc5
  for (const sign of text) hash = Math.imul(hash ^ sign.charCodeAt(0), 0x01000193)
  return hash >>> 0
}

/** The server of the next point on the ring. */
function onRing({ keys, pointOf }: Hashed): Placing {
  return servers => {
    const ring = Array.from({ length: POINTS * servers }, (_, i) => {
      const server = Math.floor(i / POINTS)
      return { server, at: pointOf(server, i % POINTS) }
    }).sort((one, other) => one.at - other.at)
    return keys.map(key => (ring.find(({ at }) => at >= key) ?? ring[0])?.server ?? -1)
  }
}

function byRemainder({ keys }: Hashed): Placing {
  return servers => keys.map(key => key % servers)
}

/** Shares of all keys: those that move, and those of them that a server gets which was there before. */
type Moved = { readonly all: number; readonly strayed: number }

function movedBy(placing: Placing): Moved {
  const [before, after] = [placing(5), placing(6)]
  const old = new Set(before)
  const moved = after.filter((server, key) => server !== before[key])
  const strayed = moved.filter(server => old.has(server))
  return { all: moved.length / KEYS, strayed: strayed.length / KEYS }
}

/**
 * A share of keys drawn, within three deviations of the mean of all seeds.
 *
 * @param more the variance of what the share itself is drawn from
 */
function drawn(text: string, share: number, more = 0): Wanted {
  const off = 3 * Math.sqrt(((share * (1 - share)) / KEYS + more) / SEEDS.length)
  return between(`${text} ± 3 σ`, share - off, share + off)
}

/** The variance of the part of a ring that 64 of its 384 points have: it is Beta(64, 320). */
const PART = ((1 / 6) * (5 / 6)) / (6 * POINTS + 1)

const OURS = SEEDS.map(pickedBy)
const RINGS = SEEDS.map(seed => onRing(mixed(seed)))
const REMAINDERS = SEEDS.map(seed => byRemainder(mixed(seed)))

type Row = readonly [name: string, placings: readonly Placing[], of: keyof Moved, wanted: Wanted]

// biome-ignore format: table
const ROWS: readonly Row[] = [
  ['pick: hash',                 OURS,                 'all',     drawn('1/6', 1 / 6)],
  ['pick: hash, to old servers', OURS,                 'strayed', between('0', 0, 0)],
  ['ring',                       RINGS,                'all',     between('about 1/6 … 1/4', drawn('', 1 / 6, PART).least, 1 / 4)],
  ['ring, to old servers',       RINGS,                'strayed', between('0', 0, 0)],
  ['ring, as in the source',     [onRing(PLAIN)],      'all',     between('0.252', 0.252, 0.252)],
  ['modulo',                     REMAINDERS,           'all',     between('0.83 … 0.88', 0.83, 0.88)],
  ['modulo, to old servers',     REMAINDERS,           'strayed', drawn('4/6', 4 / 6)],
  ['modulo, as in the source',   [byRemainder(PLAIN)], 'all',     between('0.883', 0.883, 0.883)],
]

export const MOVES: readonly Figure[] = ROWS.map(([name, placings, of, wanted]) => {
  return { name, wanted, measure: () => placings.map(placing => movedBy(placing)[of]) }
})
