/**
 * The recording of a map, read again: what it is of, and whether that is what is asked for now. What
 * was seen stands in it as in any recording; a run that went on is a unit of its own.
 */

import { type Server, serverText } from './ask/server.ts'
import type { Observation } from './judge/observation.ts'
import type { Partial } from './judge/partial.ts'
import { type Span, spanOf, spanText } from './judge/span.ts'
import type { Swept } from './judge/swept.ts'
import type { Trust } from './judge/trust.ts'
import type { MapOptions } from './options/map.ts'
import { readSubnet } from './plan/subnet.ts'
import { isWrong, type Wrong, wrong } from './plan/wrong.ts'
import { type Recording, readRecording } from './recording.ts'
import { printable } from './tell/number.ts'
import type { MapRecorded } from './tell/recording.ts'
import type { World } from './world.ts'

export type RecordedMap = {
  readonly recording: Recording
  readonly options: MapRecorded
  readonly name: string
  readonly type: string
  /** As they are named in output. */
  readonly servers: readonly string[]
  /** Most queries of all runs. */
  readonly limit: number
  /** Of all runs, in the order they came. */
  readonly seen: readonly Observation[]
  /** What trying a resolver showed. */
  readonly trust: Trust | undefined
}

/** @param flag what named the file */
export async function recordedMap(
  flag: '--resume' | '--replay',
  path: string,
  world: World,
): Promise<RecordedMap | Wrong> {
  const recording = await readRecording(path, world)
  if (isWrong(recording)) return wrong(`${flag} ${recording.wrong}`, recording.fix)
  const { head, units } = recording
  const { options } = head
  if (options.command !== 'map') {
    const fix = `lbprobe ${options.command} --replay ${path}`
    return wrong(`${flag} ${path}: a recording of ${options.command}`, fix)
  }
  const unit = units.at(-1)
  if (unit === undefined) return wrong(`${flag} ${path}: nothing was asked yet`, 'map it anew')
  const { name, type, servers, trust, limit = 0 } = unit
  const seen = units.flatMap(({ observations }) => observations)
  return { recording, options, name, type, servers, limit, seen, trust }
}

/** Why what is asked for is not what was recorded; absent: it is. */
export function otherThan(
  was: RecordedMap,
  now: MapOptions,
  space: readonly Span[],
): Wrong | undefined {
  const { options, name, type } = was
  const path = now.resume ?? ''
  if (name !== now.name || type !== now.type || options.samples !== now.samples) {
    const of = `${printable(name)} ${printable(type)} --samples ${options.samples}`
    return wrong(`--resume ${path}: the recording of another map`, `it is of ${of}`)
  }
  if (now.seed !== undefined && now.seed !== options.seed) {
    return wrong(`--resume ${path}: recorded with --seed ${options.seed}`, 'leave out --seed')
  }
  if (space.map(spanText).join() === options.space.join()) return undefined
  const part = options.space.length === 1 ? options.space[0] : `${options.space.length} prefixes`
  return wrong(
    `--resume ${path}: the recording of ${part}`,
    'name the same --within or --announced',
  )
}

/** Those of the servers that the recording is of, in its order. */
export function serversOf(
  { servers }: RecordedMap,
  found: readonly Server[],
): readonly Server[] | Wrong {
  const own = servers.flatMap(text => found.find(server => serverText(server) === text) ?? [])
  const [first = 'no server'] = servers
  if (own.length > 0) return own
  return wrong(`--resume: the recording is of ${first}`, `ask @${first}`)
}

/** Prefixes as they stand in a recording. */
export function spansFrom(texts: readonly string[]): readonly Span[] | Wrong {
  const spans: Span[] = []
  for (const text of texts) {
    const subnet = readSubnet(text, 'any')
    if (isWrong(subnet)) return subnet
    spans.push(spanOf(subnet.family, subnet.octets, subnet.source))
  }
  return spans
}

/** How a map ended, as its recording says. */
export function endingOf(
  { stop, server, asked }: Swept,
  { name, queries, deadlineMs = 0 }: Pick<MapOptions, 'name' | 'queries' | 'deadlineMs'>,
): Partial | undefined {
  if (stop === 'deadline') return { reason: 'deadline', seconds: deadlineMs / 1000 }
  if (stop === 'budget') return { reason: 'budget', queries, name }
  if (stop === 'refused') return { reason: 'refused', server, replies: asked }
  return stop === 'interrupted' ? { reason: 'interrupted' } : undefined
}
