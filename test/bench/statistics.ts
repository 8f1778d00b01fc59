/**
 * Medians of rounds, latencies gathered in buckets, the most that comes at once: arithmetic, and
 * nothing of what is measured.
 */

/** The middle one; of an even number, the mean of the middle two; NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const half = sorted.length >> 1
  const upper = sorted[half] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? Number.NaN) + upper) / 2
}

/** The most of these times that lie within any span, its end apart. Both in milliseconds. */
export function mostWithin(times: readonly number[], span: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  let from = 0
  let most = 0
  for (const [i, time] of sorted.entries()) {
    while (time - sorted[from]! >= span) from += 1
    most = Math.max(most, i - from + 1)
  }
  return most
}

/** A bucket is at most 1/128 as wide as the latencies in it are long. */
const FINE = 7
const SUB = 1 << FINE
/** Latencies are counted in eighths of a microsecond, up to 2³¹ of them: four minutes. */
const PER_MICRO = 8
const OCTAVES = 31 - FINE

/** How many latencies fell into each bucket: exact ones first, then `SUB` to an octave. */
export type Histogram = Uint32Array

export function histogram(): Histogram {
  return new Uint32Array((OCTAVES + 1) * SUB)
}

/** Counts one latency. Hot. */
export function count(into: Histogram, micros: number): void {
  const units = Math.max(0, Math.min(0x7fffffff, micros * PER_MICRO)) | 0
  const shift = Math.max(0, 31 - FINE - Math.clz32(units))
  into[shift * SUB + (units >> shift)]! += 1
}

/**
 * Microseconds that so large a share of latencies stays within: the upper end of the bucket it falls
 * into. NaN where nothing was counted.
 *
 * @param share 0 … 1
 */
export function percentile(of: Histogram, share: number): number {
  const total = of.reduce((sum, each) => sum + each, 0)
  if (total === 0) return Number.NaN
  const wanted = Math.max(1, Math.ceil(total * share))
  let seen = 0
  const bucket = of.findIndex(each => {
    seen += each
    return seen >= wanted
  })
  const shift = Math.max(0, Math.floor(bucket / SUB) - 1)
  return ((bucket - shift * SUB + 1) * 2 ** shift) / PER_MICRO
}
