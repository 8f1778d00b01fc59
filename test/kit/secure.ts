/** Certificates for servers in tests, made by openssl; and clients that speak TLS. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls'

export type Made = {
  readonly folder: string
  /** Paths; `other` is a pair of its own. */
  readonly cert: string
  readonly key: string
  readonly otherCert: string
  readonly otherKey: string
  readonly remove: () => void
}

/** Two pairs, each signed by itself, for dns.example.org and 127.0.0.1. */
export function madePairs(): Made {
  const folder = mkdtempSync(join(tmpdir(), 'lbdns-pairs-'))
  const make = (name: string): void => {
    const line = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout ${name}.key -out ${name}.pem -days 30 -subj /CN=${name} -addext subjectAltName=DNS:dns.example.org,IP:127.0.0.1`
    execFileSync('openssl', line.split(' '), { cwd: folder, stdio: 'ignore' })
  }
  make('dns')
  make('other')
  const at = (name: string): string => join(folder, name)
  return {
    folder,
    cert: at('dns.pem'),
    key: at('dns.key'),
    otherCert: at('other.pem'),
    otherKey: at('other.key'),
    remove: () => rmSync(folder, { recursive: true }),
  }
}

/** Connects and shakes hands; rejects with why it cannot. */
export function secured(port: number, options: ConnectionOptions = {}): Promise<TLSSocket> {
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ...options })
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.once('secureConnect', () => {
      socket.off('error', reject)
      socket.on('error', () => undefined)
      resolve(socket)
    })
  })
}
