/**
 * `lbprobe man` and `lbprobe completion`: what the table of commands knows, for a reader of man pages
 * and for a shell. Which values a flag has is told here where it is not the flag's own list.
 */

import { ABOUT, COMMANDS, type CommandRow, flagsOf } from '../commands.ts'
import { CONDITIONS } from '../judge/condition.ts'
import { ECS_ANSWER, ROTATION_ANSWER } from '../judge/verdict.ts'
import { REPORTER_NAMES } from '../options/reporters.ts'
import { DEFAULT_TYPES } from '../options.ts'
import { readTable } from '../plan/panel.ts'
import { PRESETS } from '../plan/preset.ts'
import { wrong, wrongText } from '../plan/wrong.ts'
import { completionText, SHELLS } from '../tell/completion.ts'
import { manText } from '../tell/man.ts'
import { type CommandPage, flagEntry, type Manual } from '../tell/manual.ts'
import type { World } from '../world.ts'

/** What the program says of itself. */
export const DOES =
  'Tells what a domain name does with its addresses: shuffles, rotates, or steers.'

export async function manCommand(world: World): Promise<number> {
  world.out.write(manText(await manualOf(world)))
  return 0
}

export async function completionCommand(words: readonly string[], world: World): Promise<number> {
  const [word = ''] = words
  const shell = SHELLS.find(one => one === word)
  if (shell !== undefined && words.length === 1) {
    world.out.write(completionText(shell, await manualOf(world)))
    return 0
  }
  const reason = wrong(`completion ${words.join(' ')}: for which shell?`, SHELLS.join(', '))
  world.err.write(`lbprobe: ${wrongText(reason)}\n`)
  return 2
}

async function manualOf(world: World): Promise<Manual> {
  const countries = [
    ...new Set(readTable(await world.table()).map(({ country }) => country)),
  ].sort()
  const values = new Map([...VALUES, ['--country', countries] as const])
  const commands = COMMANDS.map(row => pageOf(row, values))
  return { program: 'lbprobe', version: world.version, does: ABOUT, commands }
}

/** Flags that take one of a few words, wherever they stand. */
const VALUES: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ['--type', [...DEFAULT_TYPES, 'HTTPS', 'SVCB', 'CNAME', 'TXT', 'MX', 'NS', 'SOA']],
  ['--color', ['auto', 'always', 'never']],
  ['--expect', verdicts()],
  ['--fail-on', CONDITIONS],
  ['--preset', PRESETS],
  ['--reporter', REPORTER_NAMES],
])

/** Answers and codes, each once. */
function verdicts(): readonly string[] {
  const codes = [...Object.keys(ECS_ANSWER), ...Object.keys(ROTATION_ANSWER)]
  return [...new Set([...Object.values(ECS_ANSWER), ...codes])]
}

function pageOf(row: CommandRow, values: ReadonlyMap<string, readonly string[]>): CommandPage {
  const { name, does, usage, more = '', words = [] } = row
  const entries = flagsOf(row).map(([spelt, help]) => {
    const bare = flagEntry(spelt, help, [])
    return { ...bare, values: values.get(bare.long) ?? [] }
  })
  return { name, does, usage, flags: entries, more, words }
}
