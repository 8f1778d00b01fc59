/**
 * Did the answer change once and stay changed? A deploy or a health check does that; rotation
 * does not. Looks only at the order in which answers came.
 */
import { countOf, logFactorial } from './odds.ts'

/**
 * How often chance puts all equal answers side by side: with d kinds seen c₁ … c_d times in n
 * answers, d! ∏ cᵢ! ÷ n! of the orders do. 1 where they are not side by side, or all are equal.
 */
export function driftChance(keys: readonly string[]): number {
  const counts = countOf(keys)
  const spans = keys.filter((key, index) => key !== keys[index - 1]).length
  if (counts.size < 2 || spans !== counts.size) return 1
  let log = logFactorial(counts.size) - logFactorial(keys.length)
  for (const count of counts.values()) log += logFactorial(count)
  return Math.min(1, Math.exp(log))
}
