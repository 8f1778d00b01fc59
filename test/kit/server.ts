/**
 * `lbdns` as its users meet it: a folder of files, a command line, a server that answers on a port.
 * Queries and replies go through dns-packet, which shares no code with the server.
 */
import { createSocket } from 'node:dgram'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, isIPv6 } from 'node:net'
import { join } from 'node:path'
import dnsPacket from 'dns-packet'
import type { Place } from './ask.ts'
import { folder, LBDNS, type Program, type Ran, run, startReady } from './process.ts'
import { type Ask, queryOf, type Said, said } from './world.ts'

/** What a file can be besides its content. */
export const ABSENT = Symbol('absent')
export const FOLDER = Symbol('a folder')

export type Content = string | Uint8Array | typeof ABSENT | typeof FOLDER
export type Files = Readonly<Record<string, Content>>

/** How long an answer over loopback may take on a machine that is busy. */
const PATIENCE_MS = 10_000

/** A new folder with files in it. */
export function site(files: Files): string {
  const made = folder()
  put(made, files)
  return made
}

/** Puts files into a folder, in place of those that are there. */
export function put(where: string, files: Files): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(where, name)
    rmSync(path, { recursive: true, force: true })
    if (content === FOLDER) mkdirSync(path)
    else if (content !== ABSENT) writeFileSync(path, content)
  }
}

/** Runs one command to its end. */
export function lbdns(...args: readonly string[]): Promise<Ran> {
  return run(process.execPath, [LBDNS, ...args])
}

/** Serves the `lbdns.yaml` of a folder; returns once it listens. */
export function serveSite(where: string): Promise<Program> {
  const args = [LBDNS, 'run', '-c', join(where, 'lbdns.yaml')]
  return startReady(process.execPath, args, ({ stdout }) => stdout().includes('listening'))
}

/** How long other tests may need the ports of the demo. */
const DEMO_MS = 60_000

/** Serves the demo, which always has the same ports: while another test has them, waits for it. */
export async function serveDemo(
  program = process.execPath,
  args: readonly string[] = [LBDNS, 'run', '--demo'],
): Promise<Program> {
  const deadline = performance.now() + DEMO_MS
  for (;;) {
    try {
      return await startReady(program, args, ({ stdout }) => stdout().includes('listening'))
    } catch (cause) {
      if (!String(cause).includes('another process has it')) throw cause
      if (performance.now() > deadline) throw cause
      await new Promise(resolve => setTimeout(resolve, 200))
    }
  }
}

/**
 * Sends octets over UDP and returns the reply: from where it was asked, with its id (RFC 5452 §9.1),
 * as what comes may be for whoever had the port before. Rejects where none comes.
 */
export function exchangeUdp({ host, port }: Place, query: Uint8Array): Promise<Uint8Array> {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4')
  return new Promise<Uint8Array>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`no answer from port ${port}`)), PATIENCE_MS)
    socket.once('error', reject)
    socket.once('close', () => clearTimeout(late))
    socket.on('message', (octets, from) => {
      const isReply = from.port === port && octets[0] === query[0] && octets[1] === query[1]
      if (isReply) resolve(new Uint8Array(octets))
    })
    socket.send(query, port, host)
  }).finally(() => socket.close())
}

/** Asks a server, on 127.0.0.1 where only its port is told. */
export async function askUdp(to: number | Place, name: string, options: Ask = {}): Promise<Said> {
  const place = typeof to === 'number' ? { host: '127.0.0.1', port: to } : to
  return said(await exchangeUdp(place, queryOf(name, options)))
}

/** What a server says of itself: TXT of class CH. */
export async function askChaos(port: number, name: string): Promise<string> {
  const questions = [{ type: 'TXT', class: 'CH', name }] as const
  const query = dnsPacket.encode({ type: 'query', id: 1, questions: [...questions] })
  const reply = await exchangeUdp({ host: '127.0.0.1', port }, query)
  const [text] = dnsPacket.decode(Buffer.from(reply)).answers ?? []
  return text?.type === 'TXT' ? String(text.data) : ''
}

/**
 * Takes a port of 127.0.0.1, as another program would; returns how to give it back. Rejects where it
 * is taken.
 */
export async function hold(
  port: number,
  over: 'udp' | 'tcp' | 'both' = 'both',
): Promise<() => Promise<void>> {
  const udp = createSocket('udp4')
  const tcp = createServer()
  if (over !== 'tcp') await bound(udp, () => udp.bind({ port, address: '127.0.0.1' }))
  if (over !== 'udp') await bound(tcp, () => tcp.listen({ port, host: '127.0.0.1' }))
  return async () => {
    if (over !== 'tcp') await new Promise<void>(done => udp.close(() => done()))
    if (over !== 'udp') await new Promise(done => tcp.close(done))
  }
}

function bound(door: NodeJS.EventEmitter, open: () => void): Promise<unknown> {
  return new Promise((resolve, reject) => {
    door.once('listening', resolve)
    door.once('error', reject)
    open()
  })
}

/** The data of an answer's records, sorted: for comparing sets. */
export function dataOf(answer: Said): string[] {
  return answer.answer.map(line => line.split(' ').slice(3).join(' ')).sort()
}
