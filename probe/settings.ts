/**
 * The settings file: flags that somebody always gives, written down once. A flag on the command line
 * wins over it. Keys are the long names of flags, for all commands, or below a command's name for that
 * one alone.
 */

import type { Command } from 'commander'
import { reasonOf } from './panel.ts'
import { isWrong, type Wrong, wrong } from './plan/wrong.ts'
import type { World } from './world.ts'

/** Which file to read: one that was named, none at all, or the first of those that are usual. */
export type Which = string | false | undefined

const HERE = ['lbprobe.config.yaml', 'lbprobe.config.json']
const AT_HOME = 'lbprobe/config.yaml'

type Value = string | number | boolean | readonly (string | number)[]

/**
 * Gives a command the flags of the settings file that its line does not give.
 *
 * @returns what is wrong with the file; nothing is set then
 */
export async function applySettings(
  command: Command,
  commands: readonly Command[],
  which: Which,
  world: World,
): Promise<Wrong | undefined> {
  const found = await readFirst(which, world)
  if (found === undefined || isWrong(found)) return found
  const { parseDocument } = await import('yaml')
  const document = parseDocument(found.text)
  const [mistake] = document.errors
  if (mistake !== undefined) return wrong(`${found.path}: ${mistake.message.split('\n')[0]}`)
  const settings: unknown = document.toJS() ?? {}
  if (!isMap(settings)) return wrong(`${found.path}: not a map of flags`, 'write rate: 50')
  const own = settings[command.name()] ?? {}
  if (!isMap(own)) return wrong(`${found.path}: ${command.name()}: not a map of flags`)
  const names = new Set(commands.map(one => one.name()))
  const shared = Object.entries(settings).filter(([key]) => !names.has(key))
  const unknown = shared.find(([key]) => !commands.some(one => knows(one, key)))
  const stray = unknown?.[0] ?? Object.keys(own).find(key => !knows(command, key))
  if (stray !== undefined)
    return wrong(`${found.path}: ${stray}: no such flag`, 'as in --help, without --')
  for (const [key, value] of [...Object.entries(own), ...shared]) {
    const unfit = set(command, key, value)
    if (unfit !== undefined) return wrong(`${found.path}: ${unfit}`)
  }
  return undefined
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
    return wrong(`${path}: ${reasonOf(cause)}`)
  }
}

function knows(command: Command, key: string): boolean {
  return optionOf(command, key) !== undefined
}

function optionOf(command: Command, key: string) {
  return command.options.find(({ long }) => long === `--${key}`)
}

/** Sets a flag that the line did not give; what does not fit comes back in words. */
function set(command: Command, key: string, value: unknown): string | undefined {
  const option = optionOf(command, key)
  if (option === undefined) return undefined
  if (!isValue(value)) return `${key}: not a word, a number, a list or true`
  const name = option.attributeName()
  if (isOverruled(command, name)) return undefined
  if (option.isBoolean() !== (typeof value === 'boolean')) {
    return `${key}: ${option.isBoolean() ? 'takes true or false' : 'takes a value'}`
  }
  const repeats = option.parseArg !== undefined
  const texts = Array.isArray(value) ? value.map(String) : [String(value)]
  if (!repeats && texts.length > 1) return `${key}: takes one value`
  const shown = typeof value === 'boolean' ? value : repeats ? texts : texts[0]
  command.setOptionValueWithSource(name, shown, 'config')
  return undefined
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
