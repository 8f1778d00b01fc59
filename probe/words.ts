/**
 * The free words of the command line, in any order as with `dig`: `@server`, `+option`, a type, and
 * all else a name. Sorts them; asks and opens nothing.
 */

import { domainToASCII } from 'node:url'
import { typeNumber, typeText } from './ask/codec.ts'
import { plainName } from './ask/name.ts'
import { readServer, type ServerWord, type Transport } from './ask/server.ts'
import { isWrong, type Wrong, wrong } from './plan/wrong.ts'

export type Words = {
  /** Each once, in the order given. */
  readonly servers: readonly ServerWord[]
  /** Types as text, each once, in the order given. */
  readonly types: readonly string[]
  /** Names without trailing dot, each once, in the order given. */
  readonly names: readonly string[]
  readonly aliases: Aliases
}

/** What dig's `+` words set. */
export type Aliases = {
  readonly subnet?: string
  readonly short?: true
  readonly transport?: Exclude<Transport, 'udp' | 'json'>
  readonly tlsHost?: string
  readonly tlsPins?: readonly string[]
  readonly tlsCa?: string
  readonly https?: { readonly method: 'post' | 'get'; readonly path: string | undefined }
  readonly timeout?: string
  readonly tries?: string
  readonly recursion?: 'desired' | 'not-desired'
  readonly size?: string
}

export function readWords(words: readonly string[], flagTypes: readonly string[]): Words | Wrong {
  const servers = new Map<string, ServerWord>()
  const types = new Set<string>()
  const names = new Set<string>()
  let aliases: Aliases = {}
  for (const type of flagTypes) {
    const text = readType(type)
    if (text === undefined) return wrong(`--type ${type}: not a record type`)
    types.add(text)
  }
  for (const word of words) {
    const read = readWord(word)
    if (isWrong(read)) return read
    if (read.kind === 'server') servers.set(JSON.stringify(read.server), read.server)
    if (read.kind === 'alias') aliases = joined(aliases, read.alias)
    if (read.kind === 'type') types.add(read.type)
    if (read.kind === 'name') names.add(read.name)
  }
  return { servers: [...servers.values()], types: [...types], names: [...names], aliases }
}

/** The last of a kind counts, but pins add up. */
function joined(one: Aliases, other: Aliases): Aliases {
  const pins = [...(one.tlsPins ?? []), ...(other.tlsPins ?? [])]
  return { ...one, ...other, ...(pins.length > 0 && { tlsPins: pins }) }
}

type Word =
  | { readonly kind: 'server'; readonly server: ServerWord }
  | { readonly kind: 'alias'; readonly alias: Aliases }
  | { readonly kind: 'type'; readonly type: string }
  | { readonly kind: 'name'; readonly name: string }

function readWord(word: string): Word | Wrong {
  if (word.startsWith('@')) {
    const server = readServer(word.slice(1))
    return isWrong(server) ? server : { kind: 'server', server }
  }
  if (word.startsWith('+')) {
    const alias = readAlias(word.slice(1))
    return isWrong(alias) ? alias : { kind: 'alias', alias }
  }
  const type = readType(word)
  if (type !== undefined) return { kind: 'type', type }
  const name = readName(word)
  return isWrong(name) ? name : { kind: 'name', name }
}

/** Types that no single question is for: transfers, and what EDNS and signatures carry. */
const NOT_ASKED = new Set(['AXFR', 'IXFR', 'OPT', 'TSIG', 'TKEY'])

export function readType(word: string): string | undefined {
  const number = typeNumber(word)
  if (number === undefined) return undefined
  const text = typeText(number)
  return NOT_ASKED.has(text) ? undefined : text
}

/** A name as it is asked: lower case, no trailing dot, IDN as its A-labels (RFC 5891). */
export function readName(word: string): string | Wrong {
  if (word.includes('://')) return wrong(`"${word}" is not a name`, `a server is written @${word}`)
  const ascii = /[^ -~]/.test(word) ? domainToASCII(word) : word
  const name = ascii === '' || /\s/.test(ascii) ? undefined : plainName(ascii)
  if (name !== undefined) return name
  return wrong(
    `"${word}" is not a domain name`,
    'labels of 1 to 63 octets with dots between, 255 in all; no escapes',
  )
}

/** `+https` and `+https=/path`. */
function over(method: 'post' | 'get', path: string): Aliases {
  return { transport: 'https', https: { method, path: path === '' ? undefined : path } }
}

/** Other ways to write them: dig's short forms, and kdig's. */
// biome-ignore format: table
const SAME: Readonly<Record<string, string>> = {
  norec: 'norecurse', time: 'timeout', 'tls-host': 'tls-hostname', 'tls-sni': 'tls-hostname',
}

const PLUS_WORDS: Readonly<Record<string, (value: string) => Aliases>> = {
  subnet: value => ({ subnet: value }),
  short: () => ({ short: true }),
  tcp: () => ({ transport: 'tcp' }),
  vc: () => ({ transport: 'tcp' }),
  tls: () => ({ transport: 'tls' }),
  'tls-hostname': value => ({ tlsHost: value }),
  'tls-ca': value => (value === '' ? {} : { tlsCa: value }),
  'tls-pin': value => ({ tlsPins: [value] }),
  https: value => over('post', value),
  'https-post': value => over('post', value),
  'https-get': value => over('get', value),
  timeout: value => ({ timeout: value }),
  tries: value => ({ tries: value }),
  retry: value => ({ tries: /^[0-9]+$/.test(value) ? String(Number(value) + 1) : value }),
  norecurse: () => ({ recursion: 'not-desired' }),
  recurse: () => ({ recursion: 'desired' }),
  nsid: () => ({}),
  bufsize: value => ({ size: value }),
}

function readAlias(word: string): Aliases | Wrong {
  const [key = '', value = ''] = word.split(/=(.*)/s)
  const read = PLUS_WORDS[SAME[key] ?? key]
  if (read !== undefined) return read(value)
  const known = Object.keys(PLUS_WORDS).map(one => `+${one}`)
  return wrong(`+${word}: not an option here`, `known: ${known.join(' ')}`)
}
