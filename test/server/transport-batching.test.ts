/** Which engine a machine gets: koffi missing, broken, crashing or shut out costs speed, nothing else. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { chooseEngine, type Grounds } from '../../server/transport/batching.ts'
import { withoutBatches } from '../kit/engine.ts'
import { UNLESS } from '../kit/kernel.ts'

const folder = mkdtempSync(join(tmpdir(), 'batching-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A module that stands in for koffi. */
function standIn(name: string, code: string): () => string {
  const file = join(folder, `${name}.cjs`)
  writeFileSync(file, code)
  return () => file
}

/** A library whose `recvmmsg` fails with an error. */
const failing = (error: number) => `
const calls = { socket: () => 3, recvmmsg: () => -1, sendmmsg: () => 0 }
exports.load = () => ({ func: text => calls[/(\\w+)\\(/.exec(text)[1]] })
exports.errno = () => ${error}
`

const FIT: Grounds = {
  platform: 'linux',
  machine: 'x64',
  koffi: undefined,
  find: standIn('fit', failing(11)), // EAGAIN: nothing there
}

const missing = () => {
  throw new Error("Cannot find module 'koffi'")
}

const TABLE: readonly (readonly [
  rule: string,
  change: Partial<Grounds>,
  why: string | undefined,
])[] = [
  ['all is there', {}, undefined],
  ['KOFFI=0', { koffi: '0' }, 'KOFFI=0 is set'],
  ['KOFFI=1 means nothing', { koffi: '1' }, undefined],
  ['macOS', { platform: 'darwin' }, 'darwin has no batches'],
  ['a machine with other numbers', { machine: 'mips64el' }, 'the processor is mips64el'],
  ['32 bits', { machine: 'arm' }, 'the processor is arm'],
  ['big-endian', { machine: 'big-endian' }, 'the processor is big-endian'],
  ['koffi is not installed', { find: missing }, 'koffi is not installed'],
  [
    'koffi does not load',
    { find: standIn('broken', "throw new Error('invalid ELF header')") },
    'koffi does not work here: Error: invalid ELF header',
  ],
  [
    'koffi aborts at load',
    { find: standIn('abort', 'process.abort()') },
    'koffi ends with SIGABRT here',
  ],
  [
    'koffi has instructions that this processor does not know',
    { find: standIn('illegal', "process.kill(process.pid, 'SIGILL'); for (;;);") },
    'koffi ends with SIGILL here',
  ],
  [
    'a sandbox refuses the call: ENOSYS 38',
    { find: standIn('refused', failing(38)) },
    'koffi does not work here: Error: recvmmsg says 38',
  ],
]

for (const [rule, change, why] of TABLE) {
  test(rule, async () => {
    const chosen = await chooseEngine({ ...FIT, ...change })
    expect(chosen).toEqual(why === undefined ? { name: 'batched' } : { name: 'dgram', why })
  })
}

test('choosing leaves the thread free', async () => {
  let isBusy = true
  let turns = 0
  const count = () => {
    turns += 1
    if (isBusy) setImmediate(count)
  }
  setImmediate(count)
  await chooseEngine(FIT)
  isBusy = false
  expect(turns).toBeGreaterThan(10)
})

test.skipIf(withoutBatches !== undefined)(`the real one is tried${UNLESS}`, async () => {
  expect(await chooseEngine()).toEqual({ name: 'batched' })
})
