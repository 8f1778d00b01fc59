/**
 * Texts as the octets they have in UTF-8, written as latin1, one a character, and back: as the zone
 * room takes them and gives them.
 */

/** Halves of characters have no octets: a question mark stands for each. */
const HALVES = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

/** The octets of a text. */
export function octetsOf(text: string): string {
  return encodeURIComponent(text.replace(HALVES, '?')).replace(/%(..)/g, (_, hex) => {
    return String.fromCharCode(Number.parseInt(hex, 16))
  })
}

/** The text that has those octets, which `octetsOf` made. */
export function textOf(octets: string): string {
  const codes = octets.replace(/[%\x80-\xff]/g, octet => `%${octet.charCodeAt(0).toString(16)}`)
  return decodeURIComponent(codes)
}
