/**
 * The passes of `watch`: each name and type is asked once for every client subnet, of the first of its
 * name servers that answers. Knows neither screen nor keys.
 */

import { type Asker, asker } from './ask/ask.ts'
import type { Server } from './ask/server.ts'
import { leadsTo, MOST_LINKS } from './judge/follow.ts'
import type { Observation } from './judge/observation.ts'
import { answered, ledger, putAll, type Run } from './ledger.ts'
import type { Options } from './options.ts'
import { type Chance, chanceFrom, shuffled } from './plan/chance.ts'
import type { Question, Subnet } from './plan/question.ts'
import type { Subject } from './plan/rounds.ts'
import { isWrong, type Wrong } from './plan/wrong.ts'
import { type Targets, targetsFor } from './targets.ts'
import type { World } from './world.ts'

/** Whom to ask about a name, and under which name: its alias leads there. */
export type Watched = {
  readonly subject: Subject
  readonly asked: string
  readonly servers: readonly Server[]
  readonly alias: 'may-lead-away' | 'followed'
  readonly links: number
}

export type Watcher = {
  readonly options: Options
  readonly world: World
  readonly panel: readonly Subnet[]
  readonly seed: number
  readonly asker: Asker
  readonly chance: Chance
  readonly signal: AbortSignal
}

export function watcher(
  options: Options,
  world: World,
  panel: readonly Subnet[],
  signal: AbortSignal,
): Watcher {
  const seed = options.seed ?? world.seed()
  const chance = chanceFrom(seed)
  const { tries, timeoutMs, size } = options
  const made = asker(world.wire, chance, { tries, timeoutMs, size })
  return { options, world, panel, seed, asker: made, chance, signal }
}

export async function watchedOf(who: Watcher, subject: Subject): Promise<Watched | Wrong> {
  return watchedAs(who, subject, subject.name, MOST_LINKS)
}

async function watchedAs(
  { options, world }: Watcher,
  subject: Subject,
  asked: string,
  links: number,
): Promise<Watched | Wrong> {
  const targets = await targetsFor(asked, options, world, 'one')
  if (isWrong(targets)) return targets
  if (targets.warning !== undefined) world.err.write(`lbprobe: warning: ${targets.warning}\n`)
  return { subject, asked, servers: targets.lists.flat(), alias: aliasOf(targets), links }
}

/** A resolver follows aliases itself. */
function aliasOf({ who }: Targets): Watched['alias'] {
  return who === 'authorities' ? 'may-lead-away' : 'followed'
}

export type Passed = {
  /** As it is to be asked from now on. */
  readonly watched: Watched
  readonly observations: readonly Observation[]
}

/** One pass: every subnet once, in an order of its own; of the next server where one is silent. */
export async function passOf(who: Watcher, watched: Watched): Promise<Passed> {
  const { subject, asked, servers } = watched
  for (const [at, server] of servers.entries()) {
    const book = ledger(runOf(who))
    await putAll(book, questionsOf(who, watched), server)
    const isLast = at === servers.length - 1 || who.signal.aborted
    if (!answered(book) && !isLast) continue
    const seen = book.seen.filter(({ purpose }) => purpose === 'sample')
    const led = await ledAway(who, watched, seen)
    if (led !== undefined) return passOf(who, led)
    const observations = seen.map(one => ({ ...one, name: subject.name }))
    const first = answered(book) ? [...servers.slice(at), ...servers.slice(0, at)] : servers
    return { watched: { ...watched, asked, servers: first }, observations }
  }
  return { watched, observations: [] }
}

function questionsOf(who: Watcher, { subject, asked }: Watched): readonly Question[] {
  const questions = who.panel.map(
    (subnet): Question => ({
      name: asked,
      type: subject.type,
      subnet,
      round: 1,
      purpose: 'sample',
    }),
  )
  return shuffled(who.chance, questions)
}

/** Where an alias leads out of the zone for everybody, its target is watched at its own servers. */
async function ledAway(
  who: Watcher,
  watched: Watched,
  seen: readonly Observation[],
): Promise<Watched | undefined> {
  if (watched.alias === 'followed' || watched.links === 0) return undefined
  const target = leadsTo(seen)
  if (target === undefined) return undefined
  const led = await watchedAs(who, watched.subject, target, watched.links - 1)
  return isWrong(led) ? undefined : led
}

function runOf({ asker, chance, options, world, signal }: Watcher): Run {
  return {
    asker,
    chance,
    budget: { queries: Number.POSITIVE_INFINITY, rate: options.rate },
    width: world.width,
    intervalMs: 0,
    signal,
    progress: () => undefined,
  }
}
