/** What compiling a large geo database costs: a program of its own, that prints its own table. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Workload } from '../bench.ts'

const PROGRAM = fileURLToPath(new URL('../compile/compile.js', import.meta.url))

export const compile: Workload = async bench => {
  bench.tell('compile')
  spawnSync(process.execPath, [PROGRAM], { stdio: 'inherit' })
  return []
}
