/**
 * What V8 is told to do otherwise than it does by itself. A flag is meant for all threads of the
 * process, and counts from when it is set.
 */
import { setFlagsFromString } from 'node:v8'

/**
 * To serve: from octets to octets leads through many small functions. V8 inlines more of them when told
 * to, which takes a sixth off a steered answer.
 */
export function inlineMore(): void {
  setFlagsFromString('--max-inlined-bytecode-size-cumulative=4000')
  setFlagsFromString('--max-inlined-bytecode-size=1500')
}

/**
 * To load: most of what loading needs runs for some milliseconds only, and compiling it takes as long.
 * Inlining less than by itself, V8 has a small site ready a sixth earlier, and a large one no later.
 */
export function inlineLess(): void {
  setFlagsFromString('--max-inlined-bytecode-size-cumulative=300')
  setFlagsFromString('--max-inlined-bytecode-size=460')
}

/**
 * Collects garbage when there is need for it, and then all of it. By itself V8 goes on to look for
 * some for half a minute after each time, and an idle server is not idle until then. Heaps here are
 * small, as what is large is shared memory.
 */
export function collectAtOnce(): void {
  setFlagsFromString('--no-incremental-marking')
}

/**
 * Threads that are started from now on compile for themselves, at once. V8 would do it beside them:
 * on a busy processor, what shall make a thread faster waits for its turn behind that thread.
 */
export function compileInPlace(): void {
  setFlagsFromString('--no-concurrent-recompilation')
}

/**
 * Threads that are started from now on make 64 MiB before they collect: what a load makes it mostly
 * keeps, and so a first load is over a tenth earlier.
 */
export function collectLate(): void {
  setFlagsFromString('--min-semi-space-size=64')
  setFlagsFromString('--max-semi-space-size=64')
}

/** Threads that are started from now on collect when V8 thinks that they should. */
export function collectAsUsual(): void {
  setFlagsFromString('--min-semi-space-size=0')
  setFlagsFromString('--max-semi-space-size=0')
}
