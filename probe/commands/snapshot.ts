/** One use of `snapshot`: names measured with `dns2` and `ecs`, and written as an assertion file. */

import { type Sight, snapshotText } from '../checks/snapshot.ts'
import { measure } from '../command.ts'
import { put } from '../deliver.ts'
import type { Measured } from '../measured.ts'
import { panelOptions } from '../options/panel.ts'
import { type Flags, type Options, readOptions } from '../options.ts'
import { isWrong, type Wrong, wrongText } from '../plan/wrong.ts'
import { printable } from '../tell/number.ts'
import type { World } from '../world.ts'

const USAGE = 2
const UNCLEAR = 3
const NO_REPLY = 9
const INTERRUPTED = 130
const INTERRUPTED_TEXT = 'interrupted: nothing was written'

/** Where the schema lies beside a file in a project that has the package. */
const SCHEMA = 'node_modules/lbdns/data/schema/lbprobe.checks.schema.json'

export async function runSnapshot(
  words: readonly string[],
  flags: Flags,
  world: World,
): Promise<number> {
  const options = readOptions(words, flags)
  if (isWrong(options)) return refused(options, world)
  const sights = await look(options, world)
  if (isWrong(sights)) return refused(sights, world)
  if (options.action === 'plan-only') return 0
  if (world.interrupt.aborted) return ended(INTERRUPTED_TEXT, INTERRUPTED, world)
  const all = sights.flatMap(({ rotations, ecs }) => [...rotations, ecs])
  if (all.every(({ tally }) => tally.replies === 0)) {
    return ended('no reply from any server', NO_REPLY, world)
  }
  const named = words.filter(word => word.startsWith('@'))
  const text = snapshotText({
    sights,
    servers: named.length > 0 ? named.map(word => word.slice(1)) : (world.usual ?? []),
    subnets: options.subnets,
    countries: options.countries ?? [],
    schema: SCHEMA,
  })
  if (text === undefined) return ended('too little was seen to assert anything', UNCLEAR, world)
  const unwritten = await put(text, options.output, world)
  return unwritten === undefined ? 0 : refused(unwritten, world)
}

/** Each name by itself, so that what an alias leads to is counted for its own name. */
async function look(options: Options, world: World): Promise<readonly Sight[] | Wrong> {
  const sights: Sight[] = []
  for (const name of options.names) {
    const common = { ...options, names: [name] }
    const rotation = await measure('dns2', { ...common, ...panelOptions({}, {}) }, world)
    if (isWrong(rotation)) return rotation
    const ecs = await measure('ecs', { ...common, count: undefined }, world)
    if (isWrong(ecs)) return ecs
    sights.push(...options.types.flatMap(type => sightOf(name, type, rotation, ecs)))
  }
  return sights
}

function sightOf(name: string, type: string, rotation: Measured, ecs: Measured): readonly Sight[] {
  const rotations = rotation.judgements.filter(one => one.type === type)
  const [found] = ecs.judgements.filter(one => one.type === type)
  if (rotations.length === 0 || found === undefined) return []
  const rotationSeen = rotation.observations.filter(seen => seen.type === type)
  return [{ name, type, rotations, rotationSeen, ecs: found }]
}

function ended(sentence: string, exit: number, world: World): number {
  world.err.write(`lbprobe: ${sentence}\n`)
  return exit
}

function refused(reason: Wrong, world: World): number {
  return ended(printable(wrongText(reason)), USAGE, world)
}
