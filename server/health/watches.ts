/**
 * All watches, by key, and the one timer that starts their tries, and that notices where a push does
 * not come. A try that never ends counts as failed after its timeout and a grace. Time in which this
 * process was held up counts for none: what was due then comes as much later, and not all at once.
 */
import type { Check } from '../steer/trial.ts'
import {
  type Beat,
  EXPIRED,
  expire,
  expiryOf,
  hearBeat,
  isLate,
  isPushed,
  lookAt,
  pushedAt,
} from './beat.ts'
import type { Clock } from './clock.ts'
import { type Kept, keptOf, recalled } from './kept.ts'
import { firstDue, newDue, nextDue, nextPhase, type Phase } from './pace.ts'
import { enter, leave } from './soonest.ts'
import type { Outcome } from './try.ts'
import { failed } from './try-told.ts'
import { begin, hear, type Try, type Verdict, verdictOf, type Wanted, type Watch } from './watch.ts'

/** How long after its timeout a try may still tell what came of it. */
const GRACE_MS = 1000
/**
 * What is due within the same span of this begins together, at its end: to wake for each of a thousand
 * tries alone costs more than twice what it takes to make them, as every cache is cold.
 */
const TOGETHER_MS = 50
/** How late the timer may be before the process was held up. */
const HELD_UP_MS = 500

/** What was known before a restart, and how long ago it was kept. */
export type Before = { readonly kept: ReadonlyMap<string, Kept>; readonly goneMs: number }

const NOTHING: Before = { kept: new Map(), goneMs: 0 }

/** For whom a push is: the targets checked at a place, by every check or one. */
export type Pushed = { readonly place: string; readonly check?: string | undefined }

/** What a watch waits for: its next try, the end of the one under way, or a push. */
type Entry = { readonly at: number; readonly watch: Watch; readonly turn: number }

export type Standing = { readonly watch: Readonly<Watch>; readonly verdict: Verdict }

export class Watches {
  readonly #try: Try
  readonly #clock: Clock
  readonly #onChange: (key: string) => void
  readonly #watches = new Map<string, Watch>()
  /** Those that are pushed, by place. */
  #pushed: ReadonlyMap<string, readonly Watch[]> = new Map()
  readonly #before: Before
  #phase: Phase
  /** A heap. An entry whose watch has had another turn is void. */
  #entries: Entry[] = []
  #wake: { readonly at: number; readonly cancel: () => void } | undefined
  /** Milliseconds for which this process was held up, in all. */
  #held = 0

  /**
   * @param chance   draws from 0 … 1, without 1
   * @param before   what was known before a restart
   * @param onChange hears the key of each watch after each of its tries and pushes, and where no push
   *   comes: what is known of it may be new
   */
  constructor(
    try_: Try,
    clock: Clock,
    chance: () => number,
    onChange: (key: string) => void,
    before: Before = NOTHING,
  ) {
    this.#try = try_
    this.#before = before
    this.#clock = clock
    this.#phase = chance()
    this.#onChange = onChange
  }

  /**
   * Watches these from now on. Those that were watched keep history and phase, others begin, and of
   * those not named any more nothing is heard, also not of their tries under way. The first of equal
   * keys counts.
   */
  follow(wanted: readonly Wanted[]): void {
    const before = new Map(this.#watches)
    this.#watches.clear()
    for (const one of wanted) {
      if (this.#watches.has(one.key)) continue
      this.#watches.set(one.key, this.#kept(before.get(one.key), one) ?? this.#begun(one))
    }
    for (const [key, gone] of before) if (!this.#watches.has(key)) gone.turn += 1
    this.#pushed = pushedAt(this.#watches.values())
    this.#entries = this.#entries.filter(isValid).sort((a, b) => a.at - b.at)
    this.#startNew([...this.#watches.values()].filter(({ turn }) => turn === 0))
    this.#arm()
  }

  /** Takes a push. Returns the keys of the watches it was for: none where nothing is pushed there. */
  pushed({ check, place }: Pushed, beat: Beat): readonly string[] {
    const now = this.#now()
    const meant = (this.#pushed.get(place) ?? []).filter(
      one => check === undefined || one.check.name === check,
    )
    for (const watch of meant) {
      const isWaiting = watch.due !== EXPIRED
      hearBeat(watch, beat, now, this.#clock.date())
      if (!isWaiting) this.#enter(watch, lookAt(watch, now))
    }
    this.#arm()
    for (const { key } of meant) this.#onChange(key)
    return meant.map(({ key }) => key)
  }

  verdict(key: string): Verdict | undefined {
    const watch = this.#watches.get(key)
    return watch === undefined ? undefined : verdictOf(watch, this.#now())
  }

  /** All of them, as they stand. */
  all(): readonly Standing[] {
    const now = this.#now()
    return [...this.#watches.values()].map(watch => ({ watch, verdict: verdictOf(watch, now) }))
  }

  /** What is known, for after a restart; of watches of which nothing is known, nothing. */
  kept(): ReadonlyMap<string, Kept> {
    const now = this.#now()
    const known = [...this.#watches.values()].filter(one => one.isRecalled || one.tally.isProven)
    return new Map(known.map(({ key, since, tally }) => [key, keptOf(tally, since, now)]))
  }

  stop(): void {
    this.follow([])
  }

  #begun(wanted: Wanted): Watch {
    this.#phase = nextPhase(this.#phase)
    const { kept, goneMs } = this.#before
    const known = kept.get(wanted.key)
    const tally = known && recalled(known, this.#now(), goneMs)
    return begin(wanted, this.#phase, known?.since ?? this.#clock.date(), tally)
  }

  /** What was watched already. Its check may have other numbers now. */
  #kept(watch: Watch | undefined, { check }: Wanted): Watch | undefined {
    if (watch === undefined) return undefined
    const { every, fastEvery } = watch.check
    watch.check = check
    const isSameRhythm = check.every === every && check.fastEvery === fastEvery
    if (watch.isTrying || isSameRhythm || watch.due === EXPIRED) return watch
    const now = this.#now()
    watch.due = isPushed(check)
      ? watch.due + 1000 * (check.every - every)
      : newDue(watch.due, now, watch.phase, check, watch.tally)
    this.#enter(watch, turnAt(watch, now))
    return watch
  }

  #startNew(newcomers: readonly Watch[]): void {
    const now = this.#now()
    const tried = newcomers.filter(({ check }) => !isPushed(check)).length
    for (const watch of newcomers) {
      const { check, phase } = watch
      watch.due = isPushed(check) ? expiryOf(check, now) : firstDue(now, phase, check, tried)
      this.#enter(watch, turnAt(watch, now))
    }
  }

  /**
   * Time that this process was not held up. Whoever asks first afterwards notices: what was planned is
   * long past, and that may be heard of a try before the timer calls.
   */
  #now(): number {
    const time = this.#clock.now()
    const late = this.#wake === undefined ? 0 : time - this.#held - this.#wake.at
    if (late > HELD_UP_MS) this.#held += late
    return time - this.#held
  }

  /** Lets a watch wait until then, and for nothing else. */
  #enter(watch: Watch, at: number): void {
    watch.turn += 1
    enter(this.#entries, { at, watch, turn: watch.turn })
  }

  /** Sets the timer to what comes soonest. */
  #arm(): void {
    while (this.#entries[0] !== undefined && !isValid(this.#entries[0])) leave(this.#entries)
    const first = this.#entries[0]?.at
    const at = first === undefined ? undefined : TOGETHER_MS * Math.ceil(first / TOGETHER_MS)
    if (at === this.#wake?.at) return
    this.#wake?.cancel()
    this.#wake = undefined
    if (at === undefined) return
    const cancel = this.#clock.wait(Math.max(0, at - this.#now()), () => this.#tick())
    this.#wake = { at, cancel }
  }

  #tick(): void {
    const now = this.#now()
    this.#wake = undefined
    while (this.#entries[0] !== undefined && this.#entries[0].at <= now) {
      const entry = leave(this.#entries)!
      if (isValid(entry)) this.#turnTo(entry.watch)
    }
    this.#arm()
  }

  #turnTo(watch: Watch): void {
    const seconds = watch.check.timeout + GRACE_MS / 1000
    if (isPushed(watch.check)) this.#look(watch)
    else if (!watch.isTrying) this.#start(watch)
    else this.#hear(watch, lost(`no outcome within ${seconds} s`, watch.check))
  }

  /** Looks whether pushes still come. */
  #look(watch: Watch): void {
    const now = this.#now()
    const isNews = isLate(watch, now)
    if (now >= watch.due) expire(watch, now, this.#clock.date())
    else this.#enter(watch, lookAt(watch, now))
    if (isNews) this.#onChange(watch.key)
  }

  #start(watch: Watch): void {
    watch.isTrying = true
    watch.lastTry = this.#clock.date()
    this.#enter(watch, this.#now() + 1000 * watch.check.timeout + GRACE_MS)
    const { turn } = watch
    void outcomeOf(this.#try, watch).then(outcome => {
      if (watch.turn === turn) this.#hear(watch, outcome)
    })
  }

  #hear(watch: Watch, outcome: Outcome): void {
    const now = this.#now()
    hear(watch, outcome, now, this.#clock.date())
    watch.isTrying = false
    watch.due = Math.max(now, nextDue(watch.due, watch.phase, watch.check, watch.tally))
    this.#enter(watch, watch.due)
    this.#arm()
    this.#onChange(watch.key)
  }
}

/** When its turn comes: it is due, or looked at. */
function turnAt(watch: Watch, now: number): number {
  return isPushed(watch.check) ? lookAt(watch, now) : watch.due
}

function isValid({ watch, turn }: Entry): boolean {
  return watch.turn === turn
}

/** What came of a try, also of one that breaks its word and throws. */
async function outcomeOf(try_: Try, { check, place }: Watch): Promise<Outcome> {
  try {
    return await try_(check.trial, place, 1000 * check.timeout)
  } catch (cause) {
    return lost(cause instanceof Error ? cause.message : String(cause), check)
  }
}

/** In the place of what a try should have told. */
function lost(why: string, { timeout }: Check): Outcome {
  return { ...failed(why), ms: 1000 * timeout }
}
