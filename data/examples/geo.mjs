// Is a name's geoDNS real? Usage: node geo.mjs NAME [SERVER]
import { probe, verdict } from 'lbdns/probe'

const [name = 'www.example.com', server] = process.argv.slice(2)
const probed = await probe(name, server === undefined ? {} : { servers: [server] })
const { verdict: said, groups } = verdict(probed)

console.log(`${name}: ${said.answer} (${said.code})`)
for (const { regions, answers } of groups)
  console.log(`${regions.join(', ')}: ${answers.join(' ')}`)
