// Keeps what was seen of several names, judges it later. Usage: node rotation.mjs SERVER NAME…
import { probe, verdict } from 'lbdns/probe'

const [server, ...names] = process.argv.slice(2)
const kept = []
for (const name of names) {
  kept.push(
    JSON.stringify(await probe(name, { kind: 'dns2', servers: [server], count: 40, seed: 1 })),
  )
}

for (const text of kept) {
  const { name, verdict: said } = verdict(JSON.parse(text))
  console.log([name, said.code, ...said.modifiers].join(' '))
}
