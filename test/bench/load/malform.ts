/** Spoils queries in every way that costs a server something: cut short, flipped, lying about counts. */
import { below, type Chance, draw } from '../../../server/steer/chance.ts'
import type { Questions } from './questions.ts'

/** Changes the messages in place; each keeps its id, so that a reply finds home. */
export function malform({ octets, start, length }: Questions, drawn: Chance): void {
  start.forEach((from, number) => {
    const message = octets.subarray(from, from + (length[number] ?? 0))
    length[number] = WAYS[below(drawn, WAYS.length)]?.(message, drawn) ?? message.length
  })
}

type Way = (message: Uint8Array, drawn: Chance) => number

/** Each returns how long the message is now. */
const WAYS: readonly Way[] = [cutShort, flipBits, lieOfCounts, loopName, noise]

function cutShort(message: Uint8Array, drawn: Chance): number {
  return 2 + below(drawn, message.length - 2)
}

function flipBits(message: Uint8Array, drawn: Chance): number {
  for (let times = 1 + below(drawn, 8); times > 0; times -= 1) {
    const at = 2 + below(drawn, message.length - 2)
    message[at] = (message[at] ?? 0) ^ (1 << below(drawn, 8))
  }
  return message.length
}

function lieOfCounts(message: Uint8Array, drawn: Chance): number {
  message[4 + below(drawn, 8)] = draw(drawn)
  return message.length
}

/** A pointer to itself as QNAME: RFC 1035 §4.1.4 lets pointers point to prior names only. */
function loopName(message: Uint8Array): number {
  message.set([0xc0, 12], 12)
  return message.length
}

function noise(message: Uint8Array, drawn: Chance): number {
  for (let at = 2; at < message.length; at += 1) message[at] = draw(drawn)
  return message.length
}
