/**
 * What is wrong or odd on the wire, with a stable id: ECS001 … ECS019 for client subnets, DNS001 …
 * for the rest of a reply. A finding names a rule and a place; a verdict weighs them.
 */

export type Level = 'error' | 'warning' | 'note' | 'info'

export type Finding = {
  readonly id: FindingId
  readonly level: Level
  /** One sentence, without a full stop. */
  readonly message: string
  /** A subnet, block or server; absent: the name as a whole. */
  readonly where: string | undefined
}

// biome-ignore format: table
const RULES = {
  ECS001: ['option-missing',       'error',   'RFC 7871 §7.2.1'],
  ECS002: ['echo-mismatch',        'error',   'RFC 7871 §7.2.1, §11.2'],
  ECS003: ['unsolicited-option',   'error',   'RFC 7871 §7.2.1'],
  ECS004: ['tailored-scope-0',     'error',   'RFC 7871 §7.2.1'],
  ECS005: ['scope-but-same',       'warning', 'RFC 7871 §12.1'],
  ECS006: ['overlap',              'error',   'RFC 7871 §7.2.1'],
  ECS007: ['scope-past-source',    'note',    'RFC 7871 §7.2.1'],
  ECS008: ['negative-scope',       'warning', 'RFC 7871 §7.4'],
  ECS009: ['delegation-scope',     'warning', 'RFC 7871 §7.4'],
  ECS010: ['cname-chain',          'note',    'RFC 7871 §7.2.1'],
  ECS011: ['formerr-lenient',      'note',    'RFC 7871 §6'],
  ECS012: ['private-tailored',     'note',    'RFC 7871 §10'],
  ECS013: ['ns-inconsistent',      'error',   'all name servers of a zone must agree on ECS'],
  ECS014: ['source-0',             'warning', 'RFC 7871 §7.1.2'],
  ECS015: ['dnssec-scope',         'note',    'RFC 7871 §7.3.1'],
  ECS016: ['family-split',         'note',    'A and AAAA of one name should agree on ECS'],
  ECS017: ['refused-with-ecs',     'error',   'RFC 7871 §7.1.1, §7.5'],
  ECS018: ['resolver-unconfirmed', 'info',    'a resolver may echo what it did not pass on'],
  ECS019: ['blind-echo',           'warning', 'RFC 6891 §6.1.2'],
  DNS001: ['nodata-without-soa',   'warning', 'RFC 2308 §2.2'],
  DNS002: ['edns-broken',          'error',   'RFC 6891 §7'],
  DNS003: ['malformed-reply',      'error',   'RFC 1035 §4.1'],
  DNS004: ['stray-reply',          'warning', 'RFC 5452 §9.1'],
  DNS005: ['alias-order',          'warning', 'RFC 1034 §3.6.2'],
  DNS006: ['foreign-owner',        'warning', 'RFC 5452 §6'],
  DNS007: ['option-record-astray', 'error',   'RFC 6891 §6.1.1'],
  DNS008: ['rate-limited',         'note',    'a server may limit its responses; what it drops is no failure'],
} as const satisfies Readonly<Record<string, readonly [string, Level, string]>>

export type FindingId = keyof typeof RULES

/** Every id there is, in order. */
export const FINDING_IDS = Object.keys(RULES) as readonly FindingId[]

export type Rule = {
  readonly id: FindingId
  readonly name: string
  readonly level: Level
  /** The clause, or what the rule rests on where no RFC has one. */
  readonly section: string
}

/** All of a rule: what `lbprobe checks` lists. */
export function rule(id: FindingId): Rule {
  const [name, level, section] = RULES[id]
  return { id, name, level, section }
}

/** A finding at its rule's own level. */
export function finding(id: FindingId, message: string, where?: string): Finding {
  return { id, level: RULES[id][1], message, where }
}

/** A finding at another level than its rule's. */
export function findingAt(level: Level, id: FindingId, message: string, where?: string): Finding {
  return { id, level, message, where }
}

/** `3 replies lack`, `1 reply lacks`. */
export function many(count: number, one: string, more: string): string {
  return `${count} ${count === 1 ? one : more}`
}
