#!/usr/bin/env node
/**
 * The process: signals, the world, and the last place that catches anything. Who asks for the version
 * alone waits for nothing else to be opened.
 */

import { versionOf } from './version.ts'

const INTERNAL = 10
const INTERRUPTED = 130

const words = process.argv.slice(2)
if (words.length === 1 && ['--version', '-V'].includes(words[0] ?? '')) {
  process.stdout.write(`lbprobe ${versionOf()}\n`)
} else {
  await run()
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
  // a reader that went away (`| head`) is no error
  process.stdout.on('error', () => process.exit(0))
  try {
    const [{ program }, { realWorld }] = await Promise.all([
      import('./program.ts'),
      import('./world.ts'),
    ])
    process.exitCode = await program(words, realWorld(interrupt.signal))
    // a query may still be waited for, after an interrupt or where it was not needed any more
    process.stdout.write('', () => process.exit())
  } catch (cause) {
    const what = cause instanceof Error ? cause.stack : cause
    process.stderr.write(`lbprobe: internal error: ${what}\n`)
    process.exitCode = INTERNAL
  }
}
