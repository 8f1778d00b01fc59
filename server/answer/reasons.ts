/**
 * Why a query is refused, as its sender is told who speaks EDNS: extended errors (RFC 8914), by
 * number. A code says what it can; a text is for what only `Other` fits, and is short: what is sent
 * to an address that may be forged is not to be larger than what was asked.
 */

export const REASON = {
  none: 0,
  notOurs: 1,
  transfer: 2,
  class: 3,
  opcode: 4,
  question: 5,
  cookie: 6,
  keepalive: 7,
  subnetLength: 8,
  subnetFamily: 9,
  subnetSource: 10,
  subnetScope: 11,
  subnetBits: 12,
} as const

/** INFO-CODEs. RFC 8914 §5.2. */
const OTHER = 0
const NOT_AUTHORITATIVE = 20
const NOT_SUPPORTED = 21

export type Reason = { readonly infoCode: number; readonly text: Uint8Array }

// biome-ignore format: table
const WORDS: Readonly<Record<keyof typeof REASON, readonly [infoCode: number, text: string]>> = {
  none:         [OTHER, ''],
  notOurs:      [NOT_AUTHORITATIVE, ''],
  transfer:     [NOT_SUPPORTED, 'zone transfer'],
  class:        [NOT_SUPPORTED, 'class'],
  opcode:       [NOT_SUPPORTED, 'opcode'],
  question:     [OTHER, 'no question'],
  cookie:       [OTHER, 'COOKIE: length'],
  keepalive:    [OTHER, 'KEEPALIVE: data'],
  subnetLength: [OTHER, 'ECS: length'],
  subnetFamily: [OTHER, 'ECS: family'],
  subnetSource: [OTHER, 'ECS: source'],
  subnetScope:  [OTHER, 'ECS: scope'],
  subnetBits:   [OTHER, 'ECS: stray bits'],
}

/** By number. */
export const REASONS: readonly Reason[] = Object.entries(REASON)
  .sort(([, a], [, b]) => a - b)
  .map(([word]) => reasonOf(...WORDS[word as keyof typeof REASON]))

function reasonOf(infoCode: number, text: string): Reason {
  return { infoCode, text: Uint8Array.from(text, letter => letter.charCodeAt(0)) }
}
