/** Many questions to one server, some at once, over UDP and TCP; each is asked again where a reply is late. */
import { createSocket, type Socket } from 'node:dgram'
import { connect } from 'node:net'
import type { Place } from '../../kit/ask.ts'
import { decode, encode, type Question, type Told } from './wire.ts'

/** How many are under way at once with one server. */
const AT_ONCE = 32
const TRIES = 4
const WITHIN_MS = 3_000

/** What came back for each, in order; `undefined` where nothing did. */
export async function askAll(
  place: Place,
  questions: readonly Question[],
): Promise<(Told | undefined)[]> {
  const told: (Told | undefined)[] = new Array(questions.length)
  const line = await openLine(place)
  let next = 0
  async function work(): Promise<void> {
    for (let at = next++; at < questions.length; at = next++) {
      told[at] = await askOne(place, line, questions[at]!, at)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  line.close()
  return told
}

async function askOne(
  place: Place,
  line: Line,
  question: Question,
  at: number,
): Promise<Told | undefined> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const query = encode(question, at & 0xffff)
    const reply = await (question.over === 'udp' ? line.ask(query) : overTcp(place, query))
    if (reply !== undefined) return decode(reply)
  }
  return undefined
}

/** One UDP socket that many questions share: their numbers tell the replies apart. */
type Line = {
  readonly ask: (query: Buffer) => Promise<Buffer | undefined>
  readonly close: () => void
}

async function openLine({ host, port }: Place): Promise<Line> {
  const socket: Socket = createSocket('udp4')
  const waiting = new Map<number, (reply: Buffer | undefined) => void>()
  await new Promise<void>(resolve => socket.connect(port, host, resolve))
  socket.on('error', () => {}) // refused: the question is asked again
  socket.on('message', reply => {
    if (reply.length >= 12) waiting.get(reply.readUInt16BE(0))?.(reply)
  })
  return {
    ask: query =>
      new Promise(resolve => {
        const id = query.readUInt16BE(0)
        const late = setTimeout(() => settle(undefined), WITHIN_MS)
        function settle(reply: Buffer | undefined): void {
          clearTimeout(late)
          waiting.delete(id)
          resolve(reply)
        }
        waiting.set(id, settle)
        socket.send(query)
      }),
    close: () => void socket.close(),
  }
}

/** A connection for each: how long one may stay is another test's. */
function overTcp({ host, port }: Place, query: Buffer): Promise<Buffer | undefined> {
  const socket = connect({ host, port })
  socket.write(Buffer.concat([Buffer.from([query.length >> 8, query.length & 255]), query]))
  let heard = Buffer.alloc(0)
  return new Promise<Buffer | undefined>(resolve => {
    socket.setTimeout(WITHIN_MS, () => resolve(undefined))
    socket.on('error', () => resolve(undefined))
    socket.on('end', () => resolve(undefined))
    socket.on('data', chunk => {
      heard = Buffer.concat([heard, chunk])
      const length = heard.length < 2 ? Infinity : heard.readUInt16BE(0)
      if (heard.length >= 2 + length) resolve(heard.subarray(2, 2 + length))
    })
  }).finally(() => socket.destroy())
}
