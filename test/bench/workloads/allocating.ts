/**
 * A process of its own, run with `--expose-gc`: asks ten million times and reports what the heap did
 * meanwhile. Arguments: configuration, number of queries, kind of questions, and who is asked: `serve`,
 * or `attend`, which counts besides.
 */
import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { attend } from '../../../server/answer/attend.ts'
import { openDesk } from '../../../server/answer/desk.ts'
import { serve } from '../../../server/answer/serve.ts'
import { address, setAddressText } from '../../../server/dns/address.ts'
import { problemText } from '../../../server/fault.ts'
import { openTallies } from '../../../server/guard/answers.ts'
import { load } from '../../../server/load.ts'
import { chance } from '../../../server/steer/chance.ts'
import { type Kind, questionsOf } from '../load/questions.ts'

const [file = '', count = '', kind = 'mixed', asked = 'attend'] = process.argv.slice(2)
const loaded = load(file, { version: 'bench', host: 'bench' })
if (!loaded.ok) throw new Error(loaded.problems.map(problemText).join('\n'))
const desk = openDesk(loaded.value.world, chance(1))
const tallies = openTallies(loaded.value.world.steering)
const peer = { ...address(), transport: 'udp', ecs: true, port: 0, keepalive: 0 } as const
setAddressText(peer, '127.0.0.1')
const set = questionsOf(kind as Kind)
const messages = Array.from(set.start, (at, i) => set.octets.slice(at, at + (set.length[i] ?? 0)))
const out = new Uint8Array(65_535)

type Collection = PerformanceEntry & { readonly detail: { readonly kind: number } }

const collections = { minor: 0, major: 0 }
const { NODE_PERFORMANCE_GC_MINOR: MINOR } = constants
const observer = new PerformanceObserver(list => {
  for (const entry of list.getEntries()) {
    const { detail } = entry as Collection
    collections[detail.kind === MINOR ? 'minor' : 'major'] += 1
  }
})
observer.observe({ entryTypes: ['gc'] })

/** The queries, over and over. Hot. */
function askServe(times: number): number {
  let octets = 0
  for (let i = 0; i < times; i += 1) {
    const message = messages[i % messages.length]!
    octets += serve(desk, message, message.length, out, peer)
  }
  return octets
}

/** The same; not one loop for both, as V8 would compile it for two callees. Hot. */
function askAttend(times: number): number {
  let octets = 0
  for (let i = 0; i < times; i += 1) {
    const message = messages[i % messages.length]!
    octets += attend(desk, tallies, message, message.length, out, peer)
  }
  return octets
}

const ask = asked === 'serve' ? askServe : askAttend

/** What is in use once all that can be is collected. */
async function heapAfter(): Promise<number> {
  globalThis.gc?.()
  await setTimeout(50) // for the observer to hear of it
  return process.memoryUsage().heapUsed
}

const queries = Number(count)
ask(Math.min(queries, 1_000_000)) // until it is compiled
const before = await heapAfter()
collections.minor = 0
collections.major = 0
const began = process.cpuUsage()
const octets = ask(queries)
const { user, system } = process.cpuUsage(began)
await setTimeout(50)
const { minor, major } = collections
const growth = (await heapAfter()) - before
const nanos = (1_000 * (user + system)) / queries
process.stdout.write(`${JSON.stringify({ queries, octets, growth, minor, major, nanos })}\n`)
process.exit(0)
