/**
 * The memory that `recvmmsg` and `sendmmsg` work on, laid out once: `mmsghdr` of 64 octets, `iovec` of
 * 16, 64 of control data a message. Every piece stays referenced as long as the sockets are used: the
 * kernel has their addresses, and would write into what was collected.
 */
import type { Libc } from './libc.ts'
import type { Questions } from './questions.ts'

export const BATCH = 64
const HEADER = 64
const VECTOR = 16
const CONTROL = 64
/** Of a reply: no power of two, so that slots do not fall on the same cache lines. */
export const SLOT = 4096 + 192

/** 32-bit words into a header: its control data's length, its message's length. */
const CONTROL_LENGTH = 10
const MESSAGE_LENGTH = 14

export type Batch = {
  readonly received: Uint8Array
  readonly receiveHeaders: Uint8Array
  readonly sendHeaders: Uint8Array
  /** The same memory as words. */
  readonly receiveWords: Int32Array
  readonly receiveVectors: Uint8Array
  readonly sendVectors: Uint32Array
  /** By message: seconds in word 4, nanoseconds in word 6. */
  readonly control: Int32Array
  /** Where the set's octets are. */
  readonly base: number
  /** Seconds that times are counted from, and milliseconds from there to the process's own clock. */
  readonly epoch: number
  readonly offsetMs: number
}

export function openBatch(libc: Libc, set: Questions): Batch {
  const received = allot(SLOT)
  const receiveHeaders = allot(HEADER)
  const sendHeaders = allot(HEADER)
  const receiveVectors = allot(VECTOR)
  const sendVectors = allot(VECTOR)
  const control = allot(CONTROL)
  const at = (octets: Uint8Array) => BigInt(libc.addressOf(octets))
  for (let i = 0; i < BATCH; i += 1) {
    const read = new DataView(receiveHeaders.buffer, i * HEADER)
    const write = new DataView(sendHeaders.buffer, i * HEADER)
    const into = new DataView(receiveVectors.buffer, i * VECTOR)
    into.setBigUint64(0, at(received) + BigInt(i * SLOT), true)
    into.setBigUint64(8, BigInt(SLOT), true)
    putVector(read, at(receiveVectors) + BigInt(i * VECTOR))
    putVector(write, at(sendVectors) + BigInt(i * VECTOR))
    read.setBigUint64(32, at(control) + BigInt(i * CONTROL), true)
  }
  return {
    received,
    receiveHeaders,
    sendHeaders,
    receiveWords: new Int32Array(receiveHeaders.buffer),
    receiveVectors,
    sendVectors: new Uint32Array(sendVectors.buffer),
    control: new Int32Array(control.buffer),
    base: libc.addressOf(set.octets),
    ...clocks(libc),
  }
}

function allot(each: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new ArrayBuffer(BATCH * each))
}

/** One vector a message. */
function putVector(header: DataView, address: bigint): void {
  header.setBigUint64(16, address, true)
  header.setBigUint64(24, 1n, true)
}

/** The kernel stamps datagrams by its real-time clock, we by a monotonic one. */
function clocks(libc: Libc): { epoch: number; offsetMs: number } {
  const time = new Uint8Array(new ArrayBuffer(16))
  const before = performance.now()
  libc.clock_gettime(0, time)
  const now = (before + performance.now()) / 2
  const view = new DataView(time.buffer)
  const epoch = Number(view.getBigInt64(0, true))
  return { epoch, offsetMs: now - Number(view.getBigInt64(8, true)) / 1e6 }
}

/** Makes a query the i-th message to be sent. Hot. */
export function place(batch: Batch, i: number, set: Questions, number: number): void {
  const address = batch.base + set.start[number]!
  batch.sendVectors[4 * i] = address
  batch.sendVectors[4 * i + 1] = address / 2 ** 32
  batch.sendVectors[4 * i + 2] = set.length[number]!
}

/** Room for a time stamp behind every message: the kernel writes how much it took. Hot. */
export function offerControl(batch: Batch): void {
  for (let i = 0; i < BATCH; i += 1) batch.receiveWords[16 * i + CONTROL_LENGTH] = CONTROL
}

/** Hot. */
export function lengthOf(batch: Batch, i: number): number {
  return batch.receiveWords[16 * i + MESSAGE_LENGTH]!
}

/** When the kernel had the i-th message, in milliseconds of the process's clock. Hot. */
export function stampOf(batch: Batch, i: number): number {
  const seconds = batch.control[16 * i + 4]! - batch.epoch
  return seconds * 1000 + batch.control[16 * i + 6]! / 1e6 + batch.offsetMs
}
