/**
 * Reads the data of HTTPS and SVCB records (RFC 9460 §2.2) as `ask` returns it: hex. Shares no code
 * with the server, and refuses what the RFC does: keys out of order, a parameter past the end.
 */
import { Address4, Address6 } from 'ip-address'
import type { Said } from './world.ts'

export type Service = {
  readonly priority: number
  /** TargetName as hex. */
  readonly target: string
  /** Values as hex, by key. */
  readonly params: ReadonlyMap<number, string>
  /** Sorted. */
  readonly ipv4: readonly string[]
  readonly ipv6: readonly string[]
}

/** The one service record of an answer; its last record where a chain leads there. */
export function serviceOf(answer: Said): Service {
  const [, , type, hex = ''] = answer.answer.at(-1)?.split(' ') ?? []
  if (type !== 'HTTPS' && type !== 'SVCB') throw new Error(`no service: ${JSON.stringify(answer)}`)
  const data = Buffer.from(hex, 'hex')
  let at = 2
  while ((data[at] ?? 0) > 0) at += 1 + (data[at] ?? 0)
  const params = paramsOf(data, at + 1)
  return {
    priority: data.readUInt16BE(0),
    target: data.subarray(2, at + 1).toString('hex'),
    params,
    ipv4: hintsOf(params.get(4), 4),
    ipv6: hintsOf(params.get(6), 16),
  }
}

function paramsOf(data: Buffer, from: number): Map<number, string> {
  const params = new Map<number, string>()
  let before = -1
  for (let at = from; at < data.length; ) {
    const key = data.readUInt16BE(at)
    const end = at + 4 + data.readUInt16BE(at + 2)
    if (key <= before || end > data.length) throw new Error(`malformed: ${data.toString('hex')}`)
    params.set(key, data.subarray(at + 4, end).toString('hex'))
    before = key
    at = end
  }
  return params
}

/** RFC 9460 §7.3: addresses, at least one. */
function hintsOf(hex: string | undefined, width: number): string[] {
  if (hex === undefined) return []
  if (hex === '' || hex.length % (2 * width) !== 0) throw new Error(`a malformed hint: ${hex}`)
  const each = hex.match(new RegExp(`.{${2 * width}}`, 'g')) ?? []
  return each.map(one => (width === 4 ? ipv4Of(one) : ipv6Of(one))).sort()
}

function ipv4Of(hex: string): string {
  return Address4.fromHex(hex).correctForm()
}

function ipv6Of(hex: string): string {
  return new Address6((hex.match(/.{4}/g) ?? []).join(':')).correctForm()
}
