/** A board goes to whoever asks and comes back as it was, column by column. */
import { describe, expect, test } from 'vitest'
import { boardFrom, boardTold } from '../../server/board-told.ts'
import { isWrong } from '../../server/fault.ts'
import { NO_CAP, openBoard } from '../../server/steer/board.ts'
import type { BoardTold } from '../../server/tell/control/told.ts'
import { compiled, pool, rule } from '../kit/steering.ts'

const DIGEST = '0123456789abcdef0123456789abcdef'
const { steering } = compiled({
  pools: [pool('a', '192.0.2.1', '192.0.2.2', '2001:db8::1'), pool('b', '192.0.2.3')],
  rules: [rule({ default: [0, 1] }), rule({ owner: 'b.', default: [1] })],
})

/** As it comes out of a line of JSON. */
function carried(told: BoardTold): BoardTold {
  return JSON.parse(JSON.stringify(told))
}

describe('a board as plain data', () => {
  test('every column comes back, unknown numbers too', () => {
    const board = openBoard(steering)
    board.up.set([1, 0, 1, 0])
    board.load.set([0, 1.5, Number.NaN, 3e8])
    board.share.set([Number.NaN, 0.25, 1, 2])
    board.latency.set([0.1, Number.NaN, 30, 4000])
    board.flip.set([0, NO_CAP])
    board.cap.set([7, NO_CAP])
    const told = carried(boardTold(board, DIGEST))
    expect([told.digest, boardFrom(told, steering)]).toEqual([DIGEST, board])
  })

  // biome-ignore format: table
  const COLUMNS: readonly (readonly [string, keyof ReturnType<typeof openBoard>, string])[] = [
    ['an octet a target',       'up',  'AAEAAQ=='],
    ['four a pool, low first',  'cap', 'BwAAAP///38='],
  ]
  test.each(COLUMNS)('base64: %s', (_, name, text) => {
    const board = openBoard(steering)
    board.up.set([0, 1, 0, 1])
    board.cap.set([7, NO_CAP])
    expect(boardTold(board, DIGEST).columns[name]).toBe(text)
    expect(boardFrom({ digest: DIGEST, columns: { [name]: text } }, steering)).toMatchObject({
      [name]: board[name],
    })
  })

  test('a column that a server does not have is as when nothing is known', () => {
    expect(boardFrom({ digest: DIGEST, columns: { later: 'AAAA' } }, steering)).toEqual(
      openBoard(steering),
    )
  })

  test('a column of another size is no board of this World', () => {
    const board = boardFrom({ digest: DIGEST, columns: { up: 'AAEA' } }, steering)
    expect(isWrong(board) && board.wrong).toBe(
      'what the server knows of targets is not of this size: up',
    )
  })
})
