/** That who asks often does not have it made often, and that what each gets was made after it asked. */
import { expect, test } from 'vitest'
import { sparing } from '../../server/ops/sparing.ts'

/** A clock that goes on only while something is made, or is waited for. */
function clockwork(costMs: number) {
  let time = 0
  const waits: number[] = []
  const begun: number[] = []
  return {
    waits,
    begun,
    now: () => time,
    wait: async (ms: number) => {
      waits.push(ms)
      time += ms
    },
    make: async () => {
      begun.push(time)
      time += costMs
      return begun.length
    },
    pass: (ms: number) => {
      time += ms
    },
  }
}

test('one at a time: made at once', async () => {
  const clock = clockwork(10)
  const ask = sparing(clock.make, clock)
  expect(await ask()).toBe(1)
  clock.pass(1_000)
  expect(await ask()).toBe(2)
  expect(clock.waits).toEqual([])
})

test('many at once: made once for all', async () => {
  const clock = clockwork(10)
  const ask = sparing(clock.make, clock)
  expect(await Promise.all([ask(), ask(), ask()])).toEqual([1, 1, 1])
})

test('one after the other without a pause: four fifths of the time nothing is made', async () => {
  const clock = clockwork(10)
  const ask = sparing(clock.make, clock)
  for (let asked = 0; asked < 5; asked += 1) await ask()
  expect(clock.begun).toEqual([0, 50, 100, 150, 200])
})

test('what takes very long: a second of rest, and not more', async () => {
  const clock = clockwork(3_000)
  const ask = sparing(clock.make, clock)
  await ask()
  await ask()
  expect(clock.waits).toEqual([1_000])
})

test('who asks while it is made gets the next one', async () => {
  let finish = (): void => {}
  let made = 0
  const make = () =>
    new Promise<number>(resolve => {
      made += 1
      const number = made
      finish = () => resolve(number)
    })
  const ask = sparing(make, { now: () => 0, wait: async () => {} })
  const first = ask()
  await Promise.resolve()
  await Promise.resolve()
  expect(made).toBe(1)
  const [second, third] = [ask(), ask()]
  finish()
  expect(await first).toBe(1)
  await new Promise(resolve => setImmediate(resolve))
  finish()
  expect(await Promise.all([second, third])).toEqual([2, 2])
})

test('a failure is told to those who waited for it, and to nobody after them', async () => {
  let isBroken = true
  const make = async () => {
    if (isBroken) throw new Error('broken')
    return 'fine'
  }
  const ask = sparing(make, { now: () => 0, wait: async () => {} })
  const both = await Promise.allSettled([ask(), ask()])
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  isBroken = false
  expect(await ask()).toBe('fine')
})
