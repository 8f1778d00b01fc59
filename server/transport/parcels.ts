/**
 * Replies on their way out. Those of one length to one client travel as one parcel, which the kernel
 * takes apart into datagrams (UDP_SEGMENT): it walks routes and filters once a parcel. That is what
 * most of a reply costs where few clients ask much, such as a balancer in front of us; where each
 * query has a port of its own a parcel holds one reply. Knows no queries.
 */
import { putLeave, putSegment, SEGMENT_WORDS } from './ancillary.ts'
import {
  address,
  ancillaryAt,
  BATCH,
  type Batch,
  besidesAt,
  enclose,
  nameAt,
  pieceAt,
  sendAt,
  WINDOW_OCTETS,
} from './batch.ts'
import { COUNT, count, MAX_MESSAGE, type UdpCounts } from './engine.ts'
import type { Kernel } from './kernel.ts'
import {
  CONTROL,
  EINTR,
  EINVAL,
  EIO,
  HEADER,
  MSG_DONTWAIT,
  NAME,
  PIECE,
  PKTINFO4,
} from './layout.ts'

/** Whom replies are sent for. */
export type Sender = {
  readonly fd: number
  readonly isWildcard: boolean
  readonly counts: UdpCounts
  /** Its system takes parcels apart. */
  joins: boolean
}

export type Parcels = {
  /** Where the next reply is to be written: `MAX_MESSAGE` octets. Hot. */
  readonly window: () => Uint8Array
  /**
   * Takes the reply that was written there. Hot.
   *
   * @param slot       of its query: who gets it
   * @param nameLength octets of the sender's name there
   * @param besides    octets of what came with the query
   */
  readonly put: (
    sender: Sender,
    slot: number,
    octets: number,
    nameLength: number,
    besides: number,
  ) => void
  /** Sends what waits; what the kernel will not take now is shed. Hot: once a batch. */
  readonly send: (sender: Sender) => void
}

/** A longer one may not fit the link as it is, and goes alone. */
const LONGEST_JOINED = 1280 - 48
/** All datagrams of a parcel together must be one that IPv4 could carry. */
const PARCEL_OCTETS = 65_507
/** An IPv4 address, whose last octet tells the most, stands here in what makes a reply leave from it. */
const LEAVES_FROM = CONTROL.data + PKTINFO4.local
/** A power of two, in which a parcel is found by receiver and length. */
const PLACES = 2 * BATCH

export function parcels(kernel: Kernel, { replies, sends, words }: Batch): Parcels {
  /** Replies and parcels that wait to be sent. */
  let waiting = 0
  let packed = 0
  /** By parcel: a slot whose query came from its receiver. */
  const slots = new Uint8Array(BATCH)
  /** Parcels by `placeOf`: what is there may be of a batch long gone. */
  const places = new Uint8Array(PLACES)

  /** Hot. */
  function put(
    sender: Sender,
    slot: number,
    octets: number,
    nameLength: number,
    besides: number,
  ): void {
    if (octets >>> 0 > MAX_MESSAGE) throw new RangeError(`a reply of ${octets} octets`)
    // What a parcel that begins here would have: another one must have the same.
    const leave = sender.isWildcard
      ? putLeave(words, ancillaryAt(slot), besides, besidesAt(packed))
      : 0
    words[sendAt(packed) + HEADER.controlLength] = leave
    const place = placeOf(slot, octets, leave)
    let parcel = places[place]!
    if (!sender.joins || !mayJoin(parcel, slot, octets)) {
      parcel = packed
      packed += 1
      places[place] = parcel
      slots[parcel] = slot
      address(words, parcel, slot, nameLength)
    }
    enclose(words, parcel, waiting, octets)
    waiting += 1
    if (octets > WINDOW_OCTETS) send(sender)
  }

  /** By the client's port, the length, and where the reply leaves from. Hot. */
  function placeOf(slot: number, octets: number, leave: number): number {
    const from = leave === 0 ? 0 : words[besidesAt(packed) + LEAVES_FROM]!
    return ((words[nameAt(slot)]! >>> 16) ^ (octets * 31) ^ (from >>> 24)) & (PLACES - 1)
  }

  /** Tells whether a parcel is of this batch, to the same client, of this length, and not full. Hot. */
  function mayJoin(parcel: number, slot: number, octets: number): boolean {
    if (parcel >= packed || octets > LONGEST_JOINED) return false
    if (words[pieceAt(parcel, 0) + PIECE.length] !== octets) return false
    const joined = words[sendAt(parcel) + HEADER.pieceCount]! + 1
    if (joined * octets > PARCEL_OCTETS) return false
    return areAlike(nameAt(slots[parcel]!), nameAt(slot), NAME.octets6 >> 2) && leavesAlike(parcel)
  }

  /** Whether a parcel leaves from where the next one would. Hot. */
  function leavesAlike(parcel: number): boolean {
    const length = words[sendAt(packed) + HEADER.controlLength]!
    if (words[sendAt(parcel) + HEADER.controlLength] !== length) return false
    return areAlike(besidesAt(parcel), besidesAt(packed), length >> 2)
  }

  /** Hot. */
  function areAlike(one: number, other: number, count: number): boolean {
    for (let i = 0; i < count; i += 1) if (words[one + i] !== words[other + i]) return false
    return true
  }

  /** Hot: once a batch. */
  function send(sender: Sender): void {
    for (let parcel = 0; parcel < packed; parcel += 1) seal(parcel)
    let from = 0
    while (from < packed) {
      const sent = kernel.send(sender.fd, sends[from]!, packed - from, MSG_DONTWAIT)
      if (sent > 0) from = countSent(sender, from, from + sent)
      else if (sent !== -EINTR) {
        refused(sender, from, -sent)
        from += 1
      }
    }
    waiting = 0
    packed = 0
  }

  /** Says where a parcel is to be taken apart. Hot. */
  function seal(parcel: number): void {
    const header = sendAt(parcel)
    if (words[header + HEADER.pieceCount] === 1) return
    const leave = words[header + HEADER.controlLength]!
    const octets = words[pieceAt(parcel, 0) + PIECE.length]!
    words[header + HEADER.controlLength] =
      leave + putSegment(words, besidesAt(parcel) + (leave >> 2), octets)
  }

  /** Hot. */
  function countSent(sender: Sender, from: number, to: number): number {
    for (let parcel = from; parcel < to; parcel += 1) {
      sender.counts[COUNT.answered]! += words[sendAt(parcel) + HEADER.pieceCount]!
    }
    return to
  }

  /** A system, or the link that a parcel would take, may not take parcels apart: its replies go alone. */
  function refused(sender: Sender, parcel: number, error: number): void {
    const header = sendAt(parcel)
    const pieces = words[header + HEADER.pieceCount] ?? 1
    if (pieces === 1 || (error !== EINVAL && error !== EIO)) {
      for (let piece = 0; piece < pieces; piece += 1) count(sender.counts, COUNT.sendErrors)
      return
    }
    sender.joins = false
    words[header + HEADER.pieceCount] = 1
    words[header + HEADER.controlLength] =
      (words[header + HEADER.controlLength] ?? 0) - 4 * SEGMENT_WORDS
    for (let piece = 0; piece < pieces; piece += 1) sendAlone(sender, parcel, piece)
  }

  function sendAlone(sender: Sender, parcel: number, piece: number): void {
    const from = pieceAt(parcel, piece)
    words.copyWithin(pieceAt(parcel, 0), from, from + PIECE.words)
    const sent = kernel.send(sender.fd, sends[parcel] ?? new Uint8Array(0), 1, MSG_DONTWAIT)
    count(sender.counts, sent === 1 ? COUNT.answered : COUNT.sendErrors)
  }

  return { window: () => replies[waiting]!, put, send }
}
