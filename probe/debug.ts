/**
 * `--debug`: a wire that lets everything through and shows each message as octets, sent and received,
 * with whom it went to, how, how long it is and when; what answers a message has its number. Of DNS it
 * knows nothing.
 */

import { type Server, serverText } from './ask/server.ts'
import { carried, isDenied, type Streamed, type Wire } from './ask/wire.ts'
import { many, printable } from './tell/number.ts'

/** @param show gets each message when it leaves or comes, with a line end */
export function shownInHex(wire: Wire, show: (text: string) => void): Wire {
  const began = wire.now()
  let count = 0
  const next = (): number => {
    count += 1
    return count
  }
  const since = (): string => `${(wire.now() - began).toFixed(1)} ms`
  return {
    ...wire,
    datagram: async (server, query, forMs, openness, judge) => {
      const number = next()
      const peer = `${serverText(server)} udp`
      show(messageText(`${number} > ${peer}`, query, since()))
      const ending = await wire.datagram(server, query, forMs, openness, (octets, source) => {
        const fate = judge(octets, source)
        show(messageText(`${number} < ${peer}${ODD[fate]}${ODD[source]}`, octets, since()))
        return fate
      })
      if (ending === 'timeout') show(`${number} < ${peer}: nothing · ${since()}\n\n`)
      if (typeof ending === 'object')
        show(`${number} < ${peer}: ${printable(ending.why)} · ${since()}\n\n`)
      return ending
    },
    stream: async (server, request, forMs) => {
      const number = next()
      const over = server.transport === 'udp' ? 'tcp' : server.transport
      const peer = `${serverText(server)} ${over}`
      show(wholeText(`${number} > ${peer}`, request, since(), over))
      const got = await wire.stream(server, request, forMs)
      show(streamedText(`${number} < ${peer}`, got, since(), over))
      return got
    },
  }
}

const ODD = {
  mine: '',
  'not-mine': ', not its reply',
  server: '',
  other: ', from elsewhere',
} as const

function streamedText(
  head: string,
  got: Streamed,
  when: string,
  over: Server['transport'],
): string {
  if (typeof got === 'string') return `${head}: ${got} · ${when}\n\n`
  if (isDenied(got)) return `${head}: ${printable(got.why)} · ${when}\n\n`
  const { octets } = carried(got)
  return wholeText(head, octets, when, over)
}

/** JSON is shown as the text it is. */
function wholeText(
  head: string,
  octets: Uint8Array,
  when: string,
  over: Server['transport'],
): string {
  if (over !== 'json') return messageText(head, octets, when, prefixText(over, octets))
  const text = printable(Buffer.from(octets).toString('utf8'))
  return `${head} · ${many(octets.length, 'octet', 'octets')} · ${when}\n${text}\n\n`
}

/** What stands around the octets shown. RFC 1035 §4.2.2, RFC 7858 §3.3, RFC 8484 §6. */
function prefixText(over: Server['transport'], octets: Uint8Array): string {
  if (over === 'https') return ' of DNS in the body or the URL'
  return ` after the length ${octets.length.toString(16).padStart(4, '0')}`
}

function messageText(head: string, octets: Uint8Array, when: string, what = ''): string {
  const lines = [
    `${head} · ${many(octets.length, 'octet', 'octets')}${what} · ${when}`,
    ...hexLines(octets),
  ]
  return `${lines.join('\n')}\n\n`
}

const ROW = 16
const HALF = 8

/** Offset, sixteen octets, and those that can be printed, as `hexdump -C` has it. */
export function hexLines(octets: Uint8Array): readonly string[] {
  const rows = Math.ceil(octets.length / ROW)
  return Array.from({ length: rows }, (_, row) => {
    const part = [...octets.subarray(row * ROW, row * ROW + ROW)]
    const hex = part.map((octet, at) => `${at === HALF ? ' ' : ''}${pair(octet)}`).join(' ')
    const text = part.map(octet => (octet >= 0x20 && octet < 0x7f ? letter(octet) : '.')).join('')
    return `${(row * ROW).toString(16).padStart(8, '0')}  ${hex.padEnd(3 * ROW)}  |${text}|`
  })
}

function pair(octet: number): string {
  return octet.toString(16).padStart(2, '0')
}

function letter(octet: number): string {
  return String.fromCharCode(octet)
}
