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

/** Databases are seen through blocks of this many bits. */
const QUANTUM: Readonly<Record<4 | 6, number>> = { 4: 24, 6: 56 }

/** The block that a database's word for an address holds in: that of its first address. */
export function seenThrough(family: 4 | 6, at: bigint): Span {
  return spanOf(family, at, QUANTUM[family])
}

/** The special block around an address, outside embedded ones. */
export function specialAround(family: 4 | 6, at: bigint): Span | undefined {
  return SPECIAL[family].find(({ start, end }) => start <= at && at < end)
}

/** The address of IPv4 that one of IPv6 carries, and the bits before it. */
export function embeddedIn(
  at: bigint,
): { readonly ipv4: bigint; readonly bits: number } | undefined {
  const inside = EMBEDDED.find(({ span }) => span.start <= at && at < span.end)
  if (inside === undefined) return undefined
  const { span, shift } = inside
  return { ipv4: ((at - span.start) >> shift) & 0xffffffffn, bits: span.bits }
}

/** Tells whether an embedded block begins in a span of IPv6. */
export function holdsEmbedded({ start, end }: Span): boolean {
  return EMBEDDED.some(({ span }) => start <= span.start && span.start < end)
}

/** What one map says of one family. */
export type Says = {
  /** Where it may begin to say something else. */
  readonly edges: readonly bigint[]
  /** Inside embedded blocks it is not asked. */
  readonly says: (at: bigint) => string
}

/** Neighbouring addresses of one class. `special` is a class too. */
export type Run = { readonly start: bigint; readonly end: bigint; says: string }

/**
 * The runs of both families, in order.
 *
 * @param isApart tells of a class that special blocks are runs of their own even beside it alone
 */
export function runsOf(
  ipv4: Says,
  ipv6: Says,
  isApart: (says: string) => boolean = () => false,
): Readonly<Record<4 | 6, readonly Run[]>> {
  const runs4 = whole(4, ipv4.edges, ipv4.says, isApart)
  const edges6 = [...ipv6.edges]
  for (const { span, shift } of EMBEDDED) {
    for (const run of runs4) edges6.push(span.start + (run.start << shift))
    edges6.push(span.end)
  }
  const says6 = (at: bigint): string => {
    const inside = embeddedIn(at)
    return inside === undefined ? ipv6.says(at) : runAt(runs4, inside.ipv4).says
  }
  return { 4: runs4, 6: whole(6, edges6, says6, isApart) }
}

/** Runs between edges, neighbours of one class joined; one class beside special is all there is. */
function whole(
  family: 4 | 6,
  edges: readonly bigint[],
  says: (at: bigint) => string,
  isApart: (says: string) => boolean,
): readonly Run[] {
  const end = 1n << BigInt(WIDTH[family])
  const special = SPECIAL[family].flatMap(span => [span.start, span.end])
  const starts = [...new Set([0n, ...edges, ...special])].filter(edge => edge < end)
  starts.sort((a, b) => (a < b ? -1 : 1))
  const runs: Run[] = []
  starts.forEach((start, i) => {
    const run = { start, end: starts[i + 1] ?? end, says: says(start) }
    const before = runs.at(-1)
    if (before?.says === run.says) runs[runs.length - 1] = { ...before, end: run.end }
    else runs.push(run)
  })
  const classes = new Set(runs.map(run => run.says).filter(said => said !== 'special'))
  const [only = 'special'] = classes
  return classes.size === 1 && !isApart(only) ? [{ start: 0n, end, says: only }] : runs
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
