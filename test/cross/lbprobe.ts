/** Runs `lbprobe` against one server and reads its document. */
import { expect } from 'vitest'
import type { Place } from '../kit/ask.ts'
import { LBPROBE, type Ran, run } from '../kit/process.ts'

/** One name and type of the document `lbprobe.result/1`. */
export type Result = {
  readonly name: string
  readonly type: string
  readonly verdict: { readonly answer: string; readonly code: string; readonly modifiers: string[] }
  readonly groups: readonly { readonly answers: string[]; readonly regions: string[] }[]
  readonly scopes: readonly { readonly region: string; readonly scopes: number[] }[]
  readonly findings: readonly { readonly id: string }[]
}

export function lbprobe(command: string, { host, port }: Place, args: string): Promise<Ran> {
  const words = [command, `@${host}:${port}`, ...args.split(' '), '--seed', '1']
  return run(process.execPath, [LBPROBE, ...words])
}

/** The results of a measurement, from its JSON document. */
export async function measured(
  command: string,
  to: Place,
  args: string,
): Promise<readonly Result[]> {
  const { stdout } = await lbprobe(command, to, `${args} --json`)
  const document = JSON.parse(stdout)
  expect(document.schema).toBe('lbprobe.result/1')
  return document.results
}
