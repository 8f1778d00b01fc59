/** The floor: a C program that sends batches of datagrams back; compiled here, where there is a compiler. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { STRICTNESS } from '../load/check.ts'
import { FOLDER, find } from '../machine/program.ts'
import type { Contender } from './contender.ts'

const SOURCE = fileURLToPath(new URL('../../../../test/bench/peers/echo.c', import.meta.url))

/** `undefined`: no compiler here. */
export function echo(): Contender | undefined {
  const program = join(FOLDER, 'echo')
  const compiler = find('gcc') ?? find('cc')
  if (compiler === undefined) return undefined
  const { status } = spawnSync(compiler, ['-O2', '-o', program, SOURCE], { stdio: 'inherit' })
  if (status !== 0) return undefined
  return {
    name: 'echo',
    program,
    serves: ['steered', 'large', 'huge'],
    tailors: true,
    tcp: false,
    strictness: { plain: STRICTNESS.reply, steered: STRICTNESS.reply },
    prepare: async (_site, _folder, port) => [String(port)],
  }
}
