/** Memory of what is no longer served goes back to the system. */
import { expect, test } from 'vitest'
import { sweep } from '../../server/sweep.ts'
import { sharedMemory } from '../../server/zone/growing.ts'

const MIB = 1 << 20

// how large a column is, and how many are made: each time 600 MiB
const TABLE = [
  [1, 600],
  [20, 30],
  [60, 10],
] as const

test.each(TABLE)(
  'columns of %i MiB, let go one after the other, are gone when swept',
  (size, times) => {
    sweep()
    const before = process.memoryUsage.rss()
    for (let i = 0; i < times; i += 1) {
      new Uint8Array(sharedMemory(size * MIB), 0, size * MIB).fill(1)
      if (i % 10 === 9) sweep()
    }
    sweep()
    expect((process.memoryUsage.rss() - before) / MIB).toBeLessThan(100)
  },
)
