/**
 * `lbprobe watch`: passes at an interval, shown as they come, until a key, a condition or the time
 * ends it. What a pass means is in `judge/watch.ts`, how it looks in `tell/watch-screen.ts`.
 */

import { serverText } from '../ask/server.ts'
import { step } from '../judge/watch.ts'
import { samplesAPass, samplesToAsk } from '../judge/watch-samples.ts'
import { type Change, isChange, pauseMs } from '../judge/watch-state.ts'
import { isMet } from '../judge/watch-until.ts'
import type { Live } from '../live.ts'
import { WATCH_FORMATS } from '../options/formats.ts'
import { attempt } from '../options/read.ts'
import { type OwnWatchFlags, type WatchOptions, watchOptions } from '../options/watch.ts'
import { type Flags, type Options, readOptions } from '../options.ts'
import { pageFor } from '../page.ts'
import { panelFor } from '../panel.ts'
import { isWrong, type Wrong, wrongText } from '../plan/wrong.ts'
import { printable } from '../tell/number.ts'
import { COLOR } from '../tell/style.ts'
import { summaryJson } from '../tell/watch-json.ts'
import { onceText, summaryLines } from '../tell/watch-page.ts'
import { COLOR_WATCH, PLAIN_WATCH, type WatchStyle } from '../tell/watch-style.ts'
import { planText } from '../tell/watch-words.ts'
import { type Board, board, logged } from '../watch-board.ts'
import { inLines, onTerminal, type Viewer } from '../watch-view.ts'
import { passOf, trustFor, type Watched, type Watcher, watchedOf, watcher } from '../watching.ts'
import type { World } from '../world.ts'

export type WatchFlags = Omit<Flags, 'interval'> & OwnWatchFlags

const USAGE = 2
const NO_REPLY = 9
const INTERRUPTED = 130

/** Between two passes the board is looked at so often: keys set it, and clocks go on. */
const TICK_MS = 200

/** Everything that one use of the command holds. */
type Session = {
  readonly who: Watcher
  readonly wishes: WatchOptions
  readonly live: Live
  readonly on: Board
  readonly watched: Watched[]
  /** When each is asked again, by the clock of the wire. */
  readonly due: number[]
  readonly style: WatchStyle
}

export async function watchCommand(
  words: readonly string[],
  flags: WatchFlags,
  world: World,
): Promise<number> {
  const { interval: _, ...shared } = flags
  const options = readOptions(words, shared, [], WATCH_FORMATS)
  if (isWrong(options)) return refused(options, world)
  const wishes = attempt(() => watchOptions(flags))
  if (isWrong(wishes)) return refused(wishes, world)
  const stop = new AbortController()
  const session = await opened(options, wishes, world, stop.signal)
  if (isWrong(session)) return refused(session, world)
  if (wishes.passes === 'one') return once(session)
  tellPlan(session)
  return watched(session, stop)
}

function tellPlan({ watched, who, wishes }: Session): void {
  const { panel, world } = who
  for (const { subject, servers } of watched) {
    const [server] = servers.map(serverText)
    const samples = samplesAPass(panel.length)
    const line = planText(subject, panel.length, samples, wishes.everyMs, server ?? '-')
    world.err.write(`${line}\n`)
  }
}

async function opened(
  options: Options,
  wishes: WatchOptions,
  world: World,
  quit: AbortSignal,
): Promise<Session | Wrong> {
  const panel = await panelFor(options, world)
  if (isWrong(panel)) return panel
  const live = (await world.live?.()) ?? STILL
  const who = watcher(options, world, panel, AbortSignal.any([world.interrupt, quit]))
  const subjects = options.names.flatMap(name => options.types.map(type => ({ name, type })))
  const on = board(subjects, panel, who.seed, wishes.everyMs, live.now())
  const watched: Watched[] = []
  for (const subject of subjects) {
    const found = await watchedOf(who, subject)
    if (isWrong(found)) return found
    watched.push(found.watched)
    warn(on, found.warning)
  }
  const style = pageFor(options, world).style === COLOR ? COLOR_WATCH : PLAIN_WATCH
  const due = watched.map(() => Number.NEGATIVE_INFINITY)
  return { who, wishes, live, on, watched, due, style }
}

/** Of a world in which no time of day is told. */
const STILL: Live = { now: () => 0, terminal: () => undefined, onHangup: () => undefined }

/** Whether it was not known yet. */
function warn(on: Board, warning: string | undefined): boolean {
  if (warning === undefined || on.warnings.includes(warning)) return false
  on.warnings.push(warning)
  return true
}

/** One pass of each name and type, as a page. */
async function once(session: Session): Promise<number> {
  const { on, who, live } = session
  for (const at of on.states.keys()) await pass(session, at)
  for (const warning of on.warnings) who.world.err.write(`lbprobe: warning: ${warning}\n`)
  if (who.options.format === 'json') tellSummary(session)
  else {
    const { width } = pageFor(who.options, who.world)
    const pages = on.states.map(state => onceText(state, width, session.style, live.now()))
    who.world.out.write(pages.join('\n'))
  }
  if (who.world.interrupt.aborted) return INTERRUPTED
  return isHeard(on) ? 0 : NO_REPLY
}

async function watched(session: Session, stop: AbortController): Promise<number> {
  const { on, who, live, wishes } = session
  const viewer = viewerOf(session, () => stop.abort())
  let isFound = false
  live.onHangup(() => {
    on.ending = 'interrupted'
    stop.abort()
  })
  try {
    for (const warning of on.warnings) viewer.warn(warning)
    viewer.refresh()
    while (!isFound && !isOver(session)) {
      const due = who.world.wire.now() + wishes.everyMs
      const news = await round(session, viewer)
      const { until } = wishes
      isFound = until !== undefined && isMet(until, on.states, news, live.now())
      if (!isFound) await idle(session, viewer, due)
    }
  } finally {
    viewer.close()
  }
  tellSummary(session)
  return exitOf(session, isFound)
}

function viewerOf({ who, live, on, style }: Session, ended: () => void): Viewer {
  const { world, options } = who
  const json = options.format === 'json'
  const terminal = json || !world.out.isTerminal ? undefined : live.terminal()
  if (terminal === undefined) return inLines(world, json ? 'json' : 'person')
  return onTerminal(world, on, terminal, live, style, ended)
}

/** A pass of every name and type; what has changed. */
async function round(session: Session, viewer: Viewer): Promise<readonly Change[]> {
  const { on, who, wishes } = session
  const all: Change[] = []
  for (const at of on.states.keys()) {
    if (who.signal.aborted) break
    const began = who.world.wire.now()
    if (began < (session.due[at] ?? 0)) continue
    const known = on.warnings.length
    const changes = await pass(session, at)
    for (const warning of on.warnings.slice(known)) viewer.warn(warning)
    const state = on.states[at]
    const { everyMs } = wishes
    // a pass that comes a little early is that pass
    if (state !== undefined) session.due[at] = began + pauseMs(state, everyMs) - everyMs / 2
    const { name, type } = session.watched[at]?.subject ?? { name: '', type: '' }
    const news = changes.map(change => ({ name, type, change }))
    logged(on, news)
    viewer.tell(news)
    if (wishes.bell === 'rings' && changes.some(isChange)) viewer.ring()
    all.push(...changes)
  }
  return all
}

/** What was asked when the user ended it, or began anew, is not weighed. */
async function pass({ on, who, live, watched }: Session, at: number): Promise<readonly Change[]> {
  const before = on.states[at]
  const about = watched[at]
  if (before === undefined || about === undefined) return []
  const began = live.now()
  const passed = await passOf(who, about, samplesToAsk(before))
  watched[at] = passed.watched
  warn(on, passed.warning)
  const trust = await trustFor(who, passed.watched)
  if (trust !== undefined && trust.path !== 'intact') warn(on, `${trust.server} ${trust.reason}`)
  if (who.signal.aborted || on.states[at] !== before) return []
  const { state, changes } = step(
    { ...before, trust },
    { at: began, observations: passed.observations },
  )
  on.states[at] = state
  return changes
}

/** Waits for the next pass, or for as long as it is paused. */
async function idle(session: Session, viewer: Viewer, due: number): Promise<void> {
  const { on, who } = session
  const { wire } = who.world
  let shown = 0
  while (!isOver(session) && (on.pace === 'paused' || wire.now() < due)) {
    const left = on.pace === 'paused' ? TICK_MS : due - wire.now()
    await wire.sleep(Math.min(TICK_MS, Math.max(1, left)))
    const second = Math.floor(session.live.now() / 1000)
    if (second !== shown) viewer.refresh()
    shown = second
  }
}

function isOver({ on, who, live, wishes }: Session): boolean {
  if (who.world.interrupt.aborted || on.ending !== 'none') return true
  return wishes.forMs !== undefined && live.now() - on.began >= wishes.forMs
}

function tellSummary({ on, who, live, style }: Session): void {
  const { world, options } = who
  const now = live.now()
  if (options.format === 'json') {
    for (const state of on.states) {
      const mine = on.log.filter(({ name, type }) => name === state.name && type === state.type)
      world.out.write(summaryJson(state, now, mine.filter(({ change }) => isChange(change)).length))
    }
    return
  }
  const lines = summaryLines(on.states, on.log, now - on.began, style)
  world.out.write(lines.map(line => `${line}\n`).join(''))
}

function exitOf({ on, who, wishes }: Session, isFound: boolean): number {
  if (isFound) return 0
  if (who.world.interrupt.aborted || on.ending === 'interrupted') return INTERRUPTED
  if (wishes.until !== undefined) {
    who.world.err.write('lbprobe: it ended before --until was met\n')
    return 1
  }
  if (isHeard(on)) return 0
  who.world.err.write('lbprobe: no reply from any server\n')
  return NO_REPLY
}

function isHeard({ states }: Board): boolean {
  return states.some(({ rows }) => rows.some(({ letter }) => letter !== undefined))
}

function refused(reason: Wrong, world: World): number {
  world.err.write(`lbprobe: ${printable(wrongText(reason))}\n`)
  return USAGE
}
