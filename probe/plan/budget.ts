/**
 * How many questions a run may cost. Budgets count for each name and type; a server on this machine
 * is nobody's to be polite to, so it gets no rate cap.
 */

export type Budget = {
  /** Most questions for one name and type. */
  readonly queries: number
  /** Questions a second to one server; Infinity: no cap. */
  readonly rate: number
}

export const DEFAULT_QUERIES = 500
export const DEFAULT_RATE = 20

/** Whether an address is this machine's own. */
export function isLoopback(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address)
}
