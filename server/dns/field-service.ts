/**
 * The service parameters of SVCB and HTTPS as a list: RFC 9460 §2.1 and §2.2. In text they stand in
 * any order; on the wire keys ascend and each stands once. One parameter is `svcparam.ts`'s matter.
 */
import { isWrong, type Wrong, wrong } from '../fault.ts'
import type { Cursor, Field } from './field.ts'
import { joined, putU16, u16 } from './octets.ts'
import {
  ALPN,
  isSoundValue,
  keyFromText,
  keyText,
  MANDATORY,
  NO_DEFAULT_ALPN,
  pairs,
  paramText,
  valueFromText,
} from './svcparam.ts'

export const serviceParams: Field = { kind: 'octets', read, print, measure }

type Params = ReadonlyMap<number, Uint8Array>

function read(from: Cursor): Uint8Array | Wrong {
  const params = new Map<number, Uint8Array>()
  const first = from.at
  for (; from.at < from.tokens.length; from.at += 1) {
    const { word, raw } = splitParam(from.tokens[from.at]?.text ?? '')
    const key = keyFromText(word)
    if (key === undefined) return wrong(`${word} is not a parameter`, 'write others as key65280')
    if (params.has(key)) return wrong(`${keyText(key)} stands twice`, 'keep one of them')
    const value = valueFromText(word, raw)
    if (isWrong(value)) return value
    if (!isSoundValue(key, value)) return wrong(`the octets of ${word} are malformed`)
    params.set(key, value)
  }
  const flaw = flawOf(params)
  if (flaw !== undefined) from.at = first
  return flaw ?? wireOf(params)
}

/** `key`, `key=value` or `key="value"`, in one token. RFC 9460 §2.1. */
function splitParam(text: string): { word: string; raw: string | undefined } {
  const equals = text.indexOf('=')
  if (equals < 0) return { word: text.toLowerCase(), raw: undefined }
  const raw = text.slice(equals + 1).replace(/^"(.*)"$/s, '$1')
  return { word: text.slice(0, equals).toLowerCase(), raw }
}

/** What parameters owe to each other. */
function flawOf(params: Params): Wrong | undefined {
  if (params.has(NO_DEFAULT_ALPN) && !params.has(ALPN)) {
    return wrong('no-default-alpn without alpn', 'add alpn (RFC 9460 §7.1.1)')
  }
  const mandatory = pairs(params.get(MANDATORY) ?? new Uint8Array(0))
  if (mandatory.includes(MANDATORY)) return wrong('mandatory names itself (RFC 9460 §8)')
  if (new Set(mandatory).size < mandatory.length) return wrong('mandatory names a key twice')
  const lacking = mandatory.find(key => !params.has(key))
  if (lacking === undefined) return undefined
  return wrong(`mandatory names ${keyText(lacking)}, which is not there`)
}

function wireOf(params: Params): Uint8Array {
  const keys = [...params.keys()].sort((a, b) => a - b)
  return joined(
    keys.flatMap(key => {
      const value = params.get(key) ?? new Uint8Array(0)
      const head = new Uint8Array(4)
      putU16(head, putU16(head, 0, key), value.length)
      return [head, value]
    }),
  )
}

/** The parameters of well or badly formed octets; `undefined` in the second case. */
function paramsOf(octets: Uint8Array): Params | undefined {
  const params = new Map<number, Uint8Array>()
  let last = -1
  let at = 0
  while (at + 4 <= octets.length) {
    const key = u16(octets, at)
    const end = at + 4 + u16(octets, at + 2)
    if (key <= last || end > octets.length) return undefined // §2.2: keys strictly ascend
    const value = octets.subarray(at + 4, end)
    if (!isSoundValue(key, value)) return undefined
    params.set(key, value)
    last = key
    at = end
  }
  return at === octets.length ? params : undefined
}

function measure(octets: Uint8Array, at: number, end: number): number {
  const params = paramsOf(octets.subarray(at, end))
  return params === undefined || flawOf(params) !== undefined ? -1 : end
}

function print(octets: Uint8Array): string {
  return [...(paramsOf(octets) ?? [])].map(([key, value]) => paramText(key, value)).join(' ')
}
