/**
 * The settings file: flags that somebody always gives, written down once. A flag on the command line
 * wins over it. Keys are the long names of flags, for all commands, or below a command's name for that
 * one alone. Every mistake of the file comes back, with its place.
 */

import type { Command, Option } from 'commander'
import type { Mistake, Path, Source } from './checks/source.ts'
import { nearTo } from './judge/near.ts'
import { reasonOf } from './panel.ts'
import { isWrong, type Wrong, wrong } from './plan/wrong.ts'
import type { World } from './world.ts'

/** Which file to read: one that was named, none at all, or the first of those that are usual. */
export type Which = string | false | undefined

const HERE = ['lbprobe.config.yaml', 'lbprobe.config.json']
const AT_HOME = 'lbprobe/config.yaml'

type Value = string | number | boolean | readonly (string | number)[]

/** One line of the file, and the commands that it is for. */
type Entry = {
  readonly path: Path
  readonly key: string
  readonly value: unknown
  readonly commands: readonly Command[]
}

/**
 * Gives a command the flags of the settings file that its line does not give.
 *
 * @returns what is wrong with the file, all of it, or why it cannot be read; nothing is set then
 */
export async function applySettings(
  command: Command,
  commands: readonly Command[],
  which: Which,
  world: World,
): Promise<readonly Mistake[] | Wrong | undefined> {
  const found = await readFirst(which, world)
  if (found === undefined || isWrong(found)) return found
  const { inOrder, placeOf, readSource } = await import('./checks/source.ts')
  const source = readSource(found.text, found.path)
  if (!('document' in source)) return source
  const mistake = (path: Path, reason: Wrong, spot: 'key' | 'value'): Mistake => ({
    at: placeOf(source, path, spot),
    reason,
  })
  const { entries, misfits } = entriesOf(source, commands)
  const mistakes = [
    ...misfits.map(path => mistake(path, NO_MAP, 'value')),
    ...entries.flatMap(entry => {
      const strange = unknownIn(entry)
      if (strange !== undefined) return [mistake(entry.path, strange, 'key')]
      const unfit = unfitIn(entry, command)
      return unfit === undefined ? [] : [mistake(entry.path, unfit, 'value')]
    }),
  ]
  if (mistakes.length > 0) return inOrder(mistakes)
  const mine = entries.filter(one => one.commands.includes(command))
  const own = mine.toSorted((a, b) => b.path.length - a.path.length)
  for (const { key, value } of own) set(command, key, value)
  return undefined
}

const NO_MAP = wrong('not a map of flags', 'write a flag and its value, such as rate: 50')

type Entries = { readonly entries: readonly Entry[]; readonly misfits: readonly Path[] }

function entriesOf({ value }: Source, commands: readonly Command[]): Entries {
  const entries: Entry[] = []
  const misfits: Path[] = []
  const walk = (held: unknown, above: Path, meant: readonly Command[]): void => {
    if (held === null || held === undefined) return
    if (!isMap(held)) return void misfits.push(above)
    for (const [key, inner] of Object.entries(held)) {
      const path = [...above, key]
      const one = above.length > 0 ? undefined : commands.find(each => each.name() === key)
      if (one === undefined) entries.push({ path, key, value: inner, commands: meant })
      else walk(inner, path, [one])
    }
  }
  walk(value, [], commands)
  return { entries, misfits }
}

function unknownIn({ key, path, commands }: Entry): Wrong | undefined {
  if (key === 'config') return wrong('config: a settings file names no other', 'take it out')
  if (commands.some(one => optionOf(one, key) !== undefined)) return undefined
  const flags = commands.flatMap(({ options }) => options.flatMap(({ long }) => long ?? []))
  const known = flags.map(long => long.replace(/^--/, ''))
  const names = path.length > 1 ? [] : commands.map(one => one.name())
  const [near] = nearTo(key, [...known, ...names])
  const fix = near === undefined ? 'as in --help, without --' : `did you mean ${near}?`
  const [only] = path.length > 1 ? commands : []
  return wrong(
    only === undefined ? `${key}: no such flag` : `${key}: ${only.name()} has no such flag`,
    fix,
  )
}

/** What of a value does not fit the flag: of the command that is run, where it has that flag. */
function unfitIn({ key, value, commands }: Entry, command: Command): Wrong | undefined {
  const known = commands.filter(one => optionOf(one, key) !== undefined)
  const option = optionOf(known.find(one => one === command) ?? known[0], key)
  if (option === undefined) return undefined
  if (!isValue(value)) {
    return wrong(
      `${key}: not a word, a number, a list or true`,
      `write ${key}: ${exampleOf(option)}`,
    )
  }
  if (option.isBoolean() !== (typeof value === 'boolean')) {
    const takes = option.isBoolean() ? 'takes true or false' : 'takes a value'
    return wrong(`${key}: ${takes}`, `write ${key}: ${exampleOf(option)}`)
  }
  if (option.parseArg !== undefined || !Array.isArray(value) || value.length === 1) return undefined
  return wrong(`${key}: takes one value`, 'keep one of the list')
}

/** `true`, or the value as it stands in the help. */
function exampleOf(option: Option): string {
  if (option.isBoolean()) return 'true'
  return /[<[].*$/.exec(option.flags)?.[0] ?? 'a value'
}

type Found = { readonly path: string; readonly text: string }

async function readFirst(which: Which, world: World): Promise<Found | Wrong | undefined> {
  if (which === false) return undefined
  const { HOME, LBPROBE_CONFIG, XDG_CONFIG_HOME } = world.environment
  const named = which ?? LBPROBE_CONFIG
  if (named !== undefined && named !== '') return readNamed(named, world)
  const home = XDG_CONFIG_HOME ?? (HOME === undefined ? undefined : `${HOME}/.config`)
  const usual = home === undefined ? HERE : [...HERE, `${home}/${AT_HOME}`]
  for (const path of usual) {
    const found = await readNamed(path, world)
    if (!isWrong(found)) return found
    if (!found.wrong.endsWith(ABSENT)) return found
  }
  return undefined
}

const ABSENT = 'no such file'

async function readNamed(path: string, world: World): Promise<Found | Wrong> {
  try {
    return { path, text: await world.readText(path) }
  } catch (cause) {
    return wrong(`${path}: ${reasonOf(cause)}`, 'name another with --config, or none: --no-config')
  }
}

function optionOf(command: Command | undefined, key: string): Option | undefined {
  return command?.options.find(({ long }) => long === `--${key}`)
}

/** Sets a flag that neither the line gave nor, for this command alone, the file. */
function set(command: Command, key: string, value: unknown): void {
  const option = optionOf(command, key)
  const name = option?.attributeName()
  if (option === undefined || name === undefined || !isValue(value)) return
  if (isOverruled(command, name)) return
  const texts = Array.isArray(value) ? value.map(String) : [String(value)]
  const one = option.parseArg === undefined ? texts[0] : texts
  command.setOptionValueWithSource(name, typeof value === 'boolean' ? value : one, 'config')
}

/** Ways to name the format: one on the line wins over another in the file, and over its colour. */
const FORMAT = ['format', 'json', 'jsonl', 'short']

function isOverruled(command: Command, name: string): boolean {
  const isGiven = (one: string): boolean => command.getOptionValueSource(one) !== undefined
  if (isGiven(name)) return true
  if (name === 'color') return command.getOptionValueSource('format') === 'cli'
  return FORMAT.includes(name) && FORMAT.some(isGiven)
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isValue(value: unknown): value is Value {
  const plain = (one: unknown): boolean => ['string', 'number'].includes(typeof one)
  return typeof value === 'boolean' || plain(value) || (Array.isArray(value) && value.every(plain))
}
