/**
 * One resolver calibrated: canaries are sent through it to a zone that reflects client subnets, and
 * the judge says what it does with them. Which zone, and what leaves, is decided here.
 */

import { type Server, serverText } from './ask/server.ts'
import { type Calibration, judgeResolver } from './judge/calibrate.ts'
import { type CanarySeen, fateOf } from './judge/canary.ts'
import type { Observation } from './judge/observation.ts'
import { isEnded, type Ledger, ledger, put, type Run } from './ledger.ts'
import { type Canary, canaries, type Extent, freshLabel } from './plan/canary.ts'
import type { Subnet } from './plan/question.ts'

/** Public zones that reflect, in the order they are tried; neither takes names below it. */
export const PUBLIC_MIRRORS: readonly string[] = [
  'o-o.myaddr.l.google.com',
  'whoami.ds.akahelp.net',
]

export type CalibrationWish = {
  /** Zones to try, until one reflects. */
  readonly zones: readonly string[]
  readonly extent: Extent
  readonly length: 'usual' | 'any'
  /** Ordinary /24s of different places. */
  readonly networks: readonly Subnet[]
}

export type Calibrated = {
  readonly calibration: Calibration
  readonly seen: readonly Observation[]
}

export async function calibrate(
  run: Run,
  server: Server,
  wish: CalibrationWish,
): Promise<Calibrated> {
  const book = ledger(run)
  const met: CanarySeen[] = []
  const zone = await findMirror(book, server, wish, met)
  if (zone !== undefined) {
    for (const canary of canaries(wish.networks, wish.extent, wish.length, run.chance)) {
      if (isEnded(run) || book.sequence >= run.budget.queries) break
      met.push(...(await release(book, server, canary, zone)))
    }
  }
  const calibration = judgeResolver(serverText(server), zone?.name, met)
  return { calibration, seen: book.seen }
}

/** A zone that reflects, and whether it does so below its own name too. */
type Mirror = { readonly name: string; readonly names: 'fresh' | 'one' }

async function findMirror(
  book: Ledger,
  server: Server,
  { zones }: CalibrationWish,
  met: CanarySeen[],
): Promise<Mirror | undefined> {
  for (const name of zones) {
    const kinds = PUBLIC_MIRRORS.includes(name) ? (['one'] as const) : (['fresh', 'one'] as const)
    for (const names of kinds) {
      if (isEnded(book.run)) return undefined
      const mirror: Mirror = { name, names }
      const bare: Canary = { kind: 'bare', subnet: undefined, label: freshLabel(book.run.chance) }
      const [seen] = await release(book, server, bare, mirror)
      if (seen === undefined) continue
      const { fate } = fateOf(seen)
      const isMirror = fate === 'stripped' || fate === 'replaced'
      if (isMirror) met.push(seen)
      if (isMirror) return mirror
      if (fate === 'silent') break
    }
  }
  return undefined
}

/** Asks for one canary; its round is its number, by which its reply is known. */
async function release(
  book: Ledger,
  server: Server,
  { kind, subnet, label }: Canary,
  { name, names }: Mirror,
): Promise<readonly CanarySeen[]> {
  const round = book.sequence + 1
  const full = names === 'fresh' ? `${label}.${name}` : name
  await put(book, { name: full, type: 'TXT', subnet, round, purpose: 'sample' }, server)
  const found = book.seen.find(seen => seen.round === round && seen.purpose === 'sample')
  return found === undefined ? [] : [{ kind, seen: found }]
}
