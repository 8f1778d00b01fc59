/**
 * A closed-loop load on loopback: so many queries are always under way, and each reply brings the
 * next query. Prints one JSON line. Arguments: port, load, seconds.
 */
import { createSocket, type Socket } from 'node:dgram'
import { type LoadName, queries } from './workload.ts'

const [port = 0, , seconds = 3] = process.argv.slice(2).map(Number)
const load = process.argv[3] as LoadName
const SOCKETS = 4
const WINDOW = 64
/** Without a reply for so long, what is under way counts as lost and is sent again. */
const STALLED_MS = 200

const messages = queries(load)
const codes = new Map<number, number>()
let next = 0
let answered = 0
let lost = 0
let over = false

for (let i = 0; i < SOCKETS; i += 1) start(createSocket('udp4'))

function start(socket: Socket): void {
  let open = 0
  let heard = 0
  const send = () => {
    open += 1
    next = (next + 1) % messages.length
    socket.send(messages[next]!)
  }
  const fill = () => {
    while (open < WINDOW) send()
  }
  socket.on('message', reply => {
    answered += 1
    open -= 1
    heard = performance.now()
    codes.set(reply[3]! & 15, (codes.get(reply[3]! & 15) ?? 0) + 1)
    if (!over) fill()
  })
  const watch = setInterval(() => {
    if (performance.now() - heard < STALLED_MS) return
    lost += open
    open = 0
    fill()
  }, STALLED_MS)
  socket.on('error', () => undefined) // refused: not up yet, or gone
  socket.connect(port, '127.0.0.1', fill)
  setTimeout(() => {
    over = true
    clearInterval(watch)
    socket.close()
  }, seconds * 1000)
}

const began = performance.now()
process.on('exit', () => {
  const took = (performance.now() - began) / 1000
  const [noError = 0, noName = 0] = [codes.get(0), codes.get(3)]
  const other = answered - noError - noName
  process.stdout.write(`${JSON.stringify({ rate: answered / took, answered, lost, other })}\n`)
})
