/** The npm package `dns2` as an authoritative server for the bench's names. */
import dns2 from 'dns2'
import { addressesOf, NAMES, plainRow, STEERED, ZONE } from '../site/site.ts'

const names = new Set(Array.from({ length: NAMES }, (_, i) => `h${i}.${ZONE}`)).add(STEERED)
const addresses = addressesOf(plainRow())
const { TYPE, CLASS } = dns2.Packet

const server = dns2.createServer({
  udp: true,
  handle(request, send) {
    const response = dns2.Packet.createResponseFromRequest(request)
    const name = request.questions[0]?.name ?? ''
    response.header.aa = 1
    if (!names.has(name)) response.header.rcode = 3
    else {
      const record = { name, type: TYPE.A, class: CLASS.IN, ttl: 60 }
      response.answers.push(...addresses.map(address => ({ ...record, address })))
    }
    send(response)
  },
})
await server.listen({ udp: { port: Number(process.argv[2]), address: '127.0.0.1' } })
