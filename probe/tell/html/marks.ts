/**
 * Where the letters stand on the map: at their country, or beside it where another has the room, or
 * nowhere. In units of the map; knows nothing of colours.
 */

export type Spot = { readonly x: number; readonly y: number }
export type Wish = { readonly spot: Spot; readonly text: string; readonly letter: string }
export type Mark = Wish & {
  /** The middle of the box. */
  readonly at: Spot
  readonly width: number
  readonly height: number
}

export type Room = { readonly width: number; readonly height: number }

// biome-ignore format: table
const WAYS: readonly (readonly [number, number])[] = [
  [0, 0], [0, -1], [0, 1], [1, 0], [-1, 0], [1, -1], [-1, -1], [1, 1], [-1, 1],
  [0, -2], [0, 2], [2, 0], [-2, 0], [2, -1], [-2, -1], [2, 1], [-2, 1],
]

/**
 * Places as many as can be without one covering another, the first wishes first.
 *
 * @param size height of the letters
 */
export function placed(wishes: readonly Wish[], room: Room, size: number): readonly Mark[] {
  const marks: Mark[] = []
  for (const wish of wishes) {
    const [width, height] = [size * (0.7 + 0.62 * wish.text.length), 1.35 * size]
    const step = { x: width / 2 + height / 2, y: 1.15 * height }
    const ways = WAYS.map(([right, down]) => ({
      ...{ ...wish, width, height },
      at: { x: wish.spot.x + right * step.x, y: wish.spot.y + down * step.y },
    }))
    const found = ways.find(
      mark => isInside(mark, room) && marks.every(other => isApart(mark, other)),
    )
    if (found !== undefined) marks.push(found)
  }
  return marks
}

function isInside({ at, width, height }: Mark, room: Room): boolean {
  const [x, y] = [width / 2 + 2, height / 2 + 2]
  return at.x >= x && at.y >= y && at.x <= room.width - x && at.y <= room.height - y
}

function isApart(one: Mark, other: Mark): boolean {
  const [x, y] = [Math.abs(one.at.x - other.at.x), Math.abs(one.at.y - other.at.y)]
  return x > (one.width + other.width) / 2 + 2 || y > (one.height + other.height) / 2 + 2
}
