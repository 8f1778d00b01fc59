/**
 * Load files: what their rows say, what a bad row costs, and what is on the board when a file is new,
 * unchanged, old or gone.
 */
import { rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { problemText, remarks } from '../../server/fault.ts'
import { loadRows } from '../../server/health/load-rows.ts'
import { Loads } from '../../server/health/loads.ts'
import { type Board, openBoard } from '../../server/steer/board.ts'
import { folder, stopAll } from '../kit/process.ts'
import { compiled, pool, rule } from '../kit/steering.ts'
import { HEAD, loadFrom } from '../kit/world.ts'
import { ZONE_Z } from '../kit/zone-text.ts'

afterAll(stopAll)

describe('rows', () => {
  const rowsOf = (text: string) => {
    const found = remarks()
    const rows = loadRows(text, 'loads.csv', found)
    return { rows: Object.fromEntries(rows), warnings: found.warnings.map(problemText) }
  }
  const NOTHING = { load: undefined, capacity: undefined, latency: undefined }

  test('columns as the head line names them, in any order; comments and blank lines', () => {
    const text =
      '# made by a script\n\ntarget,latency,load\n192.0.2.1, 12.5, 0.4\r\nweb.example.net,,3\n'
    expect(rowsOf(text)).toEqual({
      rows: {
        '192.0.2.1': { ...NOTHING, latency: 12.5, load: 0.4 },
        'web.example.net.': { ...NOTHING, load: 3 },
      },
      warnings: [],
    })
  })

  test('one target has one key, however it is written', () => {
    const { rows } = rowsOf('target,load\n2001:DB8::0:1,1\nWeb.Example.Net.,2\n')
    expect(Object.keys(rows)).toEqual(['2001:db8::1', 'web.example.net.'])
  })

  // biome-ignore format: table
  test.each([
    ['a negative load',    '192.0.2.1,-1'],
    ['not a number',       '192.0.2.1,much'],
    ['without end',        '192.0.2.1,1e999'],
    ['too few columns',    '192.0.2.1'],
    ['too many columns',   '192.0.2.1,1,2'],
  ])('%s: that row alone is lost, and said', (_, row) => {
    const { rows, warnings } = rowsOf(`target,load\n${row}\n192.0.2.2,5\n`)
    expect(Object.keys(rows)).toEqual(['192.0.2.2'])
    expect(warnings).toEqual([expect.stringContaining('loads.csv:2:1: ')])
  })

  test('a capacity or latency of 0 means nothing', () => {
    expect(rowsOf('target,capacity\n192.0.2.1,0\n').warnings).toHaveLength(1)
    expect(rowsOf('target,latency\n192.0.2.1,0\n').warnings).toHaveLength(1)
  })

  test('a target that stands twice counts as it stood first', () => {
    const { rows, warnings } = rowsOf('target,load\n192.0.2.1,1\n192.0.2.1,2\n')
    expect(rows['192.0.2.1']?.load).toBe(1)
    expect(warnings).toEqual(['loads.csv:3:1: 192.0.2.1 stands here twice · name each target once'])
  })

  test('without a head line nothing is taken', () => {
    const { rows, warnings } = rowsOf('192.0.2.1,1\n')
    expect(rows).toEqual({})
    expect(warnings).toEqual([expect.stringContaining('begin the file with target,load')])
  })
})

describe('at load', () => {
  const warningsOf = (csv: string) => {
    const yaml = `${HEAD}pools: {a: {loads: {file: loads.csv}, targets: [192.0.2.1, "2001:db8::1"]}}
steer: {www.example.com: {pick: two, pools: [a]}}
`
    const loaded = loadFrom({ 'lbdns.yaml': yaml, 'a.zone': ZONE_Z, 'loads.csv': csv })
    return loaded.warnings.map(problemText).filter(text => text.startsWith('loads.csv'))
  }
  test('a file of its targets: nothing to say', () => {
    expect(warningsOf('target,load\n192.0.2.1,1\n2001:DB8::1,2\n')).toEqual([])
  })
  test('rows of what is no target', () => {
    const [warning] = warningsOf('target,load\n192.0.2.9,1\nbanana,2\n192.0.2.1,3\n')
    expect(warning).toBe('loads.csv: 192.0.2.9 (and 1 more) is no target of a')
  })
})

describe('the board', () => {
  const { steering } = compiled({
    pools: [pool('a', '192.0.2.1', '192.0.2.2')],
    networks: [],
    latencies: [],
    rules: [rule({ all: [0] })],
  })
  const NOW = 1_800_000_000_000
  let board: Board
  let warnings: string[]
  let path: string
  let loads: Loads
  beforeEach(() => {
    path = join(folder({}), 'loads.csv')
    board = openBoard(steering)
    warnings = []
    const file = { pool: 0, path, maxAge: 60 }
    loads = new Loads([file], steering, board, warning => warnings.push(warning.what))
  })
  const write = (text: string, at: number) => {
    writeFileSync(path, text)
    utimesSync(path, at / 1000, at / 1000)
  }

  test('has what the file says, and nothing of whom it does not name', () => {
    write('target,load,latency\n192.0.2.2,0.5,20\n', NOW - 1000)
    loads.look(NOW)
    expect([...board.load]).toEqual([Number.NaN, 0.5])
    expect([...board.latency]).toEqual([Number.NaN, 20])
    expect([...board.share]).toEqual([Number.NaN, 2]) // the inverse of its load
    expect(warnings).toEqual([])
  })

  test('smooths capacity and latency, 0.3 of each new value; loads are taken as they are', () => {
    write('target,load,capacity,latency\n192.0.2.1,1,100,10\n', NOW - 2000)
    loads.look(NOW - 2000)
    write('target,load,capacity,latency\n192.0.2.1,3,200,20\n', NOW - 1000)
    loads.look(NOW)
    loads.look(NOW) // the same file says nothing new
    expect([board.load[0], board.share[0], board.latency[0]]).toEqual([3, 130, 13])
  })

  test('forgets a file that is too old, and says so once', () => {
    write('target,load\n192.0.2.1,1\n', NOW - 59_000)
    loads.look(NOW)
    expect(board.load[0]).toBe(1)
    loads.look(NOW + 2_000)
    loads.look(NOW + 3_000)
    expect(board.load[0]).toBeNaN()
    expect(warnings).toEqual(['is older than 60 s: the loads in it are unknown'])
    write('target,load\n192.0.2.1,4\n', NOW + 4_000)
    loads.look(NOW + 4_000)
    expect(board.load[0]).toBe(4)
  })

  test('forgets a file that is gone', () => {
    write('target,load\n192.0.2.1,1\n', NOW)
    loads.look(NOW)
    rmSync(path)
    loads.look(NOW)
    expect(board.load[0]).toBeNaN()
    expect(warnings).toEqual(['cannot be read: the loads in it are unknown'])
  })
})
