/** Columns of numbers in memory that threads share. */

export function bytes(values: readonly number[]): Uint8Array {
  const column = new Uint8Array(new SharedArrayBuffer(values.length))
  column.set(values)
  return column
}

export function halves(values: readonly number[]): Uint16Array {
  const column = new Uint16Array(new SharedArrayBuffer(2 * values.length))
  column.set(values)
  return column
}

/** Unsigned. */
export function words(values: readonly number[]): Uint32Array {
  const column = new Uint32Array(new SharedArrayBuffer(4 * values.length))
  column.set(values)
  return column
}

/** Signed. */
export function integers(values: readonly number[]): Int32Array {
  const column = new Int32Array(new SharedArrayBuffer(4 * values.length))
  column.set(values)
  return column
}

/** Where each of several rows laid end to end begins, and where the last one ends. */
export function starts(lengths: readonly number[]): Uint32Array {
  let next = 0
  const ends = lengths.map(length => {
    next += length
    return next
  })
  return words([0, ...ends])
}

/** Of 32 bits. */
export function floats(values: readonly number[]): Float32Array {
  const column = new Float32Array(new SharedArrayBuffer(4 * values.length))
  column.set(values)
  return column
}

/** Of 64 bits. */
export function doubles(values: readonly number[]): Float64Array {
  const column = new Float64Array(new SharedArrayBuffer(8 * values.length))
  column.set(values)
  return column
}
