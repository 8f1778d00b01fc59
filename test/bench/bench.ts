/** What every workload has at hand: how long and how often, the sites, who takes part. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { FOLDER, find } from './machine/program.ts'
import { bind } from './peers/bind.ts'
import type { Contender } from './peers/contender.ts'
import { echo } from './peers/echo.ts'
import { gdnsd } from './peers/gdnsd.ts'
import { knot, knotGeoip } from './peers/knot.ts'
import { lbdns } from './peers/lbdns.ts'
import { dgramPeer, dns2Peer } from './peers/npm.ts'
import { nsd } from './peers/nsd.ts'
import { pdns } from './peers/pdns.ts'
import type { Result, Sample } from './result.ts'
import { type Site, type SiteKind, writeSite } from './site/site.ts'

export type Bench = {
  readonly rounds: number
  readonly seconds: number
  /** How long a soak takes. */
  readonly minutes: number
  /** Only these servers take part; empty: all. */
  readonly servers: readonly string[]
  /** Written when it is first asked for. */
  readonly site: (kind: SiteKind) => Site
  /** Says how far it is, for whoever waits. */
  readonly tell: (line: string) => void
}

export type Workload = (bench: Bench) => Promise<readonly Result[]>

type Length = Pick<Bench, 'rounds' | 'seconds' | 'minutes' | 'servers' | 'tell'>

export function openBench(length: Length): Bench {
  const sites = new Map<SiteKind, Site>()
  const folder = join(FOLDER, 'sites')
  mkdirSync(folder)
  const site = (kind: SiteKind) => {
    const made = sites.get(kind) ?? writeSite(folder, kind)
    sites.set(kind, made)
    return made
  }
  return { ...length, site }
}

const FLOOR = echo()

/** For plain names: everybody. */
export const ALL: readonly Contender[] = [
  ...(FLOOR === undefined ? [] : [FLOOR]),
  lbdns(1),
  gdnsd,
  knot,
  nsd,
  bind,
  pdns,
  dgramPeer,
  dns2Peer,
]

/** For the steered name: Knot with the module that tells clients apart. */
export const TAILORING: readonly Contender[] = ALL.map(one =>
  one === knot ? knotGeoip : one,
).filter(({ tailors }) => tailors)

/** Those of them who take part, and why the others do not. */
export function present(
  bench: Bench,
  all: readonly Contender[],
): { here: readonly Contender[]; notes: readonly string[] } {
  const asked = all.filter(({ name }) => bench.servers.length === 0 || bench.servers.includes(name))
  const here = asked.filter(({ program }) => find(program) !== undefined)
  const absent = asked.filter(one => !here.includes(one))
  const notes = absent.map(({ name, program }) => `${name}: ${program} is not installed`)
  if (FLOOR === undefined) notes.push('echo: there is no C compiler to make it')
  return { here, notes }
}

/** Takes every contender through every round, in turn; what fails is noted and left out. */
export async function rounds(
  bench: Bench,
  contenders: readonly Contender[],
  measure: (contender: Contender, round: number) => Promise<Readonly<Record<string, number>>>,
): Promise<{ samples: Sample[]; notes: string[] }> {
  const samples: Sample[] = []
  const notes: string[] = []
  for (let round = 0; round < bench.rounds; round += 1) {
    for (const contender of contenders) {
      const { name: server } = contender
      bench.tell(`round ${round + 1} of ${bench.rounds}: ${server}`)
      try {
        samples.push({ server, figures: await measure(contender, round) })
      } catch (cause) {
        notes.push(
          `${server}, round ${round + 1}: ${cause instanceof Error ? cause.message : cause}`,
        )
      }
    }
  }
  return { samples, notes }
}
