/** How far two points on earth are from each other. */
import type { Point } from './record.ts'

/** The mean radius of the earth in kilometres: (2a + b) ÷ 3 of WGS 84. */
const RADIUS = 6371.0088
const RADIANS = Math.PI / 180

/**
 * The great-circle distance in kilometres, on a sphere: up to half a percent from what an ellipsoid
 * gives. By haversines, which stay exact where points are close.
 */
export function kilometres(a: Point, b: Point): number {
  const north = Math.sin(((b.lat - a.lat) * RADIANS) / 2)
  const east = Math.sin(((b.lon - a.lon) * RADIANS) / 2)
  const square = north * north + Math.cos(a.lat * RADIANS) * Math.cos(b.lat * RADIANS) * east * east
  return 2 * RADIUS * Math.asin(Math.sqrt(Math.min(1, square)))
}

/**
 * A distance as a bias has it count: above 0 it shrinks, below 0 it grows, as in Route 53's
 * geoproximity routing: +50 halves it, −50 doubles it.
 *
 * @param bias percent, −99 … 99
 */
export function biased(far: number, bias: number): number {
  return bias >= 0 ? far * (1 - bias / 100) : far / (1 + bias / 100)
}
