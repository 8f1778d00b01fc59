/** Files that are too large to be text are wrong, and not a crash. */
import { constants } from 'node:buffer'
import { expect, test } from 'vitest'
import { load } from '../../server/load.ts'

const MACHINE = { version: '0', host: 'h' }
const CONFIG = Buffer.from('listen: [127.0.0.1]\nzones: [huge]\n')
/** Never written to, so it takes no memory. */
const HUGE = Buffer.allocUnsafeSlow(constants.MAX_STRING_LENGTH + 1)

// which file it is, its Problem
const TABLE = [
  ['a zone', 'lbdns.yaml', { file: 'lbdns.yaml', line: 2, what: 'huge is larger than 511 MiB' }],
  ['the configuration', 'huge', { file: 'huge', line: 0, what: 'is larger than 511 MiB' }],
] as const

for (const [which, file, problem] of TABLE) {
  test(`${which} longer than a string can be`, () => {
    const read = (path: string) => (path === 'lbdns.yaml' ? CONFIG : HUGE)
    const loaded = load(file, MACHINE, read)
    expect(loaded.ok ? [] : loaded.problems).toEqual([expect.objectContaining(problem)])
  })
}
