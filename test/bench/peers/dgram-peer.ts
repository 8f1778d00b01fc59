/** `node:dgram` with `dns-packet`: the server many would write first. */
import { createSocket } from 'node:dgram'
import dnsPacket from 'dns-packet'
import { addressesOf, NAMES, plainRow, STEERED, ZONE } from '../site/site.ts'

const names = new Set(Array.from({ length: NAMES }, (_, i) => `h${i}.${ZONE}`)).add(STEERED)
const addresses = addressesOf(plainRow())
const socket = createSocket('udp4')

socket.on('message', (octets, from) => {
  const query = dnsPacket.decode(octets)
  const name = query.questions?.[0]?.name ?? ''
  const known = names.has(name)
  const reply = dnsPacket.encode({
    type: 'response',
    id: query.id ?? 0,
    flags: dnsPacket.AUTHORITATIVE_ANSWER | (known ? 0 : 3),
    questions: query.questions ?? [],
    answers: known ? addresses.map(data => ({ type: 'A', name, ttl: 60, data })) : [],
  })
  socket.send(reply, from.port, from.address)
})
socket.bind(Number(process.argv[2]), '127.0.0.1')
