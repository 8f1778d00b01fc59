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

export type OpenDoor = (
  address: string,
  port: number,
  options: { readonly ecs: boolean },
) => Promise<Door>

export type Doors = {
  readonly udp: OpenDoor
  readonly tcp: OpenDoor
  /** `keep`: its UDP doors on a wildcard reply from the address that was asked. */
  readonly wildcards: Wildcards
  /** Absent: nobody has. */
  readonly isHanded?: IsHanded
}

/** A place that is listened on, over both protocols, on one port. */
export type OpenPlace = { readonly place: Place; readonly udp: Door; readonly tcp: Door }

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
  const opened = await openAll(added, doors)
  const after = new Map(opened.places.map(open => [keyOf(open.place), open]))
  const kept = places.flatMap(place => {
    const open = after.get(keyOf(place)) ?? before.get(keyOf(place))
    return open === undefined ? [] : [withPlace(open, place)]
  })
  const stay = new Set(kept.map(open => open.udp))
  const dropped = old.places.filter(open => !stay.has(open.udp))
  await close({ places: dropped, skipped: [] }, DROPPED_MS)
  return { places: kept, skipped: opened.skipped }
}

/** Closes everything at once; TCP connections may take so long to end. */
export async function close(listening: Listening, withinMs: number): Promise<void> {
  await Promise.all(
    listening.places.flatMap(({ udp, tcp }) => [udp.close(withinMs), tcp.close(withinMs)]),
  )
}

/** Two places are the same door where address and port are: `ecs` can change while it is open. */
function keyOf({ address, port }: Place): string {
  return placeText(address, port)
}

function withPlace(open: OpenPlace, place: Place): OpenPlace {
  open.udp.ecs = place.ecs
  open.tcp.ecs = place.ecs
  return { ...open, place }
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
    if (!(cause instanceof Fault)) throw cause
    throw new Fault(cause.code, cause.message, { cause, about: place.asked })
  }
}

function isOptional(place: Place, cause: unknown): boolean {
  return place.isSpread && cause instanceof Fault && cause.code === 'ADDRESS_UNAVAILABLE'
}

/** TCP first: UDP sockets that threads share would bind beside another server's without a word. */
async function openPlace(place: Place, doors: Doors): Promise<OpenPlace> {
  const { address, port, ecs } = place
  for (let tries = ANY_PORT_TRIES; ; tries -= 1) {
    const tcp = await doors.tcp(address, port, { ecs })
    try {
      const udp = await doors.udp(address, tcp.port, { ecs })
      return { place, udp, tcp }
    } catch (cause) {
      await tcp.close(0)
      if (port !== 0 || tries === 1) throw cause // any port would do, but this one was not free
    }
  }
}
