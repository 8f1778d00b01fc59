/**
 * Addresses on a square along a Hilbert curve, so that neighbours in number are neighbours on paper
 * and every prefix is one square or half of one. The first address is top left, the last top right.
 * Draws as SVG path data, in cells. Knows nothing of what the cells mean.
 */

/** In cells, from the top left corner. */
export type Cell = { readonly x: number; readonly y: number }
export type Box = Cell & { readonly width: number; readonly height: number }

/**
 * Finds the cell of a step along the curve.
 *
 * @param order    the square has 2^order cells a side, and 4^order in all
 * @param distance steps from the first cell, from 0
 */
export function hilbertCell(order: number, distance: number): Cell {
  let [x, y, rest] = [0, 0, distance]
  for (let side = 1; side < 1 << order; side *= 2) {
    const right = (rest >> 1) & 1
    const down = (rest ^ right) & 1
    if (down === 0) {
      if (right === 1) [x, y] = [side - 1 - x, side - 1 - y]
      ;[x, y] = [y, x]
    }
    x += side * right
    y += side * down
    rest >>= 2
  }
  return { x, y }
}

/**
 * Finds the box of a prefix: a square where `bits` is even, two squares side by side where it is odd.
 *
 * @param first the step of its first cell
 * @param bits  0 … 2 × order
 */
export function hilbertBox(order: number, first: number, bits: number): Box {
  const one = squareAt(order, first, bits + (bits & 1))
  if (bits % 2 === 0) return one
  const two = squareAt(order, first + one.width * one.height, bits + 1)
  return {
    x: Math.min(one.x, two.x),
    y: Math.min(one.y, two.y),
    width: one.width + Math.abs(one.x - two.x),
    height: one.height + Math.abs(one.y - two.y),
  }
}

function squareAt(order: number, first: number, bits: number): Box {
  const side = 2 ** (order - bits / 2)
  const { x, y } = hilbertCell(order, first)
  return { x: x - (x % side), y: y - (y % side), width: side, height: side }
}

/**
 * Draws cells of one class as one path: strokes from left to right, one cell wide, to be drawn with
 * `stroke-width="1"` and without a fill.
 *
 * @param classes of each step along the curve; 4^order of them, none below 0
 * @returns path data by class
 */
export function hilbertPaths(order: number, classes: ArrayLike<number>): Map<number, string> {
  const side = 1 << order
  const grid = new Int32Array(side * side)
  for (let distance = 0; distance < grid.length; distance += 1) {
    const { x, y } = hilbertCell(order, distance)
    grid[y * side + x] = classes[distance] ?? 0
  }
  const pens = new Map<number, Pen>()
  for (let y = 0; y < side; y += 1) strokeRow(grid.subarray(y * side, (y + 1) * side), y, pens)
  return new Map([...pens].map(([of, { path }]) => [of, path]))
}

/** Where a path has come to. */
type Pen = { path: string; x: number; y: number }

function strokeRow(row: Int32Array, y: number, pens: Map<number, Pen>): void {
  for (let x = 0; x < row.length; ) {
    const of = row[x] ?? 0
    let end = x + 1
    while (row[end] === of) end += 1
    stroke(penOf(pens, of), x, y, end - x)
    x = end
  }
}

function penOf(pens: Map<number, Pen>, of: number): Pen {
  const known = pens.get(of)
  if (known !== undefined) return known
  const pen: Pen = { path: 'M0 .5', x: 0, y: 0 }
  pens.set(of, pen)
  return pen
}

/** Steps are relative: most take six characters. */
function stroke(pen: Pen, x: number, y: number, length: number): void {
  pen.path += `m${x - pen.x}${y === pen.y ? ' 0' : spaced(y - pen.y)}h${length}`
  pen.x = x + length
  pen.y = y
}

/** A minus sign parts numbers as well as a blank does. */
function spaced(step: number): string {
  return step < 0 ? String(step) : ` ${step}`
}
