/**
 * What the tests of health checks share: targets on loopback that behave, or not, and certificates
 * that are made for a test and gone after it.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { type Outcome, tryOnce } from '../../server/health/try.ts'
import type { HttpTrial, Trial } from '../../server/steer/trial.ts'
import { until } from './transport.ts'

export type Target = {
  readonly port: number
  /** How many connections are open, and how many there have ever been. */
  readonly open: () => number
  readonly ever: () => number
  readonly close: () => void
}

/** Long enough for whatever passes, however busy the machine is; and short, for what never comes. */
export const AMPLE_MS = 5_000
export const SHORT_MS = 300

const closers: (() => void)[] = []

/** Closes, after the test, whatever it opened. */
export function closing(close: () => void): void {
  closers.push(close)
}

export function closeAll(): void {
  for (const close of closers.splice(0)) close()
}

export async function opened(target: Promise<Target>): Promise<Target> {
  closing((await target).close)
  return target
}

export function httpTrial(port: number, more: Partial<HttpTrial> = {}): HttpTrial {
  return {
    ...{ kind: 'http', port, method: 'GET', path: '/', host: undefined, headers: [] },
    ...{ status: [[200, 299]], body: undefined, fields: [], tls: undefined },
    ...{ load: undefined, capacity: undefined, ...more },
  }
}

/** @param address where it listens, at a port of the system's choice */
export async function listening(server: Server, address = '127.0.0.1'): Promise<Target> {
  const sockets = new Set<Socket>()
  let ever = 0
  server.on('connection', (socket: Socket) => {
    ever += 1
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, address, resolve)
  })
  const at = server.address()
  if (at === null || typeof at === 'string') throw new Error('no port')
  const close = (): void => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  return { port: at.port, open: () => sockets.size, ever: () => ever, close }
}

/** @param heard acts once, on the first octets of each connection */
export function rawTarget(heard: (socket: Socket, octets: Buffer) => void): Promise<Target> {
  const server = createServer(socket => {
    socket.once('data', octets => heard(socket, octets))
    socket.resume()
  })
  return listening(server)
}

export function httpTarget(answer: RequestListener): Promise<Target> {
  return listening(createHttpServer(answer))
}

/** A port of loopback at which nobody listens. */
export async function nobody(): Promise<number> {
  const target = await listening(createServer())
  target.close()
  return target.port
}

/** Writes the same again and again, as fast as it goes. */
export function flood(socket: Socket, piece: string | Uint8Array): void {
  while (!socket.destroyed && socket.write(piece));
  if (!socket.destroyed) socket.once('drain', () => flood(socket, piece))
}

/** Writes the same again and again, slowly. */
export function drip(socket: Socket, piece: string | Uint8Array): void {
  const timer = setInterval(() => socket.write(piece), 20)
  socket.once('close', () => clearInterval(timer))
}

export type Expected = { readonly passed?: boolean; readonly why: string | RegExp }

/** Tries a target once, and looks that nothing stays open. */
export async function expectOutcome(
  trial: Trial,
  target: Target,
  { passed = false, why }: Expected,
): Promise<Outcome> {
  const isLate = typeof why === 'string' && why.endsWith(`within ${SHORT_MS} ms`)
  const ms = isLate ? SHORT_MS : AMPLE_MS
  const outcome = await tryOnce(trial, '127.0.0.1', ms)
  if (typeof why === 'string') expect(outcome.why).toBe(why)
  else expect(outcome.why).toMatch(why)
  expect(outcome.passed).toBe(passed)
  if (!isLate) expect(outcome.ms).toBeLessThan(AMPLE_MS)
  await until(() => target.open() === 0)
  return outcome
}

/** Certificates by what they are, as PEM, all of one key. */
export type Certificates = {
  readonly key: string
  readonly authority: string
  readonly good: string
  readonly expired: string
  readonly brief: string
  readonly alone: string
}

export const hasOpenssl = (() => {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

/** An authority, and certificates for `www.example.org`: for 365 days, 10 days, until yesterday; and one without authority. */
export function certificates(): Certificates {
  const folder = mkdtempSync(join(tmpdir(), 'lbdns-certificates-'))
  const run = (line: string): unknown =>
    execFileSync('openssl', line.split(' '), { cwd: folder, stdio: 'ignore' })
  const read = (file: string): string => readFileSync(join(folder, file), 'utf8')
  const sign = (name: string, days: number): string => {
    run(
      `x509 -req -in own.csr -CA ca.crt -CAkey own.key -set_serial ${days + 100} -days ${days} -extfile names -out ${name}.crt`,
    )
    return read(`${name}.crt`)
  }
  try {
    writeFileSync(join(folder, 'names'), 'subjectAltName=DNS:www.example.org\n')
    run('ecparam -name prime256v1 -genkey -noout -out own.key')
    run('req -x509 -new -key own.key -subj /CN=authority -days 365 -out ca.crt')
    run('req -x509 -new -key own.key -subj /CN=alone -days 365 -out alone.crt')
    run('req -new -key own.key -subj /CN=www.example.org -out own.csr')
    return {
      key: read('own.key'),
      authority: read('ca.crt'),
      good: sign('good', 365),
      brief: sign('brief', 10),
      expired: sign('expired', -1),
      alone: read('alone.crt'),
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
