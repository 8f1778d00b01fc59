/**
 * A digest of what is served: zones, map and rules as compiled. Two nodes that answer alike have the
 * same one, wherever their files lie, so a stray node can be seen (`map.lbdns. CH TXT`).
 */
import { createHash } from 'node:crypto'
import type { Steering } from './steer/steering.ts'
import type { Zones } from './zone/zones.ts'

/** SHA-256 over every column, as the first 32 hex digits. */
export function digestOf(zones: Zones, steering: Steering): string {
  const hash = createHash('sha256')
  const columns = [zones, steering].flatMap(part => Object.entries(part).sort(byName))
  for (const [name, column] of columns) {
    if (name === 'zoneFile') continue // where a file lies changes no answer
    hash.update(`${name}\n`)
    hash.update(ArrayBuffer.isView(column) ? octetsOf(column) : JSON.stringify(plain(column)))
  }
  return hash.digest('hex').slice(0, 32)
}

/** Octets inside lists and objects as text, so that the same always reads the same. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex')
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value).sort(byName).map(plain)
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1
}

/** A number that is none has many octets, and one text. */
function octetsOf(column: ArrayBufferView): Uint8Array {
  if (column instanceof Float32Array || column instanceof Float64Array) {
    return Buffer.from(column.join())
  }
  return new Uint8Array(column.buffer, column.byteOffset, column.byteLength)
}
