/**
 * Names as text: what may be asked, how they are compared, how foreign octets are shown. The codec
 * does not check lengths, so they are checked here before a name reaches it.
 */

/**
 * The name without a trailing dot, lower case; the root is `.`.
 *
 * @returns `undefined` where a label is empty or longer than 63 octets, or the name than 255
 */
export function plainName(text: string): string | undefined {
  if (text === '.') return text
  const name = text.replace(/\.$/, '').toLowerCase()
  const labels = name.split('.')
  const whole = labels.reduce((sum, label) => sum + octetsIn(label) + 1, 1)
  if (whole > 255 || name.includes('\\')) return undefined
  return labels.every(label => label !== '' && octetsIn(label) <= 63) ? name : undefined
}

/**
 * A name out of a reply, lower case, without trailing dot, safe to print: what is not printable ASCII
 * becomes `\DDD` (RFC 1035 §5.1).
 */
export function shownName(name: string): string {
  const plain = name.length > 1 && name.endsWith('.') ? name.slice(0, -1) : name
  return escaped(lower(plain), /[^\x21-\x7e]|["\\;()@$]/g)
}

/** Octets as the text of a character string, without its quotes. */
export function shownText(octets: Uint8Array): string {
  return escaped(Buffer.from(octets).toString('latin1'), /[^\x20-\x7e]|["\\]/g)
}

/** The name with randomly mixed case, which an honest reply repeats ("0x20"). */
export function mixedCase(name: string, bit: () => number): string {
  return name.replace(/[a-z]/g, letter => (bit() === 1 ? letter.toUpperCase() : letter))
}

/** ASCII only: other letters have no case in DNS. */
function lower(name: string): string {
  return name.replace(/[A-Z]+/g, letters => letters.toLowerCase())
}

function octetsIn(label: string): number {
  return Buffer.byteLength(label)
}

function escaped(text: string, hidden: RegExp): string {
  return text.replace(hidden, character => {
    if (/[\x21-\x7e]/.test(character)) return `\\${character}`
    return [...Buffer.from(character, character > '\xff' ? 'utf8' : 'latin1')]
      .map(octet => `\\${String(octet).padStart(3, '0')}`)
      .join('')
  })
}
