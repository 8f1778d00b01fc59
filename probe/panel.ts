/** The client subnets of a run: those the user named, with their regions looked up, or the panel. */

import type { Options } from './options.ts'
import { type Chance, chanceFrom } from './plan/chance.ts'
import {
  choosePanel,
  DEFAULT_COUNTRIES,
  distinct,
  mostSubnets,
  panelOf,
  readTable,
} from './plan/panel.ts'
import type { Subnet } from './plan/question.ts'
import { controlsOf } from './plan/rounds.ts'
import { readSubnet } from './plan/subnet.ts'
import { isWrong, type Wrong, wrong } from './plan/wrong.ts'
import type { World } from './world.ts'

/**
 * At least two different subnets, and queries enough to ask once for each; or what is wrong.
 *
 * @param seed of what is drawn, where a preset has more subnets than the budget holds
 */
export async function panelFor(
  options: Options,
  world: World,
  seed: number = options.seed ?? 0,
): Promise<readonly Subnet[] | Wrong> {
  const panel = await subnetsFor(options, world, chanceFrom(seed))
  if (isWrong(panel)) return panel
  const round = panel.length + controlsOf(options.controls).length
  if (round <= options.queries) return panel
  return wrong(
    `--max-queries ${options.queries}: one round takes ${round}`,
    'raise it, or name fewer subnets',
  )
}

async function subnetsFor(
  options: Options,
  world: World,
  chance: Chance,
): Promise<readonly Subnet[] | Wrong> {
  const { preset, countries, clients } = options
  if (options.subnets.length === 0) {
    const most = mostSubnets(options.queries)
    const choice = { preset, countries, clients: clients ?? ('ipv4' as const), most }
    return choosePanel(readTable(await world.table()), choice, chance)
  }
  const chosen = choiceOf(options)
  if (chosen !== undefined) {
    return wrong(`--subnet and ${chosen} exclude each other`, 'take one of them')
  }
  const named = await readSubnets(options, world)
  if (isWrong(named)) return named
  const panel = distinct(named.filter(({ source }) => source > 0))
  if (panel.length >= 2) return panel
  return wrong('one client subnet cannot differ from itself', 'give at least two with --subnet')
}

/** The first flag given that chooses subnets from the table. */
function choiceOf({ preset, countries, clients }: Options): string | undefined {
  if (countries !== undefined) return '--country'
  if (preset !== undefined) return '--preset'
  return clients === undefined ? undefined : clients === 'both' ? '--both' : '--v6'
}

/** One ordinary network of each of a few countries, for which nobody has to be asked. */
export async function ordinaryNetworks(world: World): Promise<readonly Subnet[]> {
  const networks = panelOf(readTable(await world.table()), DEFAULT_COUNTRIES, 1)
  if (isWrong(networks)) throw new Error(`the table of subnets: ${networks.wrong}`)
  return networks
}

/** The one client subnet that `dns2` may send, or none. */
export async function clientFor(
  options: Options,
  world: World,
): Promise<readonly Subnet[] | Wrong> {
  const chosen = choiceOf(options)
  if (chosen !== undefined) {
    return wrong(`${chosen}: dns2 asks for one client`, 'give one --subnet, or use ecs')
  }
  const named = await readSubnets(options, world)
  if (isWrong(named) || named.length < 2) return named
  return wrong('dns2 asks for one client', 'give one --subnet, or use ecs to compare several')
}

/** The subnets named by the user, `@file` read out. */
async function readSubnets(options: Options, world: World): Promise<readonly Subnet[] | Wrong> {
  const texts = await subnetTexts(options.subnets, world)
  if (isWrong(texts)) return texts
  const regionOf = texts.length === 0 ? () => undefined : await world.regions()
  const subnets: Subnet[] = []
  for (const text of texts) {
    const subnet = readSubnet(text, options.prefixes, undefined)
    if (isWrong(subnet)) return subnet
    const address = subnet.text.replace(/\/.*$/, '')
    subnets.push({ ...subnet, region: subnet.source === 0 ? undefined : regionOf(address) })
  }
  return subnets
}

async function subnetTexts(
  words: readonly string[],
  world: World,
): Promise<readonly string[] | Wrong> {
  const texts: string[] = []
  for (const word of words) {
    if (!word.startsWith('@')) {
      texts.push(...word.split(','))
      continue
    }
    const lines = await readLines(word.slice(1), world)
    if (isWrong(lines)) {
      return wrong(`--subnet ${word}: ${lines.wrong}`, 'name a file with one prefix a line')
    }
    texts.push(...lines.map(({ text }) => text))
  }
  return texts.map(text => text.trim()).filter(text => text !== '')
}

export type Line = { readonly text: string; readonly number: number }

/** Lines that hold something, from 1; or why the file cannot be read, without its name. */
export async function readLines(path: string, world: World): Promise<readonly Line[] | Wrong> {
  try {
    return linesOf(await world.readText(path))
  } catch (cause) {
    return wrong(reasonOf(cause))
  }
}

function linesOf(text: string): readonly Line[] {
  return text
    .split(/\r?\n/)
    .map((line, index) => ({ text: line.replace(/#.*$/, '').trim(), number: index + 1 }))
    .filter(line => line.text !== '')
}

// biome-ignore format: table
const REASONS: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'no such file'], ['ENOSPC', 'the disk is full'], ['EDQUOT', 'the disk quota is used up'],
  ['EACCES', 'not permitted'], ['EPERM', 'not permitted'], ['EISDIR', 'a directory'], ['EROFS', 'read-only'],
])

/** What the system's code means, or the code. */
export function reasonOf(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unreadable'
  return REASONS.get(code) ?? code
}
