/**
 * Address blocks as big integers, and the plainest possible answer to "who gets what": a scan of
 * lists. An oracle for partitions; shares nothing with them.
 */
import { Address4, Address6 } from 'ip-address'

/** From `start` to before `end`; `bits` as written. */
export type Span = { readonly start: bigint; readonly end: bigint; readonly bits: number }

export const WIDTH: Readonly<Record<4 | 6, number>> = { 4: 32, 6: 128 }

export function spanOf(family: 4 | 6, number: bigint, bits: number): Span {
  const size = 1n << BigInt(WIDTH[family] - bits)
  const start = number - (number % size)
  return { start, end: start + size, bits }
}

function written(cidr: string): Span {
  const [base = '', bits] = cidr.split('/')
  const family = base.includes(':') ? 6 : 4
  return spanOf(
    family,
    (family === 6 ? new Address6(base) : new Address4(base)).bigInt(),
    Number(bits),
  )
}

const SPECIAL: Readonly<Record<4 | 6, readonly Span[]>> = {
  4: [
    '0.0.0.0/8',
    '10.0.0.0/8',
    '100.64.0.0/10',
    '127.0.0.0/8',
    '169.254.0.0/16',
    '172.16.0.0/12',
    '192.168.0.0/16',
  ].map(written),
  6: ['::/8', '2001::/32', 'fc00::/7', 'fe80::/10', 'ff00::/8'].map(written),
}

/** Blocks of IPv6 with an IPv4 address in them, and how far right that stands. */
const EMBEDDED = [
  { span: written('::ffff:0:0/96'), shift: 0n },
  { span: written('64:ff9b::/96'), shift: 0n },
  { span: written('2002::/16'), shift: 80n },
]

export function isEmbedded(span: Span): boolean {
  return EMBEDDED.some(({ span: block }) => block.start <= span.start && span.end <= block.end)
}

/** What one map says of one family: spans with a class each, and what holds elsewhere. */
export type Lists = {
  readonly networks: readonly (Span & { readonly says: string })[]
  /** Seen through blocks of a quantum. */
  readonly geo: readonly (Span & { readonly says: string })[]
  readonly rest: string
}

/** Neighbouring addresses of one class. `special` is a class too. */
export type Run = { readonly start: bigint; readonly end: bigint; says: string }

const QUANTUM: Readonly<Record<4 | 6, number>> = { 4: 24, 6: 56 }

/** The runs of both families, in order. */
export function runsOf(ipv4: Lists, ipv6: Lists): Readonly<Record<4 | 6, readonly Run[]>> {
  const runs4 = whole(4, edgesOf(4, ipv4), at => classOf(4, ipv4, at))
  const edges6 = edgesOf(6, ipv6)
  for (const { span, shift } of EMBEDDED) {
    for (const run of runs4) edges6.push(span.start + (run.start << shift))
    edges6.push(span.end)
  }
  const runs6 = whole(6, edges6, at => {
    const inside = EMBEDDED.find(({ span }) => span.start <= at && at < span.end)
    if (inside === undefined) return classOf(6, ipv6, at)
    return runAt(runs4, ((at - inside.span.start) >> inside.shift) & 0xffffffffn).says
  })
  return { 4: runs4, 6: runs6 }
}

function edgesOf(family: 4 | 6, { networks, geo }: Lists): bigint[] {
  const quantum = 1n << BigInt(WIDTH[family] - QUANTUM[family])
  const blocks = geo.map(({ start, end }) => ({
    start: start - (start % quantum),
    end: end + ((quantum - (end % quantum)) % quantum),
  }))
  return [...networks, ...blocks, ...SPECIAL[family]].flatMap(({ start, end }) => [start, end])
}

function classOf(family: 4 | 6, { networks, geo, rest }: Lists, at: bigint): string {
  const quantum = 1n << BigInt(WIDTH[family] - QUANTUM[family])
  const specials = SPECIAL[family].map(span => ({ ...span, says: 'special' }))
  // At equal length the later in the list wins: the operator's before the special block.
  const named = longest([...specials, ...networks], at)
  return named ?? longest(geo, at - (at % quantum)) ?? rest
}

function longest(spans: readonly (Span & { says: string })[], at: bigint): string | undefined {
  let best: (Span & { says: string }) | undefined
  for (const span of spans) {
    if (at < span.start || at >= span.end) continue
    if (best === undefined || span.bits >= best.bits) best = span
  }
  return best?.says
}

/** Runs between edges, neighbours of one class joined; one class beside special is all there is. */
function whole(
  family: 4 | 6,
  edges: readonly bigint[],
  says: (at: bigint) => string,
): readonly Run[] {
  const end = 1n << BigInt(WIDTH[family])
  const starts = [...new Set([0n, ...edges])].filter(edge => edge < end)
  starts.sort((a, b) => (a < b ? -1 : 1))
  const runs: Run[] = []
  starts.forEach((start, i) => {
    const run = { start, end: starts[i + 1] ?? end, says: says(start) }
    const before = runs.at(-1)
    if (before?.says === run.says) runs[runs.length - 1] = { ...before, end: run.end }
    else runs.push(run)
  })
  const classes = new Set(runs.map(run => run.says).filter(said => said !== 'special'))
  const [only] = classes
  return classes.size === 1 && only !== undefined ? [{ start: 0n, end, says: only }] : runs
}

export function runAt(runs: readonly Run[], at: bigint): Run {
  let low = 0
  let high = runs.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((runs[middle]?.start ?? 0n) <= at) low = middle
    else high = middle - 1
  }
  const run = runs[low]
  if (run === undefined) throw new Error('no runs')
  return run
}

/** How many bits the widest aligned block around an address has that stays in its run. */
export function depthOf(family: 4 | 6, run: Run, at: bigint): number {
  let low = 0
  let high = WIDTH[family]
  while (low < high) {
    const bits = (low + high) >> 1
    const { start, end } = spanOf(family, at, bits)
    if (run.start <= start && end <= run.end) high = bits
    else low = bits + 1
  }
  return low
}
