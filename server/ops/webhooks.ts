/**
 * All webhooks: which there are, as the configuration says, and what they have in common: the files
 * of their secrets, and how much is tried again. A server without any loads no library for them.
 */
import type { Hook } from '../config/config.ts'
import { type At, isWrong, type Problem, problemAt, type Wrong, wrong } from '../fault.ts'
import type { Event } from '../tell/control/told.ts'
import type { Clock } from './clock.ts'
import type { Events } from './events.ts'
import type { Post } from './post.ts'
import { type Budget, newBudget } from './retry.ts'
import { readSecret } from './secret.ts'
import { type Address, type HookCounts, type Means, Webhook } from './webhook.ts'

/** How long what is still to be posted has, when nothing more is told. */
const LAST_MS = 1_000
/** Characters. */
const SHORTEST_SECRET = 16

const NONE: HookCounts = { sent: 0, failed: 0, dropped: 0, retried: 0, waiting: 0 }

/** What webhooks are told from, and by which clock and chance they are. */
export type Telling = {
  readonly events: Events
  readonly clock: Clock
  /** Draws from 0 … 1, without 1. */
  readonly chance: () => number
  readonly warn: (warning: Problem) => void
}

const postLazily: Post = async (parcel, signal) => {
  const { post } = await import('./post.ts')
  return post(parcel, signal)
}

export class Webhooks {
  readonly #means: Means
  readonly #budget: Budget
  readonly #unsubscribe: () => void
  #hooks: ReadonlyMap<string, Webhook> = new Map()
  /** Those that have a moment left, and what those did that are gone. */
  readonly #leaving = new Set<Webhook>()
  #past = NONE

  constructor({ events, clock, chance, warn }: Telling, post = postLazily) {
    const nameOf = (event: Event) => events.nameOf(event)
    this.#means = { post, clock, chance, warn, nameOf }
    this.#budget = newBudget(clock.now())
    this.#unsubscribe = events.subscribe(event => {
      for (const hook of this.#hooks.values()) hook.tell(event)
    })
  }

  /** Of all webhooks together, those included that are gone. */
  get counts(): HookCounts {
    const hooks = [...this.#hooks.values(), ...this.#leaving]
    return hooks.reduce((sum, { counts }) => added(sum, counts), this.#past)
  }

  /**
   * Posts to these from now on, with the secrets that are in their files now. What waits for one that
   * is still there goes on waiting; one whose secrets cannot be read is left out.
   *
   * @param hooks with the paths of their files from where the process runs
   */
  follow(hooks: readonly Hook[]): void {
    const before = this.#hooks
    const after = new Map<string, Webhook>()
    for (const hook of hooks) {
      const address = this.#addressOf(hook)
      if (address === undefined) continue
      const kept = before.get(hook.url)
      kept?.follow(address)
      after.set(hook.url, kept ?? new Webhook(address, this.#budget, this.#means))
    }
    this.#hooks = after
    for (const [url, gone] of before) if (!after.has(url)) void this.#leave(gone)
  }

  /** Waits a moment for what is still to be posted. Nothing is told any more. */
  async close(): Promise<void> {
    this.#unsubscribe()
    const hooks = [...this.#hooks.values()]
    this.#hooks = new Map()
    await Promise.all(hooks.map(hook => this.#leave(hook)))
  }

  async #leave(hook: Webhook): Promise<void> {
    this.#leaving.add(hook)
    await hook.close(LAST_MS)
    this.#leaving.delete(hook)
    this.#past = added(this.#past, hook.counts)
  }

  /** `undefined` where a secret cannot be read: that has been said. */
  #addressOf({ at, kinds, secretFile, tokenFile, url }: Hook): Address | undefined {
    const token = this.#secretIn(tokenFile, at, flawOfToken)
    const secret = this.#secretIn(secretFile, at, flawOfSecret)
    return isWrong(token) || isWrong(secret) ? undefined : { url, token, secret, kinds, at }
  }

  #secretIn(
    file: Hook['tokenFile'],
    at: At,
    flawOf: (secret: string) => Wrong | undefined,
  ): string | undefined | Wrong {
    if (file === undefined) return undefined
    const text = readSecret(file.path)
    const secret = isWrong(text) ? text : text.trim()
    const flaw = isWrong(secret) ? secret : flawOf(secret)
    if (flaw === undefined) return secret
    const { fix = 'mend it, and reload' } = flaw
    const what = `${file.path} ${flaw.wrong}: nothing is posted to this webhook`
    this.#means.warn(problemAt(at, wrong(what, fix)))
    return flaw
  }
}

function flawOfToken(token: string): Wrong | undefined {
  return /^[!-~]+$/.test(token) ? undefined : wrong('holds no token: one word of plain ASCII')
}

function flawOfSecret(secret: string): Wrong | undefined {
  if (secret.length >= SHORTEST_SECRET) return undefined
  return wrong(
    `holds a secret shorter than ${SHORTEST_SECRET} characters`,
    'make one: openssl rand -hex 32',
  )
}

function added(a: HookCounts, b: HookCounts): HookCounts {
  return {
    sent: a.sent + b.sent,
    failed: a.failed + b.failed,
    dropped: a.dropped + b.dropped,
    retried: a.retried + b.retried,
    waiting: a.waiting + b.waiting,
  }
}
