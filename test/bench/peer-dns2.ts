/** The npm package `dns2` as an authoritative server for the bench's names. */
import dns2 from 'dns2'
import { ADDRESSES, NAMES, ZONE } from './workload.ts'

const names = new Set(Array.from({ length: NAMES }, (_, i) => `h${i}.${ZONE}`)).add(`www.${ZONE}`)

const server = dns2.createServer({
  udp: true,
  handle(request, send) {
    const response = dns2.Packet.createResponseFromRequest(request)
    const name = request.questions[0]?.name ?? ''
    response.header.aa = 1
    if (!names.has(name)) response.header.rcode = 3
    else {
      for (const address of ADDRESSES) {
        response.answers.push({
          name,
          type: dns2.Packet.TYPE.A,
          class: dns2.Packet.CLASS.IN,
          ttl: 60,
          address,
        })
      }
    }
    send(response)
  },
})
await server.listen({ udp: { port: Number(process.argv[2]), address: '127.0.0.1' } })
