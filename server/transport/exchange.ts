/**
 * One batch of one socket: receives what is there, serves each datagram, sends the replies. Nothing is
 * allocated for a datagram. What a slot holds is valid until its socket is asked again, so replies are
 * sent before. Opens nothing, and never throws.
 */
import type { Begin, Peer, Serve } from '../answer/peer.ts'
import { readPlace, timeIn } from './ancillary.ts'
import {
  ancillaryAt,
  BATCH,
  batch,
  nameAt,
  ready,
  readyAll,
  receiveAt,
  type Telling,
} from './batch.ts'
import { COUNT, count } from './engine.ts'
import type { Kernel } from './kernel.ts'
import { EAGAIN, EINTR, HEADER } from './layout.ts'
import { parcels, type Sender } from './parcels.ts'
import { isSameAddress, readSockaddr, type WordedAddress } from './sockaddr.ts'

/** One socket, as far as an exchange goes. */
export type Party = Sender & {
  readonly serve: Serve
  readonly begin: Begin
  readonly peer: Peer & WordedAddress
  /** Where it is bound; of a wildcard's, where the last datagram was sent to. */
  readonly own: WordedAddress
  /** Octets as on the wire: see `readSockaddr`. */
  readonly port: number
  readonly complain: (cause: unknown) => void
}

/**
 * Hot: once a batch.
 *
 * @param flags how to wait for the first datagram
 * @returns how many datagrams came, 0: none
 */
export type Take = (party: Party, flags: number) => number

export function exchange(kernel: Kernel): Take {
  const memory = batch(kernel.addressOf)
  const { words, receives, queries } = memory
  const { window, put, send } = parcels(kernel, memory)
  /** As all headers are made ready now. */
  let telling: Telling = 'first'
  /** The next slot to serve. */
  let next = 0
  /** How many octets came besides with the datagram at hand. */
  let besides = 0
  /** When the oldest came that is served, in ms since 1970, where the first of the batch is older; else 0. */
  let oldest = 0

  /** Hot. */
  function take(party: Party, flags: number): number {
    tell(party.isWildcard || oldest > 0 ? 'each' : 'first')
    const came = kernel.receive(party.fd, receives, BATCH, flags)
    if (came <= 0) return failed(party, -came)
    party.counts[COUNT.received]! += came
    next = 0
    const first = timeIn(words, ancillaryAt(0), words[receiveAt(0) + HEADER.controlLength]!)
    const wanted = party.begin(came, first)
    oldest = first > 0 && first < wanted ? wanted : 0
    while (next < came) serveGuarded(party, came)
    send(party)
    return came
  }

  /** Where each was sent to has to be known of a wildcard's. Hot. */
  function tell(wanted: Telling): void {
    if (wanted === telling) return
    telling = wanted
    readyAll(words, wanted)
  }

  /** Hot: a throw costs its datagram only. */
  function serveGuarded(party: Party, came: number): void {
    try {
      while (next < came) {
        next += 1
        serveOne(party, next - 1)
      }
    } catch (cause) {
      count(party.counts, COUNT.faults)
      party.complain(cause)
    }
  }

  /** Hot. */
  function serveOne(party: Party, slot: number): void {
    const at = receiveAt(slot)
    const length = words[at + HEADER.length]!
    const nameLength = words[at + HEADER.nameLength]!
    besides = words[at + HEADER.controlLength]!
    ready(words, slot, telling)
    if (oldest > 0 && isStale(slot)) {
      count(party.counts, COUNT.stale)
      return
    }
    if (!isAnswerable(party, slot)) {
      count(party.counts, COUNT.dropped)
      return
    }
    const written = party.serve(queries[slot]!, length, window(), party.peer)
    if (written === 0) count(party.counts, COUNT.silent)
    else put(party, slot, written, nameLength, besides)
  }

  /** Of one whose time was not told nothing is known; the next batch will tell. Hot. */
  function isStale(slot: number): boolean {
    const at = timeIn(words, ancillaryAt(slot), besides)
    return at > 0 && at < oldest
  }

  /**
   * Fills the peer from the sender. Hot.
   *
   * @returns false for port 0, to which nothing can be sent, and for ourselves: no talk in circles
   */
  function isAnswerable(party: Party, slot: number): boolean {
    const port = readSockaddr(words, nameAt(slot), party.peer)
    if (port === 0) return false
    party.peer.port = ((port & 0xff) << 8) | (port >>> 8)
    if (port !== party.port) return true
    if (party.isWildcard) readPlace(words, ancillaryAt(slot), besides, party.own)
    return !isSameAddress(party.peer, party.own)
  }

  return take
}

/** Neither nothing to receive nor a signal is an error. Hot. */
function failed({ counts }: Party, error: number): 0 {
  if (error !== EAGAIN && error !== EINTR) count(counts, COUNT.receiveErrors)
  return 0
}
