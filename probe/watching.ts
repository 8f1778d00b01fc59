/**
 * The passes of `watch`: each name and type is asked once for every client subnet, of the first of its
 * name servers that answers. Knows neither screen nor keys.
 */

import { type Asker, asker } from './ask/ask.ts'
import type { Server } from './ask/server.ts'
import { leadsTo, MOST_LINKS } from './judge/follow.ts'
import type { Observation } from './judge/observation.ts'
import type { Trust } from './judge/trust.ts'
import { answered, type Ledger, ledger, putAll, type Run } from './ledger.ts'
import type { Options } from './options.ts'
import { ordinaryNetworks } from './panel.ts'
import { type Chance, chanceFrom, shuffled } from './plan/chance.ts'
import type { Question, Subnet } from './plan/question.ts'
import type { Subject } from './plan/rounds.ts'
import { isWrong, type Wrong, wrong } from './plan/wrong.ts'
import { instead, type Targets, targetsFor } from './targets.ts'
import { type Trusted, trustIn } from './trust.ts'
import type { World } from './world.ts'

/** Whom to ask about a name, and under which name: its alias leads there. */
export type Watched = {
  readonly subject: Subject
  readonly asked: string
  readonly servers: readonly Server[]
  readonly alias: 'may-lead-away' | 'followed'
  readonly links: number
  /** Whether a server answered yet; until then the system's resolver may take their place. */
  readonly heard: 'yes' | 'not-yet'
}

export type Watcher = {
  readonly options: Options
  readonly world: World
  readonly panel: readonly Subnet[]
  readonly seed: number
  readonly asker: Asker
  readonly chance: Chance
  readonly signal: AbortSignal
  /** Resolvers that were tried, once for all names. */
  readonly trusted: Trusted
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
  return { options, world, panel, seed, asker: made, chance, signal, trusted: new Map() }
}

/** Whom to ask from now on, and what the user should know of it. */
export type Found = { readonly watched: Watched; readonly warning: string | undefined }

export async function watchedOf(who: Watcher, subject: Subject): Promise<Found | Wrong> {
  return watchedAs(who, subject, subject.name, MOST_LINKS)
}

async function watchedAs(
  { options, world }: Watcher,
  subject: Subject,
  asked: string,
  links: number,
): Promise<Found | Wrong> {
  const targets = await targetsFor(asked, options, world, 'one')
  return isWrong(targets) ? targets : foundOf({ subject, asked, links }, targets)
}

function foundOf(about: Pick<Watched, 'subject' | 'asked' | 'links'>, targets: Targets): Found {
  const servers = targets.lists.flat()
  const watched: Watched = { ...about, servers, alias: aliasOf(targets), heard: 'not-yet' }
  return { watched, warning: targets.warning }
}

/** A resolver follows aliases itself. */
function aliasOf({ who }: Targets): Watched['alias'] {
  return who === 'authorities' ? 'may-lead-away' : 'followed'
}

export type Passed = Found & {
  readonly observations: readonly Observation[]
}

/**
 * One pass: every subnet once, in an order of its own; of the next server where one is silent.
 *
 * @param places inside blocks, asked among them
 */
export async function passOf(
  who: Watcher,
  watched: Watched,
  places: readonly Subnet[],
): Promise<Passed> {
  const { subject, servers } = watched
  for (const [at, server] of servers.entries()) {
    const book = ledger(runOf(who))
    await putAll(book, questionsOf(who, watched, places), server)
    const isLast = at === servers.length - 1 || who.signal.aborted
    if (!answered(book) && !isLast) continue
    const other = (await ledAway(who, watched, book)) ?? (await insteadOf(who, watched, book))
    if (other !== undefined) return passedWith(other, await passOf(who, other.watched, []))
    const observations = book.seen.map(one => ({ ...one, name: subject.name }))
    if (!answered(book)) return { watched, warning: undefined, observations }
    const first = [...servers.slice(at), ...servers.slice(0, at)]
    return {
      watched: { ...watched, servers: first, heard: 'yes' },
      warning: undefined,
      observations,
    }
  }
  return { watched, warning: undefined, observations: [] }
}

function passedWith({ warning }: Found, passed: Passed): Passed {
  return { ...passed, warning: passed.warning ?? warning }
}

/** As `ecs` does: where no name server ever answered, the system's resolver is asked. */
async function insteadOf(
  { options, world, signal }: Watcher,
  watched: Watched,
  book: Ledger,
): Promise<Found | undefined> {
  const { alias, heard, asked } = watched
  const mayNot = alias === 'followed' || heard === 'yes'
  if (mayNot || signal.aborted || answered(book)) return undefined
  const silent = wrong(`the name servers for ${asked} do not answer`)
  const targets = await instead(asked, options, world, silent)
  return isWrong(targets) ? undefined : foundOf(watched, targets)
}

function questionsOf(
  who: Watcher,
  { subject, asked }: Watched,
  places: readonly Subnet[],
): readonly Question[] {
  const question = (subnet: Subnet, purpose: Question['purpose']): Question => ({
    name: asked,
    type: subject.type,
    subnet,
    round: 1,
    purpose,
  })
  return shuffled(who.chance, [
    ...who.panel.map(subnet => question(subnet, 'sample')),
    ...places.map(subnet => question(subnet, 'scope')),
  ])
}

/** Where an alias leads out of the zone for everybody, its target is watched at its own servers. */
async function ledAway(
  who: Watcher,
  watched: Watched,
  { seen }: Ledger,
): Promise<Found | undefined> {
  if (watched.alias === 'followed' || watched.links === 0) return undefined
  const target = leadsTo(seen)
  if (target === undefined) return undefined
  const led = await watchedAs(who, watched.subject, target, watched.links - 1)
  return isWrong(led) ? undefined : led
}

/** As `ecs` does: a resolver is tried before it is believed. Asks of each but once. */
export async function trustFor(who: Watcher, watched: Watched): Promise<Trust | undefined> {
  const { asked, heard, servers, subject } = watched
  if (heard === 'not-yet' || who.signal.aborted) return undefined
  const about = { name: asked, type: subject.type }
  const networks = () => ordinaryNetworks(who.world)
  return trustIn(who.trusted, runOf(who), about, servers.slice(0, 1), who.options, networks)
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
