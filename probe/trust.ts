/**
 * May what comes through a resolver be believed? Before `ecs` measures through one, canaries are sent
 * through it, once for each resolver of a run. Authorities and, unless the user names a zone, resolvers
 * on this machine are not tried.
 */

import { type Server, serverText } from './ask/server.ts'
import { calibrate, PUBLIC_MIRRORS } from './calibrate.ts'
import type { Calibration } from './judge/calibrate.ts'
import type { Trust } from './judge/trust.ts'
import { ledger, put, type Run } from './ledger.ts'
import type { CalibrateOptions } from './options/calibrate.ts'
import { isLoopback } from './plan/budget.ts'
import type { Subnet } from './plan/question.ts'
import type { Subject } from './plan/rounds.ts'
import { resolverSentence } from './tell/resolver-words.ts'

/** What is known of servers so far: a calibration, or that it is no resolver. */
export type Trusted = Map<string, Calibration | 'no-resolver'>

/**
 * @param run      asks at its own budget, apart from the measurement's
 * @param networks gives ordinary networks of different places
 * @returns what the judge may assume of the path; nothing where no resolver was tried
 */
export async function trustIn(
  known: Trusted,
  run: Run,
  subject: Subject,
  servers: readonly Server[],
  { calibration }: CalibrateOptions,
  networks: () => Promise<readonly Subnet[]>,
): Promise<Trust | undefined> {
  if (calibration.kind === 'off') return undefined
  const tried = servers.filter(
    ({ address, recursion }) =>
      recursion === 'desired' && (calibration.kind === 'zone' || !isLoopback(address)),
  )
  const zones = calibration.kind === 'zone' ? [calibration.zone] : PUBLIC_MIRRORS
  const found: Calibration[] = []
  for (const server of tried) {
    const key = serverText(server)
    const one = known.get(key) ?? (await calibrated(run, subject, server, zones, networks))
    known.set(key, one)
    if (one !== 'no-resolver') found.push(one)
  }
  return trustOf(found)
}

async function calibrated(
  run: Run,
  subject: Subject,
  server: Server,
  zones: readonly string[],
  networks: () => Promise<readonly Subnet[]>,
): Promise<Calibration | 'no-resolver'> {
  if (!(await isResolver(run, subject, server))) return 'no-resolver'
  const wish = { zones, networks: await networks(), extent: 'short', length: 'usual' } as const
  return (await calibrate(run, server, wish)).calibration
}

/** One question without the option: recursion on offer, and no authority of its own. */
async function isResolver(run: Run, subject: Subject, server: Server): Promise<boolean> {
  const book = ledger(run)
  await put(book, { ...subject, subnet: undefined, round: 0, purpose: 'control' }, server)
  return book.seen.some(({ error, flags }) => error === undefined && flags.ra && !flags.aa)
}

/** The worst of several: one that alters is enough to spoil a measurement. */
function trustOf(found: readonly Calibration[]): Trust | undefined {
  const order = ['altered', undefined, 'intact'] as const
  const worst = order.flatMap(path => found.find(one => one.path === path) ?? [])[0]
  if (worst === undefined) return undefined
  return { path: worst.path, server: worst.server, reason: reasonOf(worst) }
}

function reasonOf(one: Calibration): string {
  if (one.verdict === 'unknown' || one.path !== undefined) return resolverSentence(one)
  return `${resolverSentence(one)}; whether it shows scopes cannot be told from ${one.zone}`
}
