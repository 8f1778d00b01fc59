/**
 * The life of one TCP connection (RFC 7766): messages in, replies out, in order. While the peer does
 * not read what it asked for, nothing more is read from it, so a connection holds at most a chunk, a
 * split message and some 16 KiB of replies beyond the last. Knows neither the other connections nor
 * the time: its host tells it when to go.
 */
import type { Socket } from 'node:net'
import type { Peer } from '../answer/peer.ts'
import { addChunk, frames, takeMessage } from './frames.ts'

/** What a conversation asks of whoever holds it. */
export type Host = {
  /** @returns the reply with its length before it; `silent`: none is due; `fault`: we failed */
  readonly answer: (
    conversation: Conversation,
    message: Uint8Array,
  ) => Uint8Array | 'silent' | 'fault'
  /** The peer broke the framing, and is being closed. */
  readonly broke: (conversation: Conversation) => void
  /** The connection failed, by a reset for example; `left` follows. */
  readonly failed: (conversation: Conversation) => void
  readonly left: (conversation: Conversation) => void
}

export class Conversation {
  readonly peer: Peer
  readonly source: string
  usedAt: number
  readonly #socket: Socket
  readonly #host: Host
  readonly #frames = frames()
  /** Nothing more will be taken in: the peer has said so (half-close), or we have. */
  #isLast = false

  constructor(socket: Socket, peer: Peer, guest: { source: string; usedAt: number }, host: Host) {
    this.peer = peer
    this.source = guest.source
    this.usedAt = guest.usedAt
    this.#socket = socket
    this.#host = host
    socket.on('data', chunk => this.#take(chunk))
    socket.on('drain', () => this.#answerAll())
    socket.on('end', () => this.finish())
    socket.on('error', () => host.failed(this))
    socket.on('close', () => host.left(this))
  }

  /** Answers what has come whole, as fast as the peer reads; says goodbye; waits for the peer's. */
  finish(): void {
    this.#isLast = true
    this.#answerAll()
  }

  /** Ends it at once, replies not yet sent included. */
  cut(): void {
    this.#socket.destroy()
  }

  /** Waits until nothing is left of it. */
  ended(): Promise<void> {
    const socket = this.#socket
    return socket.closed ? Promise.resolve() : new Promise(gone => socket.once('close', gone))
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
    if (socket.writableNeedDrain) {
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
      this.#host.broke(this)
      return this.#giveUp()
    }
    const reply = this.#host.answer(this, message)
    if (reply === 'silent') return true
    if (reply === 'fault') return this.#giveUp() // the peer would wait for a reply that never comes
    this.#socket.write(reply)
    return true
  }

  /** Sends the replies there are and closes. */
  #giveUp(): false {
    this.#isLast = true
    this.#socket.destroySoon()
    return false
  }
}
