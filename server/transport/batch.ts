/**
 * The memory of one thread that the kernel reads and writes: one block, so that whoever holds any view
 * of it holds all that the headers point to. Says where things lie, and points them at each other once.
 *
 *     for receiving: a header a slot → a name, what comes besides octets, and the slot's query
 *     for sending:   a header a parcel → whose name it is told at the time, what goes besides, and a row
 *                    of pieces, each of which is told the window of a reply
 *
 * Knows no sockets.
 */
import { ANCILLARY_WORDS, LEAVE_WORDS, SEGMENT_WORDS } from './ancillary.ts'
import { MAX_MESSAGE } from './engine.ts'
import { HEADER, NAME, PIECE } from './layout.ts'

/** Datagrams a call. */
export const BATCH = 64

/** As much as any datagram holds, and some lines more: equal places of slots shall not share a cache set. */
const SLOT_OCTETS = 65_536 + 192
/**
 * Windows overlap, as hardly any reply is longer than this: replies lie close together. One that is
 * longer reaches into the next windows, and has to go before those are used.
 */
export const WINDOW_OCTETS = 2048 + 64

/** Room for a name of either family, and for what comes with a datagram. */
const NAME_WORDS = 8
const NAME_ROOM = NAME.octets6
const ANCILLARY_ROOM = 4 * ANCILLARY_WORDS

/** Each parcel has room for all pieces, and one more: rows shall not share a cache set either. */
const ROW_WORDS = (BATCH + 1) * PIECE.words
const BESIDES_WORDS = LEAVE_WORDS + SEGMENT_WORDS

// Where each kind begins, in words.
const RECEIVES = 0
const SENDS = RECEIVES + BATCH * HEADER.words
const QUERY_PIECES = SENDS + BATCH * HEADER.words
const ROWS = QUERY_PIECES + BATCH * PIECE.words
const WINDOWS = ROWS + BATCH * ROW_WORDS
const NAMES = WINDOWS + BATCH * 2
const ANCILLARIES = NAMES + BATCH * NAME_WORDS
const BESIDES = ANCILLARIES + BATCH * ANCILLARY_WORDS
const QUERIES = BESIDES + BATCH * BESIDES_WORDS
const REPLIES = QUERIES + (BATCH * SLOT_OCTETS) / 4
const ALL_OCTETS = 4 * REPLIES + BATCH * WINDOW_OCTETS + MAX_MESSAGE + 1

export type Batch = {
  /** All of it. */
  readonly words: Uint32Array
  /** The headers to receive with. */
  readonly receives: Uint8Array
  /** The headers to send, from each one on. */
  readonly sends: readonly Uint8Array[]
  /** By slot. */
  readonly queries: readonly Uint8Array[]
  /** By number of the reply: `MAX_MESSAGE` octets each. */
  readonly replies: readonly Uint8Array[]
}

/** @param addressOf where memory lies */
export function batch(addressOf: (memory: ArrayBuffer) => bigint): Batch {
  const memory = new ArrayBuffer(ALL_OCTETS)
  const view = new DataView(memory)
  const base = addressOf(memory)
  const point = (from: number, to: number) =>
    view.setBigUint64(4 * from, base + BigInt(4 * to), true)
  const header = (at: number, slot: number, pieces: number, control: number) => {
    point(at + HEADER.name, nameAt(slot))
    point(at + HEADER.pieces, pieces)
    point(at + HEADER.control, control)
    view.setUint32(4 * (at + HEADER.pieceCount), 1, true)
  }
  const words = new Uint32Array(memory)
  for (let slot = 0; slot < BATCH; slot += 1) {
    const queryPiece = QUERY_PIECES + slot * PIECE.words
    header(receiveAt(slot), slot, queryPiece, ancillaryAt(slot))
    header(sendAt(slot), slot, pieceAt(slot, 0), besidesAt(slot))
    point(queryPiece + PIECE.base, QUERIES + (slot * SLOT_OCTETS) / 4)
    point(windowAt(slot), REPLIES + (slot * WINDOW_OCTETS) / 4)
    words[queryPiece + PIECE.length] = SLOT_OCTETS
  }
  readyAll(words, 'first')
  return { words, ...viewsOf(memory) }
}

function viewsOf(memory: ArrayBuffer) {
  const each = <T>(view: (slot: number) => T) => Array.from({ length: BATCH }, (_, i) => view(i))
  const octets = (at: number, length: number) => new Uint8Array(memory, at, length)
  const headers = 4 * BATCH * HEADER.words
  return {
    receives: octets(4 * RECEIVES, headers),
    sends: each(i => octets(4 * sendAt(i), headers - 4 * i * HEADER.words)),
    queries: each(i => octets(4 * QUERIES + i * SLOT_OCTETS, SLOT_OCTETS)),
    replies: each(i => octets(4 * REPLIES + i * WINDOW_OCTETS, MAX_MESSAGE)),
  }
}

/**
 * Whether more than octets is told of every datagram, or of the first of a batch only: it costs 2 % of
 * an echo to be told of every one.
 */
export type Telling = 'each' | 'first'

/** Undoes what the kernel wrote over when it used a slot. Hot. */
export function ready(words: Uint32Array, slot: number, telling: Telling): void {
  const at = receiveAt(slot)
  words[at + HEADER.nameLength] = NAME_ROOM
  words[at + HEADER.controlLength] = slot === 0 || telling === 'each' ? ANCILLARY_ROOM : 0
}

export function readyAll(words: Uint32Array, telling: Telling): void {
  for (let slot = 0; slot < BATCH; slot += 1) ready(words, slot, telling)
}

/** Addresses a parcel to whoever sent what is in a slot. Hot. */
export function address(
  words: Uint32Array,
  parcel: number,
  slot: number,
  nameLength: number,
): void {
  const from = receiveAt(slot)
  const to = sendAt(parcel)
  words[to + HEADER.name] = words[from + HEADER.name]!
  words[to + HEADER.name + 1] = words[from + HEADER.name + 1]!
  words[to + HEADER.nameLength] = nameLength
  words[to + HEADER.pieceCount] = 0
}

/** Puts a reply into a parcel, as its last piece. Hot. */
export function enclose(words: Uint32Array, parcel: number, reply: number, octets: number): void {
  const count = words[sendAt(parcel) + HEADER.pieceCount]!
  const piece = pieceAt(parcel, count)
  const window = windowAt(reply)
  words[piece + PIECE.base] = words[window]!
  words[piece + PIECE.base + 1] = words[window + 1]!
  words[piece + PIECE.length] = octets
  words[sendAt(parcel) + HEADER.pieceCount] = count + 1
}

/** Where things of a slot, of a parcel or of a reply start, in words. Hot, all of them. */
export const receiveAt = (slot: number): number => RECEIVES + slot * HEADER.words
export const nameAt = (slot: number): number => NAMES + slot * NAME_WORDS
export const ancillaryAt = (slot: number): number => ANCILLARIES + slot * ANCILLARY_WORDS
export const sendAt = (parcel: number): number => SENDS + parcel * HEADER.words
export const pieceAt = (parcel: number, piece: number): number =>
  ROWS + parcel * ROW_WORDS + piece * PIECE.words
export const besidesAt = (parcel: number): number => BESIDES + parcel * BESIDES_WORDS
/** The address of its window. */
const windowAt = (reply: number): number => WINDOWS + reply * 2
