/** The schema of `querylog`: where the query log is written, how much of it, and how much is kept. */
import * as z from 'zod'
import { wrong } from '../fault.ts'
import { keyed, reading, refuse } from './brick.ts'
import { path } from './shape-scalar.ts'
import { octetsFrom } from './size.ts'

/** Less would be a file for every few lines. */
const LEAST_OCTETS = 1000

const size = reading(
  z
    .union([z.number(), z.string()], { error: 'a size, like 100MB' })
    .meta({ examples: ['100MB', '1GiB', 65536] }),
  octetsFrom,
).superRefine((octets, context) => {
  if (octets >= LEAST_OCTETS) return
  refuse(context, [], {
    reason: wrong(`${octets} octets is too small`, 'at least 1kB'),
    spot: 'value',
  })
})

/** A path alone is a log with all else as it is by itself; `off` is none. */
export function queryLogShape() {
  const whole = keyed({
    file: path.describe(
      'Where it is written: a JSON document a line, with time, client, from, name, type, rcode, ' +
        'scope, pool, steer, transport, size and sample. Of clients there is left a /24 or a /48.',
    ),
    sample: z
      .number()
      .min(1e-6)
      .max(1)
      .prefault(0.01)
      .meta({ examples: [0.01, 1] })
      .describe('The chance of each query to be in it; 1: all are. A line stands for 1 ÷ sample.'),
    max_size: size
      .prefault('100MB')
      .describe('A file that would grow beyond becomes FILE.1, what that was FILE.2, and so on.'),
    keep: z.int().min(1).max(1000).prefault(5).describe('How many of those there are.'),
  })
  const bare = path
    .describe('Its file, and all else as it is by itself; off: there is none.')
    .superRefine((file, context) => {
      if (file !== 'on') return
      const reason = wrong('on does not say where', 'name a file: querylog: query.log')
      refuse(context, [], { reason, spot: 'value' })
    })
    .transform(file => (file === 'off' ? undefined : whole.parse({ file }, { jitless: true })))
  return z.union([bare, whole], { error: 'a path, or a mapping with file' })
}
