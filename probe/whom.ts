/**
 * Whom the user names otherwise than by an `@server` word: `-s`, `--auth` and `--resolver` become such
 * words where they stand on the line; LBPROBE_SERVER, and after it the settings file, speak where the
 * line names nobody. Looks nothing up.
 */

import { readServer, type ServerWord } from './ask/server.ts'
import { isWrong, type Wrong, wrong } from './plan/wrong.ts'
import type { World } from './world.ts'

/** Three ways to say it, from one place: the line, or the settings file. */
export type Whom = {
  readonly server?: readonly string[] | undefined
  readonly auth?: boolean | undefined
  readonly resolver?: boolean | undefined
}

/**
 * The free words of a line, its flags among them as `@server` words.
 *
 * @param line all of it as it was written, for the order
 */
export function wordsOf(
  words: readonly string[],
  whom: Whom,
  line: readonly string[],
): readonly string[] | Wrong {
  const merged = inOrder(words, whom.server ?? [], line)
  const named = merged.filter(word => word.startsWith('@'))
  const group = groupOf(whom, named)
  if (isWrong(group)) return group
  return group === undefined || named.length > 0 ? merged : [...merged, group]
}

/** `@auth` or `@system` where a flag says so, unless somebody else is named too. */
function groupOf(whom: Whom, named: readonly string[]): string | undefined | Wrong {
  if (whom.auth && whom.resolver) {
    return wrong('--auth and --resolver exclude each other', 'take one of them')
  }
  if (!whom.auth && !whom.resolver) return undefined
  const [flag, group] = whom.auth ? ['--auth', '@auth'] : ['--resolver', '@system']
  const other = named.find(word => word !== group)
  if (other === undefined) return group
  return wrong(`${flag} and ${other} exclude each other`, 'leave out one of them')
}

function inOrder(
  words: readonly string[],
  servers: readonly string[],
  line: readonly string[],
): readonly string[] {
  const merged: string[] = []
  const left = { words: [...words], servers: servers.map(atWord) }
  for (const part of line) {
    const server = left.servers[0]?.slice(1)
    if (part === left.words[0]) merged.push(...left.words.splice(0, 1))
    // `-s x`, `-sx`, `--server=x`
    else if (server !== undefined && part.endsWith(server))
      merged.push(...left.servers.splice(0, 1))
  }
  return [...merged, ...left.words, ...left.servers]
}

function atWord(server: string): string {
  return server.startsWith('@') ? server : `@${server}`
}

/**
 * Whom to ask where the line names nobody, as words without `@`; none: whoever the command asks then.
 *
 * @param settings what the settings file says
 */
export function usualOf(settings: Whom, { environment }: World): readonly string[] | Wrong {
  const { LBPROBE_SERVER = '' } = environment
  const named = LBPROBE_SERVER.split(/[\s,]+/).filter(word => word !== '')
  const words = named.length > 0 ? named.map(atWord) : wordsOf([], settings, settings.server ?? [])
  if (isWrong(words)) return words
  const unfit = words.map(word => readServer(word.slice(1))).find(isWrong)
  if (unfit === undefined) return words.map(word => word.slice(1))
  const where = named.length > 0 ? 'LBPROBE_SERVER' : 'the settings file'
  return wrong(`${where}: ${unfit.wrong}`, unfit.fix)
}

/** Those that are named, or that usually are; none: whoever the command asks then. */
export function serversNamed(
  named: readonly ServerWord[],
  { usual = [] }: Pick<World, 'usual'>,
): readonly ServerWord[] {
  return named.length > 0 ? named : serversOf(usual)
}

/** @param words read before: none is wrong */
export function serversOf(words: readonly string[]): readonly ServerWord[] {
  return words.map(readServer).filter((word): word is ServerWord => !isWrong(word))
}
