#!/usr/bin/env node
/**
 * The process: signals, the world, and the last place that catches anything. Who asks for the version
 * alone waits for nothing else to be opened.
 */

import { versionOf } from './version.ts'

const USAGE = 2
const INTERNAL = 10
const INTERRUPTED = 130

process.stdout.on('error', unwritten)
const words = process.argv.slice(2)
if (words.length === 1 && ['--version', '-V'].includes(words[0] ?? '')) {
  process.stdout.write(`lbprobe ${versionOf()}\n`)
} else {
  await run()
}

/** A reader that went away (`| head`, a terminal that was closed) is no error; a full disk is. */
function unwritten({ code = '', message }: NodeJS.ErrnoException): void {
  if (['EPIPE', 'EIO', 'ECONNRESET'].includes(code)) process.exit(0)
  process.stderr.write(`lbprobe: stdout cannot be written: ${message}\n`)
  process.exit(USAGE)
}

async function run(): Promise<void> {
  const interrupt = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    // the first ends the measuring, the second everything
    process.on(signal, () => {
      if (interrupt.signal.aborted) process.exit(INTERRUPTED)
      interrupt.abort()
    })
  }
  try {
    const [{ program }, { realWorld }] = await Promise.all([
      import('./program.ts'),
      import('./world.ts'),
    ])
    process.exitCode = await program(words, realWorld(interrupt.signal))
    // a query may still be waited for, after an interrupt or where it was not needed any more
    process.stdout.write('', cause => {
      if (!cause) process.exit() // else `unwritten` does
    })
  } catch (cause) {
    const what = cause instanceof Error ? cause.stack : cause
    process.stderr.write(`lbprobe: internal error: ${what}\n`)
    process.exitCode = INTERNAL
  }
}
