/**
 * What may be true of something at a time, where a change takes a while to be seen: between its begin
 * and its end, the old and the new.
 */
export class Possible<Value> {
  /** Each holds until the next. */
  readonly #spans: { readonly from: number; readonly values: readonly Value[] }[]

  constructor(value: Value) {
    this.#spans = [{ from: 0, values: [value] }]
  }

  /** What it is, as far as that is certain. */
  get certain(): Value | undefined {
    const { values = [] } = this.#spans.at(-1) ?? {}
    return values.length === 1 ? values[0] : undefined
  }

  /** It is one of these from now on. */
  becomes(...values: readonly Value[]): void {
    this.#spans.push({ from: performance.now(), values })
  }

  /** All that it was at any time between the two. */
  during(from: number, to: number): Set<Value> {
    const found = new Set<Value>()
    for (let at = this.#spans.length - 1; at >= 0; at -= 1) {
      const { from: since, values } = this.#spans[at]!
      if (since <= to) for (const value of values) found.add(value)
      if (since <= from) break
    }
    return found
  }
}
