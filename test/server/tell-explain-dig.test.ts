/** What `explain` shows of a reply is what `dig` shows of it, octet for octet. */
import { createSocket } from 'node:dgram'
import dnsPacket, { type Packet } from 'dns-packet'
import { expect, test } from 'vitest'
import { readMessage } from '../../server/dns/message.ts'
import { digLines } from '../../server/tell/explain/dig.ts'
import { describeWith, run } from '../kit/process.ts'

const AA = dnsPacket.AUTHORITATIVE_ANSWER
const SOA = {
  mname: 'ns1.example.com',
  rname: 'hostmaster.example.com',
  serial: 7,
  refresh: 7200,
  retry: 900,
  expire: 1209600,
  minimum: 60,
}

function opt(flags: number, options: readonly (readonly [number, string])[] = []): object {
  const data = options.map(([code, hex]) => ({ code, data: Buffer.from(hex, 'hex') }))
  return { type: 'OPT', name: '.', udpPayloadSize: 1232, flags, options: data, extendedRcode: 0 }
}

function a(name: string, ttl: number, data: string): object {
  return { type: 'A', name, ttl, data }
}

/** HTTPS is type 65; dns-packet takes its data as octets. RFC 9460 §9. */
function service(name: string, rdata: string): object {
  return { type: 'UNKNOWN_65', name, ttl: 60, data: Buffer.from(rdata, 'hex') }
}

const LONG = `${'a'.repeat(40)}.example.com`

// biome-ignore format: table
const REPLIES: readonly (readonly [string, string, string, object])[] = [
  ['two addresses',                  'www.example.com',  'A',     { answers: [a('www.example.com', 60, '192.0.2.1'), a('www.example.com', 60, '192.0.2.2')], additionals: [opt(0)] }],
  ['an IPv4 client subnet',          'www.example.com',  'A',     { answers: [a('www.example.com', 1234567890, '192.0.2.1')], additionals: [opt(0, [[8, '000118118020c0']])] }],
  ['an IPv6 client subnet and DO',   'www.example.com',  'AAAA',  { answers: [{ type: 'AAAA', name: 'www.example.com', ttl: 5, data: '2001:db8::1' }], additionals: [opt(0x8000, [[8, '0002382020010db8123456']])] }],
  ['SOURCE 0',                       'www.example.com',  'A',     { additionals: [opt(0, [[8, '00010000']])] }],
  ['no EDNS',                        'www.example.com',  'A',     { answers: [a('www.example.com', 60, '192.0.2.1')] }],
  ['a name as long as the columns',  LONG,               'A',     { answers: [a(LONG, 60, '192.0.2.1')], additionals: [opt(0)] }],
  ['names that end at a tab',        'abcdefghijk.example.com', 'A', { answers: [a('abcdefghijk.example.com', 60, '192.0.2.1'), a('abcdefghijkl.example.com', 12345678, '192.0.2.1')], additionals: [opt(0)] }],
  ['an alias',                       'to.example.com',   'A',     { answers: [{ type: 'CNAME', name: 'to.example.com', ttl: 60, data: 'eu.example.com' }], additionals: [opt(0)] }],
  ['nothing there',                  'x.example.com',    'TXT',   { authorities: [{ type: 'SOA', name: 'example.com', ttl: 60, data: SOA }], additionals: [opt(0)] }],
  ['a text and a mail exchanger',    'example.com',      'TXT',   { answers: [{ type: 'TXT', name: 'example.com', ttl: 60, data: ['a "b"', 'c'] }, { type: 'MX', name: 'example.com', ttl: 60, data: { preference: 10, exchange: 'mail.example.com' } }], additionals: [opt(0)] }],
  ['glue',                           'a.sub.example.com','A',     { flags: 0, authorities: [{ type: 'NS', name: 'sub.example.com', ttl: 60, data: 'ns.sub.example.com' }], additionals: [a('ns.sub.example.com', 60, '192.0.2.53'), opt(0)] }],
  ['a service record with hints',    'www.example.com',  'HTTPS', { answers: [service('www.example.com', '0001000001000602683202683300040008c0000201c0000202')], additionals: [opt(0, [[8, '000118118020c0']])] }],
  ['cut short',                      'www.example.com',  'A',     { flags: AA | 0x200, additionals: [opt(0)] }],
  ['refused',                        'example.org',      'A',     { flags: 5, additionals: [opt(0)] }],
]

/** Puts a reply to dig's one query. */
async function digOf(
  reply: Packet,
  type: string,
): Promise<{ readonly octets: Uint8Array; readonly text: string }> {
  const socket = createSocket('udp4')
  await new Promise<void>(resolve => socket.bind(0, '127.0.0.1', resolve))
  let octets: Uint8Array = new Uint8Array()
  socket.on('message', (query, from) => {
    octets = new Uint8Array(dnsPacket.encode({ ...reply, id: query.readUInt16BE(0) }))
    socket.send(octets, from.port, from.address)
  })
  const [question] = reply.questions ?? []
  const port = String(socket.address().port)
  const asked = '+norecurse +nocookie +nocmd +nostats +ignore'.split(' ')
  const where = ['@127.0.0.1', '-p', port, ...asked]
  const { stdout } = await run('dig', [...where, question?.name ?? '', type])
  socket.close()
  return { octets, text: stdout }
}

describeWith(['dig'], 'the reply, as dig prints it', () => {
  test.each(REPLIES)('%s', async (_, name, type, parts) => {
    const questions = [{ name, type: (type === 'HTTPS' ? 'UNKNOWN_65' : type) as 'A' }]
    const reply: Packet = { type: 'response', flags: AA, questions, ...parts }
    const { octets, text } = await digOf(reply, type)
    const message = readMessage(octets)
    const shown = message === undefined ? [] : digLines(message)
    expect(shown.join('\n')).toBe(text.replace(/^\n*;; Got answer:\n/, '').trimEnd())
  })
})
