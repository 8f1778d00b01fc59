/**
 * The EDNS options of a reply, read from the raw octets of its OPT record: what the server says of
 * the client subnet, and which instance it is. RFC 6891 §6.1.2.
 */

import { shownText } from './name.ts'
import { UNKNOWN_OPTION } from './query.ts'
import type { Echo } from './reply.ts'

const NSID = 3
const ECS = 8

export type Told = {
  readonly echo: Echo | undefined
  readonly instance: string | undefined
  readonly oddities: readonly string[]
}

/** @param data the whole RDATA of the OPT record */
export function readOptions(data: Uint8Array): Told {
  const oddities: string[] = []
  let echo: Echo | undefined
  let instance: string | undefined
  const view = Buffer.from(data.buffer, data.byteOffset, data.length)
  let at = 0
  while (at + 4 <= view.length) {
    const code = view.readUInt16BE(at)
    const end = at + 4 + view.readUInt16BE(at + 2)
    if (end > view.length) break
    const value = view.subarray(at + 4, end)
    if (code === NSID && value.length > 0) instance = shownText(value)
    if (code === UNKNOWN_OPTION) oddities.push('unknown-option-echoed')
    if (code === ECS && echo !== undefined) oddities.push('two-subnets')
    if (code === ECS && value.length < 4) oddities.push('subnet-malformed')
    if (code === ECS && value.length >= 4) echo ??= echoOf(value)
    at = end
  }
  if (at !== view.length) oddities.push('options-malformed')
  return { echo, instance, oddities }
}

function echoOf(value: Buffer): Echo {
  return {
    family: value.readUInt16BE(0),
    source: value.readUInt8(2),
    scope: value.readUInt8(3),
    address: value.toString('hex', 4),
  }
}
