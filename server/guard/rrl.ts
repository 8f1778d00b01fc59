/**
 * Response rate limiting: how often one network is told one thing over UDP. Replies that somebody
 * has sent to a victim by forging its address are all alike; what resolvers ask is cached. An account
 * is a number in a table of fixed size that all threads share: until when its network has been told
 * enough.
 * Knows no names: what is told is a number.
 */
import type { Address } from '../dns/address.ts'
import { bits32 } from '../dns/octets.ts'
import { holdsAddress, type Prefix, type Prefixes, packPrefixes } from '../dns/prefixes.ts'

/** What a reply is, as far as limits go. */
export const TELLS = { answer: 0, referral: 1, nodata: 2, nxdomain: 3, error: 4 } as const
/** All replies to a network have one account more. */
export const ALL = 5
const KINDS = 6

/** What becomes of a reply: it is sent; or what is sent is its truncation (slip); or nothing is. */
export const PASS = 0
export const SLIP = 1
export const DENY = 2

/** Time goes by in ticks of 1/64 ms, which wrap after nine hours either way. */
export const TICKS_A_SECOND = 64_000
/** A quiet network may be told a second's worth at once. */
const BURST = TICKS_A_SECOND
/** Threads look at their clocks once a batch: so far may one be behind another. */
const APART = TICKS_A_SECOND

export type RrlPolicy = {
  readonly kind: 'off' | 'on' | 'log-only'
  /** By what a reply is: ticks from one reply to the next; 0: no limit. */
  readonly ticks: Int32Array
  /** Every so many denied replies one is truncated instead; 0: none is. */
  readonly slip: number
  /** How many ticks of debt an account may have: so long a flood is remembered. */
  readonly window: number
  /** How long the prefix of a network is, by family. */
  readonly bits4: number
  readonly bits6: number
  readonly exempt: Prefixes
}

/** Replies a second to one network, by what they are; 0: no limit. `all`: of whatever kind. */
export type Rates = Readonly<Record<keyof typeof TELLS | 'all', number>>

export type RrlOptions = {
  readonly rates: Rates
  readonly slip: number
  /** Seconds, 1 … 3600. */
  readonly window: number
  /** 1 … 32, and 1 … 64. */
  readonly bits4: number
  readonly bits6: number
  readonly exempt: readonly Prefix[]
  readonly mode: 'on' | 'log-only'
}

export const NO_RRL: RrlPolicy = {
  kind: 'off',
  ticks: new Int32Array(KINDS),
  slip: 0,
  window: 0,
  bits4: 32,
  bits6: 64,
  exempt: new Uint8Array(0),
}

export function rrlPolicy({
  bits4,
  bits6,
  exempt,
  mode,
  rates,
  slip,
  window,
}: RrlOptions): RrlPolicy {
  const ticks = new Int32Array(KINDS)
  for (const [kind, rate] of Object.entries(rates)) {
    const at = kind === 'all' ? ALL : TELLS[kind as keyof typeof TELLS]
    ticks[at] = rate === 0 ? 0 : Math.max(1, Math.round(TICKS_A_SECOND / rate))
  }
  const packed = packPrefixes(exempt)
  return { kind: mode, ticks, slip, window: window * TICKS_A_SECOND, bits4, bits6, exempt: packed }
}

/** Accounts lie in sets of four, a tag and a time each; a set is where a hash says. */
const WAYS = 4
const SETS = 1 << 16

/** All accounts: 2 MiB, whatever comes. */
export type Accounts = {
  readonly table: Int32Array
  /** Who was last denied something, by the places of `NOTICE`. */
  readonly notice: Int32Array
  /** Nobody outside can tell which accounts share a set. */
  readonly seed: number
}

/** `what`: one of `TELLS`, or `ALL`. `count`: how many were, so far. */
export const NOTICE = { count: 0, family: 1, high: 2, low: 3, what: 4 } as const

export function accounts(seed: number): Accounts {
  const shared = (words: number) => new Int32Array(new SharedArrayBuffer(4 * words))
  return { table: shared(2 * WAYS * SETS), notice: shared(Object.keys(NOTICE).length), seed }
}

/** One thread's end of it. */
export type Rrl = {
  readonly accounts: Accounts
  /** How many replies this thread has denied, to slip every so many. */
  denied: number
}

export function rrl(accounts: Accounts): Rrl {
  return { accounts, denied: 0 }
}

/**
 * Whether a reply may go out, and takes it off the account. Hot: once per reply over UDP.
 *
 * @param what   one of `TELLS`
 * @param number of what is told: the same for replies that are alike
 * @param now    in ticks
 * @returns `PASS`, `SLIP` or `DENY`
 */
export function limit(
  rrl: Rrl,
  policy: RrlPolicy,
  to: Address,
  what: number,
  number: number,
  now: number,
): number {
  if (policy.exempt.length > 0 && holdsAddress(policy.exempt, to)) return PASS
  const bits = to.family === 4 ? policy.bits4 : policy.bits6
  const high = wordOf(to.octets, 0, bits)
  const low = bits > 32 ? wordOf(to.octets, 4, bits - 32) : 0
  const { notice, seed, table } = rrl.accounts
  const network = mix(mix(seed ^ to.family, high), low)
  const all = take(table, network, mix(network, ALL), policy.ticks[ALL]!, policy.window, now)
  const account = mix(mix(network, what), number)
  const own = take(table, account, mix(account, network), policy.ticks[what]!, policy.window, now)
  if (all && own) return PASS
  notice[NOTICE.family] = to.family
  notice[NOTICE.high] = high
  notice[NOTICE.low] = low
  notice[NOTICE.what] = own ? ALL : what
  notice[NOTICE.count]! += 1
  rrl.denied = (rrl.denied + 1) | 0
  return policy.slip > 0 && rrl.denied % policy.slip === 0 ? SLIP : DENY
}

/** Four octets, of which the first `bits` count. Hot. */
function wordOf(octets: Uint8Array, at: number, bits: number): number {
  const word = bits32(octets, at)
  return bits >= 32 ? word : word & ~(-1 >>> bits)
}

/** Hot. */
function mix(state: number, word: number): number {
  let hash = Math.imul(state ^ word, 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35)
  return hash ^ (hash >>> 13)
}

/**
 * Takes one reply off an account. What is denied is taken too, so that a flood gets nothing: debts
 * end a window after it. Hot.
 *
 * @returns whether there was enough
 */
function take(
  table: Int32Array,
  hash: number,
  tag: number,
  ticks: number,
  window: number,
  now: number,
): boolean {
  if (ticks === 0) return true
  const at = placeOf(table, hash, tag, window, now)
  if (table[at] === tag) {
    const ahead = (Atomics.load(table, at + 1) - now) | 0
    if (ahead >= 0 && ahead <= window + APART) {
      Atomics.add(table, at + 1, Math.max(0, Math.min(ticks, window - ahead)))
      return ahead + ticks <= BURST + (ticks >> 2) // another thread's clock may be a little ahead
    }
  }
  open(table, at, tag, (now + ticks) | 0)
  return true
}

/** Opens an account, or opens it anew where it owes nothing: unless another thread just has. Hot. */
function open(table: Int32Array, at: number, tag: number, until: number): void {
  const before = Atomics.load(table, at + 1)
  table[at] = tag
  Atomics.compareExchange(table, at + 1, before, until)
}

/** Its own place, or that of the account in the set that owes least. Hot. */
function placeOf(
  table: Int32Array,
  hash: number,
  tag: number,
  window: number,
  now: number,
): number {
  const set = (hash & (SETS - 1)) * 2 * WAYS
  let place = set
  let least = 0x7fffffff
  for (let at = set; at < set + 2 * WAYS; at += 2) {
    if (table[at] === tag) return at
    const ahead = (table[at + 1]! - now) | 0
    const debt = ahead < 0 || ahead > window + APART ? 0 : ahead
    if (debt < least) {
      least = debt
      place = at
    }
  }
  return place
}
