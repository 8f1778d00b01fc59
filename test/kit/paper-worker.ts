/**
 * A UDP worker of paper: it keeps the rules of `server/orders.ts` and opens nothing. What the port of
 * an `open` order is decides what becomes of it, so that a test can have a thread die when it likes. It
 * counts doors that it opens as messages, and Worlds that it goes on with as answers.
 */

/** Ports that mean something to it. */
export const PORT = {
  /** Refused, as an address in use is. */
  refused: 1001,
  /** The thread dies before it answers, once: the thread after it opens the door. */
  dies: 1002,
  /** The thread answers, and then dies of an error that nobody caught. */
  diesLater: 1003,
  /** `Serve` throws, and the door is open all the same. */
  faulty: 1004,
  /** The thread does nothing for half a second before it opens the door. */
  stuck: 1005,
} as const

const SCRIPT = `
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
const { sent, handed } = workerData
const past = new Int32Array(handed.next.buffer)
let { tallies } = handed
let seen = 0
let isLeaving = false
const say = word => parentPort.postMessage(word)
function obey(order) {
  if (order.kind === 'open') {
    if (order.port === ${PORT.refused}) return say({ kind: 'refused', code: 'ADDRESS_IN_USE', message: 'cannot' })
    if (order.port === ${PORT.dies} && Atomics.add(past, 0, 1) === 0) throw new Error('died')
    if (order.port === ${PORT.stuck}) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500)
    if (order.port === ${PORT.faulty}) say({ kind: 'fault', text: 'RangeError: a bug', times: 3 })
    tallies.cells[0] += 1
    order.counts[0] += order.fd === undefined ? 1 : order.fd
    say({ kind: 'done', address: order.address, port: order.port, fd: 70 + order.door })
    if (order.port === ${PORT.diesLater} && Atomics.add(past, 1, 1) === 0) throw new Error('died later')
    return
  }
  if (order.kind === 'serve') {
    past[2] = order.handed.next.length
    tallies = order.handed.tallies
    tallies.answers[0] += 1
  }
  if (order.kind === 'heed ecs') Atomics.add(past, 3, order.ecs ? 1 : 10)
  isLeaving = order.kind === 'leave'
  say({ kind: 'done', address: '', port: 0, fd: -1 })
}
while (!isLeaving) {
  Atomics.wait(sent, 0, seen)
  seen = Atomics.load(sent, 0)
  for (let came = receiveMessageOnPort(parentPort); came; came = receiveMessageOnPort(parentPort)) obey(came.message)
}
parentPort.close()
`

export const PAPER_WORKER = new URL(`data:text/javascript,${encodeURIComponent(SCRIPT)}`)
