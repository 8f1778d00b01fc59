/**
 * The schema of what checks ask and of what answers must hold: hosts, status codes, patterns, places
 * of numbers, DNS questions, commands.
 */
import * as z from 'zod'
import { RCODE } from '../dns/message.ts'
import { nameFromText, ROOT } from '../dns/name.ts'
import { typeFromText } from '../dns/rrtype.ts'
import { isWrong, type Wrong, wrong } from '../fault.ts'
import type { Pattern, Telling } from '../steer/trial.ts'
import { ANY_MAPPING, keyed, reading, refuse } from './brick.ts'
import { unknownWord } from './nearest.ts'
import { addressFrom } from './prefix.ts'

/** A host name or address, perhaps with a port, as the Host header has it. RFC 9110 §7.2. */
export const host = reading(z.string(), text =>
  isHostField(text) ? text : wrong(`${text || '""'} is no host`, 'write it like www.example.com'),
)

export function isHostField(text: string): boolean {
  return /^[!-~]+$/.test(text) && !/[/@?#]/.test(text)
}

/** A name that a certificate can be of. RFC 6066 §3: no address. */
export const certified = reading(z.string(), text =>
  /^[\w-]+(?:\.[\w-]+)*\.?$/.test(text) && isWrong(addressFrom(text))
    ? text.replace(/\.$/, '')
    : wrong(`${text || '""'} is no name that a certificate is of`, 'write a host name'),
)

/** The name in a Host header that a certificate can be of; none where an address stands there. */
export function nameInHost(text: string | undefined): string | undefined {
  return certified.safeParse(text?.replace(/:\d*$/, '')).data
}

/** The value of a header field. RFC 9110 §5.5. */
export const fieldText = reading(z.string(), text =>
  /^[ -~\t]*$/.test(text)
    ? text
    : wrong('a header field with characters that it cannot hold', 'use plain ASCII text'),
)

/** The name of a header field is a token. RFC 9110 §5.6.2. */
export function flawOfField(text: string): Wrong | undefined {
  if (/^[\w!#$%&'*+.^`|~-]+$/.test(text)) return undefined
  return wrong(`${text || '""'} is no header field`, 'write its name, like X-Load')
}

/** Likewise, of a request: these are made by what is asked, and how. */
export function flawOfSent(text: string): Wrong | undefined {
  const name = text.toLowerCase()
  if (name === 'host') return wrong('Host is said with host', 'write host: www.example.com')
  const own = [
    'connection',
    'content-length',
    'transfer-encoding',
    'upgrade',
    'expect',
    'keep-alive',
  ]
  if (own.includes(name)) return wrong(`${text} is not yours to send`, 'take it out')
  return flawOfField(text)
}

/** The target of a request: path and query. RFC 9112 §3.2.1. */
export const target = reading(z.string(), text =>
  /^\/[!-~]*$/.test(text) ? text : wrong(`${text || '""'} is no path of a URL`, 'begin it with /'),
)

/** A code, or a range of codes with both its ends. RFC 9110 §15. */
export const status = reading(
  z.union([z.number(), z.string()], { error: 'a status code, or a range like 200-299' }).meta({
    examples: [204, '200-299'],
  }),
  statusFrom,
)

function statusFrom(written: number | string): readonly [from: number, to: number] | Wrong {
  const [, first, second] = /^(\d{3})(?:-(\d{3}))?$/.exec(String(written)) ?? []
  const from = Number(first)
  const to = Number(second ?? first)
  if (from >= 100 && to <= 599 && from <= to) return [from, to]
  return wrong(`${written} is no status code`, 'write 100 … 599, or a range like 200-299')
}

/** A text that must be there, or a regular expression between slashes. */
export const pattern = reading(z.string().meta({ examples: ['ok', '/^ok$/'] }), patternFrom)

function patternFrom(text: string): Pattern | Wrong {
  const [, source] = /^\/(.+)\/$/s.exec(text) ?? []
  if (source === undefined) {
    return text === '' ? wrong('nothing is held by every text') : { kind: 'holds', text }
  }
  try {
    new RegExp(source)
    return { kind: 'matches', source }
  } catch (cause) {
    return wrong(`${text} is no pattern: ${cause instanceof Error ? cause.message : cause}`)
  }
}

/** Where a number stands in a response. */
export const telling = keyed({
  header: reading(z.string(), text => flawOfField(text) ?? text)
    .optional()
    .describe('A header field.'),
  json: reading(z.string(), pathFrom)
    .optional()
    .describe('A number in a JSON body: keys and indices, with dots between them.'),
})
  .superRefine((entries, context) => {
    if (Object.hasOwn(entries, 'header') !== Object.hasOwn(entries, 'json')) return
    const has = Object.hasOwn(entries, 'header')
    const what = has ? 'both header and json' : 'neither header nor json'
    const reason = wrong(what, has ? 'keep one of them' : 'add header: or json:')
    refuse(context, has ? ['json'] : [], { reason, spot: 'key', absent: ['header', 'json'] })
  }, ANY_MAPPING)
  .transform(
    ({ header, json }): Telling =>
      header === undefined ? { kind: 'json', path: json ?? [] } : { kind: 'field', name: header },
  )

function pathFrom(text: string): readonly string[] | Wrong {
  const steps = text.split('.')
  if (!steps.includes('')) return steps
  return wrong(`${text || '""'} leads nowhere`, 'write keys with dots between them, like cpu.load')
}

/** A name and a type: `example.com SOA`. */
export const question = reading(z.string().meta({ examples: ['example.com SOA'] }), questionFrom)

function questionFrom(text: string): { readonly name: Uint8Array; readonly type: number } | Wrong {
  const [name = '', word = 'A', ...more] = text.trim().split(/\s+/)
  if (more.length > 0 || name === '') {
    return wrong(`${text || '""'} is no question`, 'write name and type, like example.com SOA')
  }
  const wire = nameFromText(name, ROOT)
  const type = typeFromText(word)
  if (isWrong(wire)) return wire
  return type === undefined ? wrong(`${word} is no type of record`) : { name: wire, type }
}

const RCODES = Object.keys(RCODE).filter(word => RCODE[word as keyof typeof RCODE] < 16)

/** An RCODE of the header. RFC 1035 §4.1.1. */
export const rcode = reading(z.string().meta({ enum: RCODES }), text => {
  const known = RCODES.find(word => word === text.toUpperCase())
  return known === undefined
    ? unknownWord(`${text || '""'} is no RCODE`, text, RCODES)
    : RCODE[known as keyof typeof RCODE]
})

/** A program and its arguments. */
export const command = z
  .array(reading(z.string(), text => (text.includes('\0') ? wrong('not a word') : text)))
  .min(1)
  .superRefine(([program], context) => {
    if (program === undefined || program.includes('/')) return
    const reason = wrong(`${program || '""'} is no path`, 'write the whole path of the program')
    refuse(context, [0], { reason, spot: 'value' })
  })
