/**
 * Streams of events, as browsers and curl read them: server-sent events. Who comes back is told what
 * was missed; who does not read is cut off. Knows no request.
 */
import {
  ByteLengthQueuingStrategy,
  ReadableStream,
  type ReadableStreamDefaultController,
} from 'node:stream/web'
import type { Event } from '../tell/control/told.ts'
import type { Clock } from './clock.ts'
import type { Events, Missed } from './events.ts'

const MOST_STREAMS = 16
/** Events that may wait for a reader: what is kept for who comes back, and as many again. */
const MOST_WAITING = 512
/** Octets that are ready for a reader. */
const READY = 64 * 1024
/** How soon who was cut off comes back. */
const RETRY_MS = 3_000
/** How long nothing is said at the most: proxies close what is silent for longer. */
const SILENCE_MS = 15_000

const NOTHING: Missed = { events: [], isWhole: true }
const TEXT = new TextEncoder()

export type StreamCounts = {
  /** Now. */
  readonly open: number
  readonly opened: number
  /** There were too many. */
  readonly refused: number
  /** They did not read. */
  readonly dropped: number
}

type Controller = ReadableStreamDefaultController<Uint8Array>

type Stream = {
  readonly controller: Controller
  readonly waiting: Event[]
  /** Ends the connection under it. */
  readonly cut: () => void
  unsubscribe: () => void
  beQuiet: () => void
}

export class Streams {
  readonly #events: Events
  readonly #clock: Clock
  readonly #open = new Set<Stream>()
  #opened = 0
  #refused = 0
  #dropped = 0

  constructor(events: Events, clock: Clock) {
    this.#events = events
    this.#clock = clock
  }

  get counts(): StreamCounts {
    const open = this.#open.size
    return { open, opened: this.#opened, refused: this.#refused, dropped: this.#dropped }
  }

  /**
   * Opens a stream, unless there are too many.
   *
   * @param last the name of the last event that whoever asks has heard of
   * @param cut  ends the connection, when it is not read
   */
  open(last: string | undefined, cut: () => void): ReadableStream<Uint8Array> | undefined {
    if (this.#open.size >= MOST_STREAMS) {
      this.#refused += 1
      return undefined
    }
    this.#opened += 1
    const missed = last === undefined ? NOTHING : this.#events.since(last)
    let stream: Stream | undefined
    const source = {
      start: (controller: Controller) => {
        stream = this.#begin(controller, missed, cut)
      },
      pull: () => stream && this.#flush(stream),
      cancel: () => stream && this.#end(stream),
    }
    return new ReadableStream(source, new ByteLengthQueuingStrategy({ highWaterMark: READY }))
  }

  /** Ends them all, after what is ready. */
  close(): void {
    for (const stream of [...this.#open]) {
      this.#end(stream)
      stream.controller.close()
    }
  }

  #begin(controller: Controller, { events, isWhole }: Missed, cut: () => void): Stream {
    const nothing = () => undefined
    const waiting = [...events]
    const stream: Stream = { controller, waiting, cut, unsubscribe: nothing, beQuiet: nothing }
    this.#open.add(stream)
    controller.enqueue(TEXT.encode(`retry: ${RETRY_MS}\n\n`))
    if (!isWhole) controller.enqueue(TEXT.encode('event: lost\ndata: {"kind":"lost"}\n\n'))
    stream.unsubscribe = this.#events.subscribe(event => this.#add(stream, event))
    this.#beat(stream)
    this.#flush(stream)
    return stream
  }

  #add(stream: Stream, event: Event): void {
    stream.waiting.push(event)
    this.#flush(stream)
    if (stream.waiting.length <= MOST_WAITING) return
    this.#dropped += 1
    this.#end(stream)
    stream.cut()
  }

  /** Readies what fits. */
  #flush({ controller, waiting }: Stream): void {
    while (isHungry(controller)) {
      const event = waiting.shift()
      if (event === undefined) return
      const name = this.#events.nameOf(event)
      const text = `id: ${name}\nevent: ${event.kind}\ndata: ${JSON.stringify(event)}\n\n`
      controller.enqueue(TEXT.encode(text))
    }
  }

  /** Says nothing, so that it is heard that the connection is alive. */
  #beat(stream: Stream): void {
    stream.beQuiet = this.#clock.wait(SILENCE_MS, () => {
      if (isHungry(stream.controller)) stream.controller.enqueue(TEXT.encode(':\n\n'))
      this.#beat(stream)
    })
  }

  #end(stream: Stream): void {
    this.#open.delete(stream)
    stream.unsubscribe()
    stream.beQuiet()
    stream.waiting.length = 0
  }
}

function isHungry({ desiredSize }: Controller): boolean {
  return (desiredSize ?? 0) > 0
}
