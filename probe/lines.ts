/**
 * Where JSON lines go while a run lasts: to stdout, or to the end of a file that is begun anew. Knows
 * no line.
 */

import { appender } from './append.ts'
import type { OutputOptions } from './options/output.ts'
import { reasonOf } from './panel.ts'
import { type Wrong, wrong } from './plan/wrong.ts'
import type { World } from './world.ts'

export type Lines = {
  readonly add: (text: string) => void
  /** Adds the last of it and waits until all is written; what went wrong, if anything. */
  readonly end: (text: string) => Promise<Wrong | undefined>
}

/** Nothing where another format is asked for. */
export async function linesFor(
  { format, output }: OutputOptions,
  world: World,
): Promise<Lines | Wrong | undefined> {
  if (format !== 'jsonl') return undefined
  if (output === undefined) {
    const add = (text: string): void => world.out.write(text)
    return { add, end: async text => add(text) as undefined }
  }
  const unwritten = (cause: unknown): Wrong =>
    wrong(`--output ${output}: ${reasonOf(cause)}`, 'name a file that can be written')
  try {
    await world.writeText(output, '')
  } catch (cause) {
    return unwritten(cause)
  }
  const file = appender(output, world.appendText)
  return {
    add: file.add,
    end: async text => {
      file.add(text)
      const failed = await file.end()
      return failed === undefined ? undefined : unwritten(failed)
    },
  }
}
