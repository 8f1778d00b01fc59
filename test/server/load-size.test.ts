/** Files that are longer than a string can be: a zone loads all the same, the configuration is wrong. */
import { constants } from 'node:buffer'
import {
  closeSync,
  ftruncateSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { load } from '../../server/load.ts'
import { ZONE_Z } from '../kit/zone-text.ts'

const MACHINE = { version: '0', host: 'h' }
const CONFIG = 'listen: [127.0.0.1]\nzones: [huge]\n'
/** Never written to, so it takes no memory. */
const HUGE = Buffer.allocUnsafeSlow(constants.MAX_STRING_LENGTH + 1)

test('the configuration longer than a string can be', () => {
  const loaded = load('huge', MACHINE, () => HUGE)
  expect(loaded.ok ? [] : loaded.problems).toEqual([
    expect.objectContaining({ file: 'huge', line: 0, what: 'is larger than 511 MiB' }),
  ])
})

const FOLDER = mkdtempSync(join(tmpdir(), 'lbdns-size-'))
afterAll(() => rmSync(FOLDER, { recursive: true }))

/** A zone, so many octets that nobody wrote, a line end, and one line more. */
function zoneAround(hole: number, last: string): string {
  writeFileSync(join(FOLDER, 'lbdns.yaml'), CONFIG)
  const file = openSync(join(FOLDER, 'huge'), 'w')
  writeSync(file, `${ZONE_Z};`)
  ftruncateSync(file, ZONE_Z.length + 1 + hole)
  writeSync(file, `\n${last}\n`, ZONE_Z.length + 1 + hole)
  closeSync(file)
  return join(FOLDER, 'lbdns.yaml')
}

test('a zone longer than a string can be is read to its last line', () => {
  const file = zoneAround(constants.MAX_STRING_LENGTH, 'www FOO 192.0.2.1')
  const loaded = load(file, MACHINE)
  expect(loaded.ok ? [] : loaded.problems.map(({ line, what }) => `${line}: ${what}`)).toEqual([
    '8: a line, or lines in parentheses, of more than 1 MiB',
    '9: unknown type FOO',
  ])
})
