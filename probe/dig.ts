/**
 * `--as-dig`: a wire that lets every query through and shows each as a line of `dig`, read back from
 * the very octets that leave.
 */

import packet from 'dns-packet'
import { ask, asker, type Manner } from './ask/ask.ts'
import { typeText } from './ask/codec.ts'
import { PADDING, UNKNOWN_OPTION } from './ask/query.ts'
import { authorityOf, type Origin, type Server } from './ask/server.ts'
import type { Wire } from './ask/wire.ts'
import { chanceFrom } from './plan/chance.ts'
import type { Question } from './plan/question.ts'
import { addressText } from './plan/subnet.ts'
import { type DigQuery, type DigServer, digLine } from './tell/dig-line.ts'

/** @param show gets each line, with its end, when the query leaves */
export function shownAsDig(wire: Wire, show: (line: string) => void): Wire {
  return {
    ...wire,
    datagram: (server, query, ...rest) => {
      show(`${lineOf(server, 'udp', query)}\n`)
      return wire.datagram(server, query, ...rest)
    },
    stream: (server, request, forMs) => {
      const over = server.transport === 'udp' ? 'tcp' : server.transport
      show(`${lineOf(server, over, request)}\n`)
      return wire.stream(server, request, forMs)
    },
  }
}

/** A wire that leads nowhere. */
const NOWHERE: Wire = {
  now: () => 0,
  sleep: async () => undefined,
  datagram: async () => 'timeout',
  stream: async () => 'timeout',
}

/** The lines of questions that are not sent. */
export async function plannedAsDig(
  questions: readonly Question[],
  server: Server,
  manner: Manner,
): Promise<string> {
  const lines: string[] = []
  const wire = shownAsDig(NOWHERE, line => lines.push(line))
  const who = asker(wire, chanceFrom(0), { ...manner, tries: 1 })
  for (const question of questions) await ask(who, question, server)
  return lines.join('')
}

function lineOf(server: Server, transport: Server['transport'], sent: Uint8Array): string {
  const { address, port, secure, origin } = server
  const to: DigServer = {
    address,
    port,
    transport,
    ...(origin !== undefined && { from: fromText(origin, transport) }),
    name: secure?.name,
    ca: secure?.ca?.path,
    ...(secure !== undefined && { path: secure.path, method: secure.method }),
    pins: secure?.pins.length ?? 0,
  }
  const octets = Buffer.from(sent)
  if (transport !== 'json') return digLine({ ...readBack(octets), to })
  const query = octets.toString('latin1')
  const url = `https://${authorityOf(server)}${secure?.path}?${query}`
  return digLine({ ...NOTHING, to: { ...to, url } })
}

function fromText({ address, port }: Origin, transport: Server['transport']): string {
  return port === undefined || transport !== 'udp' ? address : `${address}#${port}`
}

const NOTHING: Omit<DigQuery, 'to'> = {
  name: '.', type: 'A', recursion: 'desired', size: undefined, subnet: undefined,
  nsid: 'unasked', padding: 'none', others: [],
} // biome-ignore format: table

const NSID = 3
const ECS = 8

type Option = { readonly code: number; readonly data: Buffer }

/** What a query of ours says. */
function readBack(octets: Buffer): Omit<DigQuery, 'to'> {
  const message = packet.decode(octets)
  const question = message.questions?.[0]
  const opt = message.additionals?.find(record => record.type === 'OPT')
  const options = (opt?.type === 'OPT' ? opt.options : []) as unknown as readonly Option[]
  const find = (code: number): Option | undefined => options.find(option => option.code === code)
  const others = options.filter(({ code }) => code === UNKNOWN_OPTION)
  const number = /^UNKNOWN_([0-9]+)$/.exec(question?.type ?? '')?.[1]
  const name = question?.name.toLowerCase() ?? ''
  return {
    name: name === '' ? '.' : name,
    type: number === undefined ? `${question?.type}` : typeText(Number(number)),
    recursion: message.flag_rd ? 'desired' : 'not-desired',
    size: opt?.type === 'OPT' ? opt.udpPayloadSize : undefined,
    subnet: subnetText(find(ECS)?.data),
    nsid: find(NSID) === undefined ? 'unasked' : 'asked',
    padding: find(PADDING) === undefined ? 'none' : 'blocks',
    others: others.map(({ code, data }) => ({ code, hex: data.toString('hex') })),
  }
}

function subnetText(data: Buffer | undefined): string | undefined {
  if (data === undefined) return undefined
  const octets = new Uint8Array(data.readUInt16BE(0) === 1 ? 4 : 16)
  octets.set(data.subarray(4))
  return `${addressText(octets)}/${data.readUInt8(2)}`
}
