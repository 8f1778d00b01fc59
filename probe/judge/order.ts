/** Orders of one and the same list: are they turns of a wheel, or shuffles? */
import { logFactorial } from './odds.ts'

/**
 * How often a fair shuffle would give only turns of one wheel: of the m! orders m are turns of the
 * first one, so (m − 1)! ^ −(n − 1). 1 where some order is no turn, or the list is shorter than 3
 * (of two, every order is a turn).
 */
export function wheelChance(orders: readonly (readonly string[])[]): number {
  const [first] = orders
  if (first === undefined || first.length < 3) return 1
  if (!orders.every(order => isTurn(first, order))) return 1
  return Math.exp(-logFactorial(first.length - 1) * (orders.length - 1))
}

function isTurn(first: readonly string[], order: readonly string[]): boolean {
  const start = first.indexOf(order[0] ?? '')
  return order.every((value, at) => value === first[(start + at) % first.length])
}
