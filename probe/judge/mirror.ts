/**
 * What a zone that reflects client subnets says it was told, in the words of the three that are known:
 * the lab's `whoami`, Google's `o-o.myaddr`, Akamai's `whoami.ds`. Any text gives a value.
 */
import { Address4, Address6 } from 'ip-address'

/** A network as an authority was told of it. */
export type Told = {
  /** As written, host bits included: `198.51.100.0/24`. */
  readonly text: string
  readonly family: 1 | 2
  readonly source: number
  /** All 4 or 16 octets, host bits included. */
  readonly octets: readonly number[]
}

export type Reflection = {
  readonly format: 'lab' | 'google' | 'akamai'
  /** Absent: no option arrived. */
  readonly told: Told | undefined
  /** The SCOPE that the authority answered with, where it says so. */
  readonly scope: number | undefined
  /** The address that the authority was asked from. */
  readonly egress: string | undefined
}

/** @param answers TXT records in presentation form; `undefined` where they are of no known mirror */
export function readReflection(answers: readonly string[]): Reflection | undefined {
  const records = answers.map(stringsOf)
  return readLab(records) ?? readAkamai(records) ?? readGoogle(records)
}

type Records = readonly (readonly string[])[]

/** The strings of one record, quotes taken off. */
function stringsOf(text: string): readonly string[] {
  return [...text.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(match => match[1] ?? '')
}

/** `ecs=198.51.100.0/24 source=24 scope=24 transport=udp from=192.0.2.53` */
function readLab(records: Records): Reflection | undefined {
  const text = records.flat().find(one => one.startsWith('ecs='))
  if (text === undefined) return undefined
  const pairs = new Map(
    text.split(' ').map(word => [word.replace(/=.*/, ''), word.replace(/^[^=]*=?/, '')]),
  )
  const ecs = pairs.get('ecs') ?? ''
  const told = readNetwork(ecs)
  if (told === undefined && ecs !== 'none') return undefined
  return {
    format: 'lab',
    told,
    scope: readBits(pairs.get('scope')),
    egress: readAddress(pairs.get('from') ?? ''),
  }
}

/** One record a pair: `"ns" "192.0.2.53"`, `"ecs" "198.51.100.0/24/24"`, `"ip" "…"`. */
function readAkamai(records: Records): Reflection | undefined {
  const pairs = records.filter(({ length }) => length === 2)
  const second = (key: string): string | undefined => pairs.find(([one]) => one === key)?.[1]
  const egress = readAddress(second('ns') ?? '')
  const [, network = '', scope] = /^([^/]+\/\d+)(?:\/(\d+))?$/.exec(second('ecs') ?? '') ?? []
  const told = readNetwork(network)
  if (egress === undefined && told === undefined) return undefined
  return { format: 'akamai', told, scope: readBits(scope), egress }
}

/** `"192.0.2.53"` and, where an option arrived, `"edns0-client-subnet 198.51.100.0/24"`. */
function readGoogle(records: Records): Reflection | undefined {
  const texts = records.flatMap(strings => (strings.length === 1 ? strings : []))
  const subnet = texts.find(text => text.startsWith('edns0-client-subnet '))
  const egress = texts.map(readAddress).find(address => address !== undefined)
  const told = readNetwork(subnet?.slice('edns0-client-subnet '.length) ?? '')
  if (subnet === undefined ? egress === undefined : told === undefined) return undefined
  return { format: 'google', told, scope: undefined, egress }
}

function readNetwork(text: string): Told | undefined {
  const [, address = '', bits] = /^([0-9a-fA-F:.]+)\/(\d{1,3})$/.exec(text) ?? []
  const octets = octetsOf(address)
  const source = readBits(bits)
  if (octets === undefined || source === undefined || source > octets.length * 8) return undefined
  return { text, family: octets.length === 4 ? 1 : 2, source, octets }
}

function readBits(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d{1,3}$/.test(text)) return undefined
  return Number(text) <= 128 ? Number(text) : undefined
}

function readAddress(text: string): string | undefined {
  return octetsOf(text) === undefined ? undefined : text
}

/** Octets of an address in its usual form; nothing else, no zone, no length. */
export function octetsOf(text: string): readonly number[] | undefined {
  if (!/^[0-9a-fA-F:.]+$/.test(text)) return undefined
  if (Address4.isValid(text)) return new Address4(text).toArray()
  if (!text.includes(':') || !Address6.isValid(text)) return undefined
  return new Address6(text).toUnsignedByteArray()
}

/** Whether the first bits of two addresses are the same. */
export function sharesBits(
  one: readonly number[],
  other: readonly number[],
  bits: number,
): boolean {
  if (one.length !== other.length) return false
  return one.every((octet, at) => {
    const kept = 0xff00 >> Math.min(8, Math.max(0, bits - at * 8))
    return ((octet ^ (other[at] ?? 0)) & kept & 0xff) === 0
  })
}
