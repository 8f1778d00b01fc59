/**
 * DNS messages over a stream, plain or inside TLS (RFC 7766, RFC 7858): messages in, replies out, in
 * order. While the peer does not read what it asked for, nothing more is read from it, so it holds at
 * most a chunk, a split message and some 16 KiB of replies beyond the last. Knows neither who the peer
 * is nor the time: its host tells it when to go.
 */
import type { Socket } from 'node:net'
import { putU16 } from '../dns/octets.ts'
import { addChunk, frames, heldIn, takeMessage } from './frames.ts'

/** What is said to a message: octets that are good until the next one. */
export type Answer = Uint8Array | 'silent' | 'fault'

/** What a conversation asks of whoever holds it. */
export type Host = {
  /** `silent`: no reply is due; `fault`: we failed. */
  readonly answer: (message: Uint8Array) => Answer
  /** The peer broke the framing, and is being closed. */
  readonly broke: () => void
  /** So many octets wait here now, read and not answered, or answered and not read. */
  readonly weigh: (octets: number) => void
}

/** What goes on over a connection, whatever it is. */
export type Talk = {
  /** Answers what has come whole, as fast as the peer reads; says goodbye; waits for the peer's. */
  readonly finish: () => void
}

const PREFIX = 2

export class Conversation implements Talk {
  readonly #socket: Socket
  readonly #host: Host
  readonly #frames = frames()
  /** Nothing more will be taken in: the peer has said so (half-close), or we have. */
  #isLast = false

  constructor(socket: Socket, host: Host) {
    this.#socket = socket
    this.#host = host
    socket.on('data', chunk => this.#take(chunk))
    socket.on('drain', () => this.#answerAll())
    socket.on('end', () => this.finish())
  }

  finish(): void {
    this.#isLast = true
    this.#answerAll()
  }

  #take(chunk: Uint8Array): void {
    if (this.#isLast) return
    addChunk(this.#frames, chunk)
    this.#answerAll()
  }

  #answerAll(): void {
    const socket = this.#socket
    if (socket.writableEnded || socket.destroyed) return
    socket.cork() // replies to pipelined queries leave together
    let more = true
    while (more && !socket.writableNeedDrain) more = this.#answerNext()
    socket.uncork()
    if (socket.writableEnded) return
    const waits = socket.writableNeedDrain
    this.#host.weigh(heldIn(this.#frames) + (waits ? socket.writableLength : 0))
    if (waits) {
      socket.pause()
      return
    }
    if (this.#isLast) socket.end()
    socket.resume() // also after `end`: the peer's goodbye is still to be read
  }

  /** @returns whether another may follow */
  #answerNext(): boolean {
    const message = takeMessage(this.#frames)
    if (message === 'wait') return false
    if (message === 'broken') {
      this.#host.broke()
      return this.#giveUp()
    }
    const reply = this.#host.answer(message)
    if (reply === 'silent') return true
    if (reply === 'fault') return this.#giveUp() // the peer would wait for a reply that never comes
    this.#socket.write(framed(reply))
    return true
  }

  /** Sends the replies there are and closes. */
  #giveUp(): false {
    this.#isLast = true
    this.#socket.destroySoon()
    return false
  }
}

/** A copy that the stream may keep as long as it likes, with its length before it. RFC 1035 §4.2.2. */
function framed(reply: Uint8Array): Uint8Array {
  const frame = new Uint8Array(PREFIX + reply.length)
  putU16(frame, 0, reply.length)
  frame.set(reply, PREFIX)
  return frame
}
