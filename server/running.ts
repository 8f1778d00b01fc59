/**
 * The running server: the threads that serve, what is beside them, and what reloads and operators do to
 * both. A reload is all or nothing: whatever is wrong is told and the old World keeps serving.
 */
import { audit } from './audit.ts'
import { Changeover, type Next } from './changeover.ts'
import { problemAt, wrong } from './fault.ts'
import { log, warn } from './log.ts'
import { Measured } from './measured.ts'
import { isAhead, LEAVING, loadNext, type Reloaded, refused } from './next.ts'
import { Events } from './ops/events.ts'
import { Plane } from './plane.ts'
import { challengesOf } from './proofs.ts'
import { type House, obeying } from './requests.ts'
import type { Footing, Served } from './served.ts'
import { addresses, open, openFirst, type Start, warnOfUser } from './sockets.ts'
import { readState, StateFile } from './state.ts'
import { statusOf } from './states.ts'
import { sweep } from './sweep.ts'
import { moment } from './tell/control/overrides.ts'
import type { Happening } from './tell/control/told.ts'
import { counted } from './tell/figures.ts'
import { statusText } from './tell/summary.ts'
import { Threads } from './threads.ts'
import { close, type Listening } from './transport/listen.ts'

/** How long TCP clients get to read their last replies. */
const DRAIN_MS = 5_000

export class Running {
  readonly #start: Start
  readonly #threads: Threads
  readonly #measured: Measured
  readonly #changeover: Changeover
  readonly #state: StateFile
  readonly #plane: Plane
  readonly #events = new Events(Date.now)
  readonly #started = Date.now()
  #loaded = this.#started
  /** What is open, once it is: whoever closes it waits for that first. */
  #listening: Promise<Listening>
  #places: readonly string[] = []
  /** What is done last of all that was asked for. */
  #last: Promise<unknown> = Promise.resolve()
  /** A reload that is asked for, and has not begun. */
  #due: Promise<Reloaded | undefined> | undefined
  /** The planned change that is waited for. */
  #awaited: Next | undefined
  #isLeaving = false
  readonly #reloads = { done: 0, refused: 0 }

  constructor(start: Start, served: Served) {
    this.#start = start
    this.#threads = new Threads(start, served)
    this.#events.subscribe(audit)
    const { counters, crew, desk, doors, queryLog } = this.#threads
    const told = () => ({ ...this.#plane.told(), queryLog: queryLog.counts })
    const { version } = start.machine
    const parts = { version, counters, crew, desk, tcp: doors.tcpCounts, told }
    this.#measured = new Measured(parts, served)
    const { path, maxAge } = served.config.state
    const found = readState(path, maxAge)
    found.warnings.forEach(warn)
    const past = {
      health: { kept: found.health, goneMs: found.goneMs },
      overrides: found.overrides,
    }
    const tell = (happening: Happening) => this.#tell(happening)
    // Whoever started us may do more than whoever serves: nothing is tried before that one does.
    const settled = () => this.#listening
    this.#changeover = new Changeover(desk, served, { settled, tell, warn }, past)
    this.#state = new StateFile(path, () => this.#changeover.kept(), warn)
    this.#plane = new Plane(obeying(this.#house()), this.#events)
    this.#listening = this.#openFirst(served.config)
  }

  /** Threads that serve UDP. */
  get workers(): number {
    return this.#threads.crew.workers
  }

  /**
   * Where it listens, as text, once operators can ask it as well. Where it cannot, it leaves, and
   * rejects with the `Fault`.
   */
  async places(footing: Footing): Promise<readonly string[]> {
    try {
      this.#places = addresses(await this.#listening)
      await this.#showProofs()
      await this.#plane.follow(footing)
      return this.#places
    } catch (cause) {
      this.#changeover.stop()
      await this.#threads.crew.leave()
      throw cause
    }
  }

  /** Resolves when all that serve have answered. */
  answer(): Promise<void> {
    return this.#threads.crew.answer()
  }

  /** What operators may ask for. */
  #house(): House {
    return {
      desk: this.#threads.desk,
      changeover: this.#changeover,
      status: () => statusOf(this.#facts()),
      reload: async () => (await this.reload()) ?? LEAVING,
      settle: async () => {
        await this.#showProofs()
        return this.#state.keep()
      },
    }
  }

  /** Asked again before it ran, it runs once; asked while it runs, once more. */
  reload(): Promise<Reloaded | undefined> {
    this.#due ??= this.#inTurn(() => {
      this.#due = undefined
      return this.#start.manager.reloading(() => this.#load())
    })
    return this.#due
  }

  async leave(): Promise<void> {
    this.#isLeaving = true
    this.#start.manager.leaving()
    this.#measured.drain()
    await this.#plane.close()
    await this.#state.stop()
    this.#changeover.stop()
    log.info('draining')
    await close(await this.#listening, DRAIN_MS)
    await this.#threads.leave()
    await this.#measured.close()
  }

  /** Swept is when the work is over: until then its frames keep the World that was left, or refused. */
  #inTurn(work: () => Promise<Reloaded | undefined>): Promise<Reloaded | undefined> {
    const came = this.#last.then(work).catch(cause => refused(this.#start, cause))
    this.#last = came.then(told => {
      if (told !== undefined) this.#note(told)
      sweep()
    })
    return came
  }

  #note(told: Reloaded): void {
    if (told.kind === 'refused') {
      this.#reloads.refused += 1
      this.#measured.refused()
      this.#tell({ kind: 'reload refused', problems: told.problems })
      return
    }
    if (told.kind === 'reloaded') this.#reloads.done += 1
    this.#tell(told)
  }

  async #load(): Promise<Reloaded | undefined> {
    const next = await loadNext(this.#start, this.#threads.desk.world.steering)
    if ('kind' in next || this.#isLeaving) return 'kind' in next ? next : undefined
    const { config, world } = next.served
    const { activateAt } = config
    this.#awaited = undefined
    if (activateAt === undefined || !isAhead(config)) return this.#change(next, 'unplanned')
    this.#awaited = next
    this.#changeover.plan(next, activateAt.ms, () => this.#inTurn(() => this.#activate(next)))
    return { kind: 'planned', digest: world.digest, at: moment(activateAt.ms) }
  }

  /** Another reload may have taken the place of the plan. */
  async #activate(next: Next): Promise<Reloaded | undefined> {
    if (this.#awaited !== next || this.#isLeaving) return undefined
    return this.#change(next, 'planned')
  }

  /** Not in the constructor: what is closed over there is kept as long as the server is. */
  #openFirst(config: Footing): Promise<Listening> {
    return this.#measured.moving(config, () => openFirst(config, this.#start, this.#threads.doors))
  }

  async #change(next: Next, planned: 'planned' | 'unplanned'): Promise<Reloaded> {
    const { config, world } = next.served
    const old = await this.#listening
    const work = () => open(old, config, this.#start, this.#threads.doors)
    const opening = this.#measured.moving(config, work)
    this.#listening = opening.catch(() => old)
    this.#places = addresses(await opening)
    this.#changeover.change(next, planned)
    this.#awaited = undefined
    this.#loaded = Date.now()
    this.#measured.follow(next.served)
    this.#state.follow(config.state.path)
    await this.#threads.follow(next.served)
    await this.#plane.follow(config)
    this.#warnOfWorkers(config)
    warnOfUser(this.#start, config)
    this.#start.manager.status(statusText(world, this.#places))
    return { kind: 'reloaded', digest: world.digest, listening: this.#places }
  }

  #tell(happening: Happening): void {
    this.#events.tell(happening)
    if (happening.kind === 'verdict') {
      this.#measured.flipped(happening)
      this.#state.touch()
    } else if (happening.kind === 'override') {
      this.#state.touch()
      if (happening.override.override.kind !== 'challenge') return
      this.#showProofs().catch(cause => log.error({ err: cause }, 'a proof is not shown'))
    }
  }

  /** Resolves when every desk answers with the proofs that are set now. */
  #showProofs(): Promise<void> {
    return this.#threads.show(challengesOf(this.#changeover.overrides.all, Date.now()))
  }

  #facts(): Parameters<typeof statusOf>[0] {
    const { engine, file, machine } = this.#start
    const { crew, desk } = this.#threads
    return {
      ...{ version: machine.version, config: file, started: this.#started, loaded: this.#loaded },
      ...{ world: desk.world, changeover: this.#changeover, planned: this.#awaited },
      ...{ listening: this.#places, engine: engine.name, workers: crew.workers },
      ...{ restarts: crew.told().restarts, reloads: { ...this.#reloads } },
    }
  }

  #warnOfWorkers({ workers }: Footing): void {
    if (workers === undefined || this.#start.engine.name === 'dgram') return
    if (workers.count === this.workers) return
    const what = `lbdns goes on with ${counted(this.workers, 'worker')}`
    warn(problemAt(workers.at, wrong(what, 'restart it to have another number')))
  }
}
