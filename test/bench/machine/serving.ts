/** A contender that serves: started with its files in a new folder, and waited for. */
import { mkdtempSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Contender } from '../peers/contender.ts'
import { type Site, ZONE } from '../site/site.ts'
import { freePort, type Short, waitFor } from './asking.ts'
import { FOLDER, find, type Program, SERVER_CORE, start } from './program.ts'

export type Serving = Program & {
  readonly contender: Contender
  readonly port: number
  /** Milliseconds from its start to its first answer. */
  readonly startMs: number
}

/** The largest zones take the slowest peers minutes. */
const READY_MS = 240_000

/** Starts a contender. Rejects, with the end of its log, where it does not answer. */
export async function serve(
  contender: Contender,
  site: Site,
  cores = SERVER_CORE,
): Promise<Serving> {
  const folder = mkdtempSync(join(FOLDER, 'server-'))
  const port = await freePort()
  const args = await contender.prepare(site, folder, port)
  const log = join(folder, 'log')
  const program = start([find(contender.program) ?? contender.program, ...args], cores, log)
  const isReady = contender.name === 'echo' ? () => true : isAnswer
  const startMs = await waitFor(port, `h1.${ZONE}`, isReady, READY_MS, program.isAlive)
  if (startMs !== undefined) return { ...program, contender, port, startMs }
  await program.stop()
  throw new Error(`no answer from it; its log ends with: ${readFileSync(log, 'utf8').slice(-600)}`)
}

function isAnswer({ rcode, answers }: Short): boolean {
  return rcode === 0 && answers > 0
}
