/**
 * How often chance alone does as much as was seen: p-values by sampling. Knows no statistic; whoever
 * asks makes the random cases. Sampling stops where a hundred were as extreme: p is then far from
 * speaking (Besag and Clifford 1991).
 */
const SAMPLES = 9_999
const PLENTY = 100

/**
 * @param observed the statistic of what was seen; more is more extreme
 * @param sample   makes one more random case and returns its statistic
 * @returns (1 + as extreme) / (1 + sampled): never 0
 */
export function chanceOf(observed: number, sample: () => number): number {
  let atLeast = 1
  let sampled = 1
  while (sampled <= SAMPLES && atLeast < PLENTY) {
    if (sample() >= observed) atLeast += 1
    sampled += 1
  }
  return atLeast / sampled
}
