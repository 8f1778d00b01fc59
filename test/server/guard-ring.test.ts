/** The ring between two threads: what goes in comes out, in order, or is counted as dropped. */
import { readFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import fc from 'fast-check'
import { transpileModule } from 'typescript'
import { expect, test } from 'vitest'
import { droppedOf, put, type Ring, ring, take } from '../../server/guard/ring.ts'
import { until } from '../kit/transport.ts'

/** Words of the longest record here. */
const MOST = 12
const into = new Int32Array(MOST)

function taken(from: Ring): number[] | undefined {
  const length = take(from, into)
  return length === 0 ? undefined : [...into.subarray(0, length)]
}

/** An empty ring whose ends stand anywhere. */
function ringAt(size: number, end: number): Ring {
  const made = ring(size)
  made.ends[0] = end
  made.ends[32] = end
  return made
}

const record = fc.array(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), {
  minLength: 1,
  maxLength: MOST,
})
/** A record that is put, or a number of records that are taken. */
const deeds = fc.array(fc.oneof(record, fc.integer({ min: 0, max: 4 })), { maxLength: 200 })
/** Both the signed and the unsigned wrap are near some of these. */
const end = fc.oneof(
  fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  fc.integer({ min: 2 ** 31 - 40, max: 2 ** 31 - 1 }),
  fc.integer({ min: -40, max: 0 }),
)

test('any order of puts and takes: what comes out went in, in order; drops are counted', () => {
  fc.assert(
    fc.property(fc.constantFrom(8, 16, 32, 64), end, deeds, (size, start, done) => {
      const made = ringAt(size, start)
      const queue: number[][] = []
      let dropped = 0
      for (const deed of done) {
        if (typeof deed === 'number') {
          for (let i = 0; i < deed; i += 1) expect(taken(made)).toEqual(queue.shift())
          continue
        }
        // Each record takes a word more than it has: that which tells its length.
        const held = queue.reduce((words, one) => words + one.length + 1, 0)
        if (held + deed.length + 1 <= size) queue.push(deed)
        else dropped += 1
        put(made, Int32Array.from(deed), deed.length)
        expect(droppedOf(made)).toBe(dropped)
      }
      while (queue.length > 0) expect(taken(made)).toEqual(queue.shift())
      expect(taken(made)).toBeUndefined()
    }),
  )
})

test('whatever lies in the memory: nothing is read past it, and it is over soon', () => {
  const word = fc.oneof(
    fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
    fc.integer({ min: -1, max: MOST + 1 }),
  )
  const memory = fc.array(word, { minLength: 32, maxLength: 32 })
  fc.assert(
    fc.property(memory, word, word, (words, head, tail) => {
      const made = ringAt(32, head)
      made.ends[32] = tail
      made.words.set(words)
      let takes = 0
      for (let length = take(made, into); length > 0; length = take(made, into)) {
        expect(length).toBeLessThanOrEqual(MOST)
        takes += 1
      }
      expect(takes).toBeLessThanOrEqual(16)
      put(made, Int32Array.of(7, 8), 2)
      expect(taken(made)).toEqual([7, 8])
    }),
  )
})

test('whoever died while putting has put nothing, and the next one goes on', () => {
  const made = ring(16)
  put(made, Int32Array.of(1, 2), 2)
  made.words.set([5, 9, 9], 3) // the end was not moved
  expect([taken(made), taken(made)]).toEqual([[1, 2], undefined])
  put(made, Int32Array.of(3), 1)
  expect([taken(made), taken(made)]).toEqual([[3], undefined])
})

test('drops are counted past 2³¹, and begin again past 2³²', () => {
  const made = ring(8)
  const drop = () => put(made, new Int32Array(8), 8)
  made.ends[1] = 2 ** 31 - 1
  drop()
  expect(droppedOf(made)).toBe(2 ** 31)
  made.ends[1] = -1
  drop()
  expect(droppedOf(made)).toBe(0)
})

/** Puts so many records of 1 … 7 words, each with its number in all of them. */
const PRODUCER = `
const { workerData } = require('node:worker_threads')
const record = new Int32Array(8)
for (let number = 0; number < workerData.records; number += 1) {
  record.fill(number)
  put(workerData.ring, record, 1 + (number % 7))
}
`

test('two threads: each record is whole, in order, or counted as dropped', async () => {
  const source = readFileSync('server/guard/ring.ts', 'utf8').replaceAll('export ', '')
  const { outputText } = transpileModule(source, { compilerOptions: { target: 9, module: 1 } })
  const records = 400_000
  const made = ring(1 << 10)
  const thread = new Worker(outputText + PRODUCER, {
    eval: true,
    workerData: { ring: made, records },
  })
  let isOver = false
  thread.once('exit', () => {
    isOver = true
  })
  let last = -1
  let count = 0
  const drain = () => {
    for (let one = taken(made); one !== undefined; one = taken(made)) {
      const [number = -1] = one
      if (number <= last || one.length !== 1 + (number % 7) || one.some(word => word !== number)) {
        throw new Error(`${one} after ${last}`)
      }
      last = number
      count += 1
    }
  }
  await until(() => {
    drain()
    return isOver
  }, 20_000)
  drain()
  expect(count + droppedOf(made)).toBe(records)
  expect(count).toBeGreaterThan(100)
})
