/**
 * `lbdns` as its users meet it: a folder of files, a command line, a server that answers on a port.
 * Queries and replies go through dns-packet, which shares no code with the server.
 */
import { createSocket } from 'node:dgram'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, isIPv6 } from 'node:net'
import { dirname, join } from 'node:path'
import dnsPacket from 'dns-packet'
import type { Place } from './ask.ts'
import { folder, LBDNS, type Program, type Ran, run, startReady } from './process.ts'
import { type Ask, queryOf, type Said, said } from './world.ts'

export type Files = Readonly<Record<string, string | Uint8Array>>

/** How long an answer over loopback may take on a machine that is busy. */
const PATIENCE_MS = 10_000

/** A new folder with files in it. */
export function site(files: Files): string {
  const made = folder()
  put(made, files)
  return made
}

/** Writes files into a folder, over those that are there. */
export function put(where: string, files: Files): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(where, name)), { recursive: true })
    writeFileSync(join(where, name), content)
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

/** Sends octets over UDP and returns the reply. Rejects where none comes. */
export function exchangeUdp({ host, port }: Place, query: Uint8Array): Promise<Uint8Array> {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4')
  return new Promise<Uint8Array>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`no answer from port ${port}`)), PATIENCE_MS)
    socket.once('error', reject)
    socket.once('close', () => clearTimeout(late))
    socket.once('message', octets => resolve(new Uint8Array(octets)))
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
