/**
 * A board as plain data and back, between a server and whoever asks it: column by column, whatever
 * columns there are. Both run on one machine, so octets stand as memory has them.
 */
import { type Wrong, wrong } from './fault.ts'
import { type Board, openBoard } from './steer/board.ts'
import type { Steering } from './steer/steering.ts'
import type { BoardTold } from './tell/control/told.ts'

/** @param digest of the World that the board belongs to */
export function boardTold(board: Board, digest: string): BoardTold {
  const columns = Object.entries(board).map(([name, column]) => [name, octetsOf(column)] as const)
  const texts = columns.map(([name, octets]) => [name, octets.toString('base64')])
  return { digest, columns: Object.fromEntries(texts) }
}

/** A board of the same World. A column that the server does not have is as it is when nothing is known. */
export function boardFrom({ columns }: BoardTold, steering: Steering): Board | Wrong {
  const board = openBoard(steering)
  for (const [name, column] of Object.entries(board)) {
    const text = columns[name]
    if (text === undefined) continue
    const octets = Buffer.from(text, 'base64')
    if (octets.length !== column.byteLength) {
      return wrong(`what the server knows of targets is not of this size: ${name}`, SAME)
    }
    octetsOf(column).set(octets)
  }
  return board
}

const SAME = 'ask with the lbdns that serves'

function octetsOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}
