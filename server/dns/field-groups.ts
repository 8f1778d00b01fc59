/**
 * Fields of fixed width in groups of hexadecimal digits: identifiers and locators (RFC 6742),
 * hardware addresses (RFC 7043); and NSAP addresses, whose dots mean nothing (RFC 1706).
 */
import { type Wrong, wrong } from '../fault.ts'
import { base16FromText } from './encoding.ts'
import { atLeast, type Field, single, width } from './field.ts'
import { hexText } from './octets.ts'

type Form = {
  readonly count: number
  /** Octets a group. */
  readonly each: 1 | 2
  readonly separator: ':' | '-'
  readonly example: string
}

/** Four groups of 16 bits; zeros in front may be left out, groups may not. RFC 6742 §2.1.2, §2.3.2. */
export function locator(what: string): Field {
  return groups(what, { count: 4, each: 2, separator: ':', example: '2001:db8:1140:1000' })
}

/** Six or eight octets between hyphens. RFC 7043 §3.2, §4.2. */
export function hardware(what: string, count: 6 | 8): Field {
  const example = '00-00-5e-ef-10-00-00-2a'.slice(0, 3 * count - 1)
  return groups(what, { count, each: 1, separator: '-', example })
}

function groups(what: string, { count, each, separator, example }: Form): Field {
  const digits = 2 * each
  const least = separator === ':' ? 1 : digits
  const pattern = new RegExp(`^[0-9a-f]{${least},${digits}}$`, 'i')
  const read = (text: string): Uint8Array | Wrong => {
    const parts = text.split(separator)
    const isWhole = parts.length === count && parts.every(part => pattern.test(part))
    const octets = base16FromText(parts.map(part => part.padStart(digits, '0')).join(''))
    if (isWhole && octets !== undefined) return octets
    return wrong(`${what} cannot be ${text}`, `write ${count} groups: ${example}`)
  }
  const print = (octets: Uint8Array): string =>
    hexText(octets)
      .match(new RegExp(`.{${digits}}`, 'g'))
      ?.join(separator) ?? ''
  return single(what, { read, print, measure: width(count * each) })
}

/** `0x` and hexadecimal, dots anywhere. RFC 1706 §7. */
export function nsap(): Field {
  const read = (text: string): Uint8Array | Wrong => {
    const octets = /^0x/i.test(text) ? base16FromText(text.slice(2).replaceAll('.', '')) : undefined
    if (octets !== undefined && octets.length > 0) return octets
    return wrong(`${text} is no NSAP address`, 'write 0x and hexadecimal digits, two an octet')
  }
  const print = (octets: Uint8Array): string => `0x${hexText(octets)}`
  return single('the address', { read, print, measure: atLeast(1) })
}
