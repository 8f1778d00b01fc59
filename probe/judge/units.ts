/**
 * A measurement in units: one name and type, asked of one list of servers. Where an alias led to
 * another zone, or nobody answered, a later unit took over; which one speaks for the name is decided
 * here, so that a recording is judged as what was seen live.
 */
import { isAbout } from './about.ts'
import { compareServers } from './agreement.ts'
import { type DiffJudgement, judgeDiff } from './diff.ts'
import { judgeEcs } from './ecs.ts'
import { asOf } from './follow.ts'
import type { Judgement } from './judgement.ts'
import type { Observation } from './observation.ts'
import { judgeRotation } from './rotation.ts'
import type { Trust } from './trust.ts'
import { compareTwins } from './twins.ts'

export type Unit = {
  /** The name that was wished for, without trailing dot. */
  readonly name: string
  readonly type: string
  /** The aliases that were followed from zone to zone; the last one is what was asked for. */
  readonly chain: readonly string[]
  /** `address#port` of each. */
  readonly servers: readonly string[]
  /** Host name of its one server, where every name server of the zone is measured for itself. */
  readonly host?: string | undefined
  /** Host names of the zone's name servers, where these are asked. */
  readonly nameServers?: readonly string[] | undefined
  /** `silence`: the name servers did not answer, and the system's resolver was asked instead. */
  readonly after: 'nothing' | 'silence'
  /** What calibration of a resolver on the path showed. Absent: not calibrated, or no resolver. */
  readonly trust: Trust | undefined
  /** Most queries of a map, those of earlier runs included. */
  readonly limit?: number | undefined
  /** In the order of sending. */
  readonly observations: readonly Observation[]
}

export type UnitOptions = {
  readonly command: 'dns2' | 'ecs'
  readonly seed: number
  readonly alpha: number
  /** Samples that were to be taken in each block. */
  readonly samples: number
  /** The panel's subnets in its order: rows stand in it, region by region. */
  readonly panel: readonly string[]
}

/**
 * One judgement for each list of servers that has the last word on a name and type; none on what was
 * never asked, as the run was over.
 */
export function judgeUnits(all: readonly Unit[], options: UnitOptions): readonly Judgement[] {
  const units = all.filter(({ observations }) => observations.length > 0)
  const subjects = [...new Set(units.map(subjectOf))]
  const judgements = subjects.flatMap(subject =>
    lastOf(units.filter(unit => subjectOf(unit) === subject)).map(unit => judgeUnit(unit, options)),
  )
  return compareTwins(compareServers(judgements, agreementsOf(all, options)))
}

function subjectOf({ name, type }: Pick<Unit, 'name' | 'type'>): string {
  return `${name} ${type}`
}

/** What a judgement rests on. */
export function observationsOf(
  units: readonly Unit[],
  { name, type, server }: Pick<Judgement, 'name' | 'type' | 'server'>,
): readonly Observation[] {
  const subject = subjectOf({ name, type })
  const last = lastOf(units.filter(unit => subjectOf(unit) === subject))
  const alone = last.filter(({ servers }) => servers.includes(server))
  return (alone.length > 0 ? alone : last).flatMap(({ observations }) => observations)
}

/** Those at the end of the aliases; of these, those that were asked after silence, where any were. */
function lastOf(units: readonly Unit[]): readonly Unit[] {
  const depth = Math.max(...units.map(({ chain }) => chain.length))
  const deepest = units.filter(({ chain }) => chain.length === depth)
  const second = deepest.filter(({ after }) => after === 'silence')
  return second.length > 0 ? second : deepest
}

function judgeUnit(unit: Unit, options: UnitOptions): Judgement {
  const { chain, type, observations, trust, host, nameServers } = unit
  const names = [unit.name, ...chain]
  const subject = { name: names.at(-1) ?? unit.name, type }
  const { seed, alpha, samples } = options
  const found =
    options.command === 'dns2'
      ? judgeRotation(observations, { ...subject, seed, alpha })
      : judgeEcs(inPanelOrder(observations, options.panel), {
          ...subject,
          seed,
          alpha,
          samples,
          trust,
        })
  const told = {
    ...found,
    ...(host !== undefined && { host }),
    ...(nameServers !== undefined && { nameServers }),
  }
  return chain.reduceRight((one, target, at) => asOf(names[at] ?? unit.name, target, one), told)
}

/** Whether name servers agree that were measured each for itself: one for each name and type. */
export function agreementsOf(
  all: readonly Unit[],
  { seed, alpha }: UnitOptions,
): readonly DiffJudgement[] {
  const units = all.filter(
    ({ host, observations }) => host !== undefined && observations.length > 0,
  )
  return [...new Set(units.map(subjectOf))].flatMap(subject => {
    const last = lastOf(units.filter(unit => subjectOf(unit) === subject))
    const [first] = last
    if (first === undefined || last.length < 2) return []
    const { name, type, chain } = first
    const about = { name: chain.at(-1) ?? name, type }
    const seen = last.flatMap(unit => unit.observations).filter(one => isAbout(one, about))
    const servers = last.flatMap(unit => unit.servers)
    return [judgeDiff(seen, { name, type, zone: undefined, servers, seed, alpha })]
  })
}

/** By the panel, not by when they were asked. */
function inPanelOrder(
  seen: readonly Observation[],
  panel: readonly string[],
): readonly Observation[] {
  const places = new Map(panel.map((text, index) => [text, index]))
  const placeOf = ({ sent }: Observation): number => places.get(sent?.text ?? '') ?? panel.length
  return seen.toSorted((one, other) => placeOf(one) - placeOf(other))
}
