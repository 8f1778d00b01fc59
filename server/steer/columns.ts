/** Columns of numbers in memory that threads share. */

export function bytes(values: readonly number[]): Uint8Array {
  return filled(new Uint8Array(new SharedArrayBuffer(values.length)), values)
}

export function halves(values: readonly number[]): Uint16Array {
  return filled(new Uint16Array(new SharedArrayBuffer(2 * values.length)), values)
}

/** Unsigned. */
export function words(values: readonly number[]): Uint32Array {
  return filled(new Uint32Array(new SharedArrayBuffer(4 * values.length)), values)
}

/** Signed. */
export function integers(values: readonly number[]): Int32Array {
  return filled(new Int32Array(new SharedArrayBuffer(4 * values.length)), values)
}

/** Of 32 bits. */
export function floats(values: readonly number[]): Float32Array {
  return filled(new Float32Array(new SharedArrayBuffer(4 * values.length)), values)
}

/** Of 64 bits. */
export function doubles(values: readonly number[]): Float64Array {
  return filled(new Float64Array(new SharedArrayBuffer(8 * values.length)), values)
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

type Column = { readonly set: (values: readonly number[]) => void }

function filled<Numbers extends Column>(column: Numbers, values: readonly number[]): Numbers {
  column.set(values)
  return column
}
