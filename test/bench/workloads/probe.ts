/**
 * How long a person waits for the probe: until it has said its version, and until its first query is
 * on the wire, beside the tools it is to take the place of. Whole processes, from the start of each.
 */
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Bench, Workload } from '../bench.ts'
import { BOTH_CORES, FOLDER, find, start } from '../machine/program.ts'
import type { Column, Sample } from '../result.ts'

const COLUMNS: readonly Column[] = [
  { key: 'version', title: 'ms to its version', digits: 0, fold: 'median' },
  { key: 'query', title: 'ms to its first query', digits: 0, fold: 'median' },
]

/** What they say is nobody's. */
const LOG = join(FOLDER, 'probe.log')

/** Starts of each; the first opens files that nobody has read yet. */
const STARTS = 15

const LBPROBE = fileURLToPath(new URL('../../../../dist/probe/main.js', import.meta.url))

type Tool = {
  readonly name: string
  readonly version: readonly string[]
  readonly query: (port: number) => readonly string[]
}

const asking = (port: number): readonly string[] => ['@127.0.0.1', '-p', `${port}`, 'a.test', 'A']

const TOOLS: readonly Tool[] = [
  {
    name: 'lbprobe',
    version: [process.execPath, LBPROBE, '--version'],
    query: port => [process.execPath, LBPROBE, 'dns2', '-q', '-n', '1', ...asking(port)],
  },
  { name: 'dig', version: ['dig', '-v'], query: port => ['dig', ...asking(port)] },
  { name: 'kdig', version: ['kdig', '--version'], query: port => ['kdig', ...asking(port)] },
]

export const probe: Workload = async bench => {
  const here = TOOLS.filter(({ version: [program = ''] }) => find(program) !== undefined)
  const notes = TOOLS.filter(tool => !here.includes(tool)).map(
    ({ name }) => `${name}: not installed`,
  )
  const socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const samples = await startAll(bench, here, socket)
  socket.close()
  const title = `whole processes, ${STARTS} starts of each`
  return [{ workload: 'probe', title, columns: COLUMNS, samples, notes }]
}

/** The tools in turn, so that what else goes on meets all of them. */
async function startAll(bench: Bench, tools: readonly Tool[], socket: Socket): Promise<Sample[]> {
  const { port } = socket.address()
  const samples: Sample[] = []
  for (let turn = 0; turn < STARTS; turn += 1) {
    for (const { name, version, query } of tools) {
      bench.tell(`start ${turn + 1} of ${STARTS}: ${name}`)
      const figures = { version: await ending(version), query: await asked(query(port), socket) }
      samples.push({ server: name, figures })
    }
  }
  return samples
}

/** Milliseconds until a program has ended. */
async function ending(command: readonly string[]): Promise<number> {
  const began = performance.now()
  await start(command, BOTH_CORES, LOG).ended
  return performance.now() - began
}

/** Milliseconds until its first datagram is here. */
async function asked(command: readonly string[], socket: Socket): Promise<number> {
  const began = performance.now()
  const program = start(command, BOTH_CORES, LOG)
  await once(socket, 'message')
  const took = performance.now() - began
  await program.stop()
  return took
}
