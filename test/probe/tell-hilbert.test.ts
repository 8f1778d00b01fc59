/** Addresses along a Hilbert curve, against the well-known map of /8s and the laws of the curve. */
import { describe, expect, test } from 'vitest'
import { hilbertBox, hilbertCell, hilbertPaths } from '../../probe/tell/hilbert.ts'

describe('the curve', () => {
  // The left and top edges of the map of IPv4 that everybody draws (xkcd 195), by first octet.
  test.each([
    ['the top row', 'x', [0, 1, 14, 15, 16, 19, 20, 21, 234, 235, 236, 239, 240, 241, 254, 255]],
    ['the left row', 'y', [0, 3, 4, 5, 58, 59, 60, 63, 64, 65, 78, 79, 80, 83, 84, 85]],
  ] as const)('%s holds the octets it is known for', (_, axis, octets) => {
    octets.forEach((octet, at) => {
      const expected = axis === 'x' ? { x: at, y: 0 } : { x: 0, y: at }
      expect(hilbertCell(4, octet)).toEqual(expected)
    })
  })

  test('goes through every cell once, each beside the one before', () => {
    const cells = Array.from({ length: 4 ** 6 }, (_, distance) => hilbertCell(6, distance))
    expect(new Set(cells.map(({ x, y }) => 64 * y + x)).size).toBe(4 ** 6)
    for (const [at, { x, y }] of cells.entries()) {
      const before = cells[at - 1] ?? { x: -1, y }
      expect(Math.abs(x - before.x) + Math.abs(y - before.y)).toBe(1)
    }
  })
})

describe('a prefix', () => {
  test.each([0, 1, 2, 3, 4, 5, 7, 8])('of %i bits is one box, and all of it', bits => {
    const size = 4 ** 4 / 2 ** bits
    for (let first = 0; first < 4 ** 4; first += size) {
      const { x, y, width, height } = hilbertBox(4, first, bits)
      expect(width * height).toBe(size)
      for (let distance = first; distance < first + size; distance += 1) {
        const cell = hilbertCell(4, distance)
        expect(cell.x >= x && cell.x < x + width && cell.y >= y && cell.y < y + height).toBe(true)
      }
    }
  })

  test('of three bits: 224.0.0.0/3 is the upper right', () => {
    expect(hilbertBox(8, 224 << 8, 3)).toEqual({ x: 128, y: 0, width: 128, height: 64 })
  })
})

/** The cells that a path strokes. */
function stroked(path: string): string[] {
  expect(path).toMatch(/^M0 \.5(m-?\d+(?: |(?=-))-?\d+h\d+)+$/)
  let [x, y] = [0, 0]
  return [...path.matchAll(/m(-?\d+) ?(-?\d+)h(\d+)/g)].flatMap(([, right, down, length]) => {
    x += Number(right)
    y += Number(down)
    const cells = Array.from({ length: Number(length) }, (_, i) => `${x + i},${y}`)
    x += Number(length)
    return cells
  })
}

test('paths stroke the cells of their class, and no others', () => {
  const classes = Array.from({ length: 4 ** 5 }, (_, distance) => (distance * distance) % 7)
  const paths = hilbertPaths(5, classes)
  for (const [of, path] of paths) {
    const expected = classes.flatMap((one, distance) => {
      const { x, y } = hilbertCell(5, distance)
      return one === of ? [`${x},${y}`] : []
    })
    expect(stroked(path).toSorted()).toEqual(expected.toSorted())
  }
  expect([...paths.keys()].toSorted()).toEqual([0, 1, 2, 4])
})
