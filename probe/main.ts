#!/usr/bin/env node
/** The process: signals, the world, and the last place that catches anything. */

import { program } from './program.ts'
import { realWorld } from './world.ts'

const INTERNAL = 10
const INTERRUPTED = 130

const interrupt = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // the first ends the measuring, the second everything
  process.on(signal, () => {
    if (interrupt.signal.aborted) process.exit(INTERRUPTED)
    interrupt.abort()
  })
}

// a reader that went away (`| head`) is no error
process.stdout.on('error', () => process.exit(0))

try {
  process.exitCode = await program(process.argv.slice(2), realWorld(interrupt.signal))
  // after an interrupt a query may still be waited for
  if (interrupt.signal.aborted) process.stdout.write('', () => process.exit())
} catch (cause) {
  process.stderr.write(`lbprobe: internal error: ${cause instanceof Error ? cause.stack : cause}\n`)
  process.exitCode = INTERNAL
}
