/** The names of `--list`, out of files or stdin. */

import { readLines } from './panel.ts'
import { isWrong, type Wrong, wrong } from './plan/wrong.ts'
import { readName } from './words.ts'
import type { World } from './world.ts'

/**
 * The names of `--list` files, each once, in their order.
 *
 * @param paths `-` is stdin
 */
export async function listedNames(
  paths: readonly string[],
  world: World,
): Promise<readonly string[] | Wrong> {
  const names = new Set<string>()
  for (const path of paths) {
    const lines = await readLines(path, world)
    if (isWrong(lines)) return wrong(`--list ${path}: ${lines.wrong}`, 'one name a line')
    for (const { text, number } of lines) {
      const name = readName(text)
      if (isWrong(name)) return wrong(`--list ${path}, line ${number}: ${name.wrong}`, name.fix)
      names.add(name)
    }
  }
  return [...names]
}
