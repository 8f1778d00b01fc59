/**
 * Serves clients of our own on loopback, before there are others: the ways through an engine that V8
 * has seen when it compiles them are those of a server at work. Where loopback cannot be had, or
 * nothing comes through it, the rehearsal is shorter.
 */
import type { Serve } from '../answer/peer.ts'
import { Fault } from '../fault.ts'
import { address, BATCH, batch, enclose, nameAt } from './batch.ts'
import type { UdpEngine, UdpSocket } from './engine.ts'
import type { Kernel } from './kernel.ts'
import { AF_INET, AF_INET6, MSG_DONTWAIT } from './layout.ts'
import { sockaddr } from './sockaddr.ts'

type Stage = {
  readonly host: string
  readonly device?: string
  /** Where clients find it. */
  readonly at: string
  readonly family: number
  readonly serves?: 'nothing'
}

/**
 * Opened one after the other: a turn is another one where several are open. The first serves in
 * another way than the rest. V8 does not inline what differs, so that the code for a batch does not
 * have all that serving takes in it once more: that took longer to compile than all else together.
 */
const STAGES: readonly Stage[] = [
  { host: '127.0.0.1', at: '127.0.0.1', family: AF_INET, serves: 'nothing' },
  { host: '127.0.0.1', at: '127.0.0.1', family: AF_INET },
  { host: '0.0.0.0', device: 'lo', at: '127.0.0.1', family: AF_INET },
  { host: '::', device: 'lo', at: '::1', family: AF_INET6 },
]
const NOTHING: Serve = () => 0

/**
 * So many questions on each: until then V8 has compiled most of what is used all the time. It begins
 * when all stages have been played on once, and so goes no way that it has to give up again.
 */
const LEAST = 2_000

/** Replies to one client may leave together, those to several may not. */
const CLIENTS = 2
const SHARE = BATCH / CLIENTS

/** How many sockets are open at a time, before others are. */
export const REHEARSAL_FILES = STAGES.length * (1 + CLIENTS)

/** @param to a `struct sockaddr`, in words */
type Ask = (fd: number, to: Uint32Array, questions: readonly Uint8Array[]) => void

/** @param questions datagrams, at most 2,048 octets each: each is served some times */
export async function rehearse(
  kernel: Kernel,
  engine: UdpEngine,
  serve: Serve,
  questions: readonly Uint8Array[],
): Promise<void> {
  if (questions.length === 0) return
  const ask = asker(kernel)
  const open: UdpSocket[] = []
  const clients: number[] = []
  const plays: (() => void)[] = []
  for (const { at, family, host, serves, device } of STAGES) {
    const options = { device, ecs: true, onFault: () => {} }
    const served = serves === 'nothing' ? NOTHING : serve
    const stage = await engine.open(host, 0, served, options).catch(absent)
    if (stage === undefined) continue
    open.push(stage)
    const name = sockaddr(at, stage.port, kernel.interfaceNumber) ?? new Uint8Array(0)
    const to = new Uint32Array(name.buffer)
    const own = Array.from({ length: CLIENTS }, () => kernel.socket(family))
    clients.push(...own)
    const once = () => play(engine, questions, own, (fd, some) => ask(fd, to, some))
    once()
    plays.push(once)
  }
  for (let asked = 0; asked < LEAST; asked += questions.length) for (const once of plays) once()
  for (const fd of clients) kernel.close(fd)
  for (const stage of open) await stage.close()
}

function absent(cause: unknown): undefined {
  if (!(cause instanceof Fault)) throw cause
}

/** Asks all of it once. */
function play(
  { turn = () => {} }: UdpEngine,
  questions: readonly Uint8Array[],
  clients: readonly number[],
  ask: (fd: number, questions: readonly Uint8Array[]) => void,
): void {
  for (let from = 0; from < questions.length; from += BATCH) {
    clients.forEach((fd, i) => {
      const first = from + i * SHARE
      ask(fd, questions.slice(first, first + SHARE))
    })
    turn(1)
    turn(0) // mostly nothing has come: this, too, is a way
  }
}

/** Sends from memory of its own. */
function asker(kernel: Kernel): Ask {
  const { replies, sends, words } = batch(kernel.addressOf)
  const [header = new Uint8Array(0)] = sends
  return (fd, to, questions) => {
    words.set(to, nameAt(0))
    questions.forEach((question, i) => {
      replies[i]?.set(question)
      address(words, i, 0, to.byteLength)
      enclose(words, i, i, question.length)
    })
    kernel.send(fd, header, questions.length, MSG_DONTWAIT)
  }
}
