/**
 * The placeholders of PowerDNS's geoip backend (geoip backend, "Placeholders"): what a format comes
 * to for a client, and what it must know of clients for that.
 */
import { type Attribute, type Known, OTHER, UNKNOWN } from './branching.ts'
import type { Domain } from './pdns-house.ts'

/** Placeholders by what they stand for; longer ones are tried first. */
const PLACEHOLDERS: Readonly<Record<string, Attribute>> = {
  '%co': 'country',
  '%cc': 'country',
  '%cn': 'continent',
  '%re': 'region',
  '%ci': 'city',
  '%as': 'asn',
  '%af': 'family',
}

/** Those that make an answer of its own for every client or moment. */
const ENDLESS = /%(?:ip[46]?|loc|lat|lon|yy|mos|mo|wds|wd|dd|hh|na)/

const PLACEHOLDER = /%(?:co|cc|cn|re|ci|as|af)/g

/** The placeholder that no branch can stand for, or `undefined`. */
export function endlessIn(format: string): string | undefined {
  return ENDLESS.exec(format.replaceAll('%%', ''))?.[0]
}

/** Whether a text has any placeholder. */
export function hasPlaceholder(text: string): boolean {
  const plain = text.replaceAll('%%', '')
  return ENDLESS.test(plain) || plain.includes('%mp') || plain.search(PLACEHOLDER) >= 0
}

/** What a format reads of a client. */
export function attributesOf(format: string, domain: Domain): Attribute[] {
  const own = (text: string) => [...text.matchAll(PLACEHOLDER)].map(([part]) => PLACEHOLDERS[part])
  const mapped = format.includes('%mp') ? domain.formats.flatMap(own) : []
  return [...own(format), ...mapped].flatMap(attribute => attribute ?? [])
}

/** What a format comes to for a client. */
export function expand(format: string, known: Known, domain: Domain): string {
  const whole = format.includes('%mp')
    ? format.replaceAll('%mp', mappedValue(known, domain))
    : format
  return replaced(whole, known).toLowerCase()
}

/** The value of the first lookup format that the mapping has. */
function mappedValue(known: Known, domain: Domain): string {
  for (const format of domain.formats) {
    const value = domain.mapping.get(replaced(format, known))
    if (value !== undefined) return value
  }
  return 'unknown'
}

function replaced(format: string, known: Known): string {
  return format.replace(PLACEHOLDER, part => {
    const value = known.get(PLACEHOLDERS[part] ?? 'country') ?? OTHER
    return value === UNKNOWN ? 'unknown' : value
  })
}

/** What clients have to be like for a format to come to one of some texts. */
export function fitting(format: string, texts: Iterable<string>): Map<Attribute, string>[] {
  const attributes: Attribute[] = []
  const parts = format.toLowerCase().split(/(%(?:co|cc|cn|re|ci|as|af|mp))/)
  const source = parts.map(part => {
    if (part === '%mp') return '.*'
    const attribute = PLACEHOLDERS[part]
    if (attribute === undefined) return part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    attributes.push(attribute)
    return '([^.]+)'
  })
  if (attributes.length === 0) return []
  const pattern = new RegExp(`^${source.join('')}$`)
  return [...texts].flatMap(text => {
    const match = pattern.exec(text)
    return match === null ? [] : (known(attributes, match.slice(1)) ?? [])
  })
}

/** The same placeholder comes to the same text everywhere. */
function known(
  attributes: readonly Attribute[],
  values: readonly string[],
): Map<Attribute, string> | undefined {
  const found = new Map<Attribute, string>()
  for (const [index, attribute] of attributes.entries()) {
    const value = values[index] ?? ''
    if ((found.get(attribute) ?? value) !== value) return undefined
    found.set(attribute, value)
  }
  return found
}
