/**
 * Where we listen: what the operator's list means on this machine, and how one list gives way to the
 * next. A reply must leave from the address that was asked. Where an engine cannot choose that on a
 * socket bound to a wildcard, 0.0.0.0 becomes every IPv4 address of the machine and [::] every IPv6
 * and IPv4 address, each bound by itself, over UDP and TCP; an address that comes up later is then
 * taken up at the next reload. Knows no engine: whoever calls says how a door is opened.
 */
import { networkInterfaces } from 'node:os'
import { Fault } from '../fault.ts'
import { placeText } from './refusal.ts'
import {
  type Interfaces,
  type IsHanded,
  inTheWay,
  type Place,
  type Stream,
  spread,
  type Wanted,
  type Wildcards,
} from './spread.ts'

/** Something that takes queries: a `UdpSocket` or a `TcpListener`. */
export type Door = {
  readonly address: string
  readonly port: number
  ecs: boolean
  readonly close: (withinMs: number) => Promise<void>
}

/** One that takes connections: what is spoken there can change while it is open. */
export type StreamDoor = Door & { readonly speak?: (stream: Stream | undefined) => void }

type Opening = { readonly ecs: boolean; readonly stream?: Stream | undefined }

export type Doors = {
  readonly udp: (address: string, port: number, options: Opening) => Promise<Door>
  readonly tcp: (address: string, port: number, options: Opening) => Promise<StreamDoor>
  /** `keep`: its UDP doors on a wildcard reply from the address that was asked. */
  readonly wildcards: Wildcards
  /** Absent: nobody has. */
  readonly isHanded?: IsHanded
}

/** A place that is listened on, on one port; what is encrypted has no door for UDP. */
export type OpenPlace = {
  readonly place: Place
  readonly udp?: Door | undefined
  readonly tcp: StreamDoor
}

export type Listening = {
  readonly places: readonly OpenPlace[]
  /** Addresses that a wildcard stands for but that could not be bound, such as tentative ones. */
  readonly skipped: readonly string[]
}

export const NOWHERE: Listening = { places: [], skipped: [] }

/** How long connections to an address that a reload drops may take to end. */
const DROPPED_MS = 1000

/** With port 0, TCP picks a port that UDP may find taken. */
const ANY_PORT_TRIES = 10

/**
 * Goes over from what is open to what is wanted: what is in both stays open all the time, what is new
 * is opened, then what is wanted no more is closed.
 *
 * @param old `NOWHERE` at the start
 * @returns what is open now; rejects with a `Fault`, and everything is as it was before, where
 *   anything could not be opened
 */
export async function listen(
  old: Listening,
  wanted: readonly Wanted[],
  doors: Doors,
  interfaces: Interfaces = networkInterfaces(),
): Promise<Listening> {
  const before = new Map(old.places.map(open => [keyOf(open.place), open]))
  const open = old.places.map(({ place }) => place)
  const places = spread(wanted, interfaces, doors.wildcards, open, doors.isHanded)
  const added = places.filter(place => !before.has(keyOf(place)))
  for (const place of added) refuseWithin(place, open)
  const plain = places.filter(place => hasUdp(place) && before.get(keyOf(place))?.udp === undefined)
  const opened = await openAll(added, doors)
  const datagrams = await openUdp(
    plain.filter(place => before.has(keyOf(place))),
    doors,
  ).catch(async cause => {
    await close(opened, 0)
    throw cause
  })
  const after = new Map(opened.places.map(open => [keyOf(open.place), open]))
  const kept = places.flatMap(place => {
    const key = keyOf(place)
    const known = after.get(key) ?? before.get(key)
    return known === undefined ? [] : [withPlace(known, place, known.udp ?? datagrams.get(key))]
  })
  const stay = new Set(kept.flatMap(doorsOf))
  const dropped = old.places.flatMap(doorsOf).filter(door => !stay.has(door))
  await Promise.all(dropped.map(door => door.close(DROPPED_MS)))
  return { places: kept, skipped: opened.skipped }
}

/** Closes everything at once; TCP connections may take so long to end. */
export async function close(listening: Listening, withinMs: number): Promise<void> {
  await Promise.all(listening.places.flatMap(doorsOf).map(door => door.close(withinMs)))
}

function doorsOf({ tcp, udp }: OpenPlace): Door[] {
  return udp === undefined ? [tcp] : [udp, tcp]
}

/** Two places are the same door where address and port are: the rest can change while it is open. */
function keyOf({ address, port }: Place): string {
  return placeText(address, port)
}

function withPlace({ tcp, udp: open }: OpenPlace, place: Place, udp: Door | undefined): OpenPlace {
  if (open !== undefined) open.ecs = place.ecs
  tcp.ecs = place.ecs
  tcp.speak?.(place.stream)
  return { place, tcp, udp: hasUdp(place) ? udp : undefined }
}

/** What is encrypted goes over TCP only. */
function hasUdp({ stream }: Place): boolean {
  return stream === undefined || stream.over === 'dns'
}

/** Where TCP is open, and something else was spoken; all or nothing. */
async function openUdp(places: readonly Place[], doors: Doors): Promise<Map<string, Door>> {
  const opened = new Map<string, Door>()
  try {
    for (const { address, asked, ecs, port, ...place } of places) {
      const door = await doors.udp(address, port, { ecs }).catch(cause => refuseOf(asked, cause))
      opened.set(keyOf({ address, asked, ecs, port, ...place }), door)
    }
    return opened
  } catch (cause) {
    await Promise.all([...opened.values()].map(door => door.close(0)))
    throw cause
  }
}

/** To close the one first would lose queries, and the other may fail to open. */
function refuseWithin(place: Place, open: readonly Place[]): void {
  const other = inTheWay(place, open)
  if (other === undefined) return
  const what = `cannot listen on ${keyOf(place)}: ${keyOf(other)} is open, and one takes in the other`
  const fix = 'a restart changes from one to the other'
  throw new Fault('ADDRESS_IN_USE', `${what} · ${fix}`, { about: place.asked })
}

/** All or nothing, but for what a wildcard stands for and this machine will not give. */
async function openAll(wanted: readonly Place[], doors: Doors): Promise<Listening> {
  const places: OpenPlace[] = []
  const skipped: string[] = []
  try {
    for (const place of wanted) {
      const open = await openIfThere(place, doors)
      if (open === undefined) skipped.push(keyOf(place))
      else places.push(open)
    }
  } catch (cause) {
    await close({ places, skipped }, 0)
    throw cause
  }
  return { places, skipped }
}

async function openIfThere(place: Place, doors: Doors): Promise<OpenPlace | undefined> {
  try {
    return await openPlace(place, doors)
  } catch (cause) {
    if (isOptional(place, cause)) return undefined
    return refuseOf(place.asked, cause)
  }
}

/** Throws it with what the operator asked for. */
function refuseOf(asked: string, cause: unknown): never {
  if (!(cause instanceof Fault)) throw cause
  throw new Fault(cause.code, cause.message, { cause, about: asked })
}

function isOptional(place: Place, cause: unknown): boolean {
  return place.isSpread && cause instanceof Fault && cause.code === 'ADDRESS_UNAVAILABLE'
}

/** TCP first: UDP sockets that threads share would bind beside another server's without a word. */
async function openPlace(place: Place, doors: Doors): Promise<OpenPlace> {
  const { address, port, ecs, stream } = place
  for (let tries = ANY_PORT_TRIES; ; tries -= 1) {
    const tcp = await doors.tcp(address, port, { ecs, stream })
    if (!hasUdp(place)) return { place, tcp }
    try {
      const udp = await doors.udp(address, tcp.port, { ecs })
      return { place, udp, tcp }
    } catch (cause) {
      await tcp.close(0)
      if (port !== 0 || tries === 1) throw cause // any port would do, but this one was not free
    }
  }
}
