/**
 * Measures what the checks of a file need, each name and clients only once, and holds the assertions
 * against it.
 */

import { type Check, type Measurement, measurementsFor } from './checks/check.ts'
import type { Evidence } from './checks/evidence.ts'
import { ruleCheck } from './checks/rule.ts'
import type { Mistake } from './checks/source.ts'
import { measure } from './command.ts'
import type { Judgement } from './judge/judgement.ts'
import type { Remark, Ruling } from './judge/ruling.ts'
import type { Measured } from './measured.ts'
import { panelOptions } from './options/panel.ts'
import type { Options } from './options.ts'
import { isWrong, type Wrong } from './plan/wrong.ts'
import { serversOf } from './whom.ts'
import type { World } from './world.ts'

export type Checked = {
  readonly rulings: readonly Ruling[]
  readonly remarks: readonly Remark[]
  readonly measured: readonly Measured[]
}

/** Measurements already made, by all that they depend on. */
type Made = Map<string, Measured>

/**
 * What a check cannot be measured for comes back with the place of the check.
 *
 * @param options of the command line; its servers win over those of the file
 */
export async function runChecks(
  checks: readonly Check[],
  options: Options,
  world: World,
): Promise<Checked | Mistake> {
  const made: Made = new Map()
  const rulings: Ruling[] = []
  const remarks: Remark[] = []
  for (const check of checks) {
    const found = new Map<Measurement, Measured>()
    for (const measurement of measurementsFor(check)) {
      const measured = await measureOnce(made, measurement, check, options, world)
      if (isWrong(measured)) return { at: check.at, reason: measured }
      found.set(measurement, measured)
    }
    if (world.interrupt.aborted) break // what was not asked to the end is not judged
    if (options.action === 'plan-only') continue
    for (const type of check.types) {
      rulings.push(...ruleCheck(check, type, evidenceOf(found, type)))
      remarks.push(...remarksOf(check, found, type))
    }
  }
  return { rulings, remarks, measured: [...made.values()] }
}

async function measureOnce(
  made: Made,
  measurement: Measurement,
  check: Check,
  options: Options,
  world: World,
): Promise<Measured | Wrong> {
  const { name, types, servers, subnets, countries, preset, count } = check
  const clients = measurement === 'ecs' ? { subnets, countries, preset } : { count }
  const key = JSON.stringify([measurement, name, types, servers, clients])
  const known = made.get(key)
  if (known !== undefined) return known
  const measured = await measure(measurement, optionsFor(measurement, check, options), world)
  if (!isWrong(measured)) made.set(key, measured)
  return measured
}

function optionsFor(measurement: Measurement, check: Check, options: Options): Options {
  const { name, types, subnets, countries, preset } = check
  const none = panelOptions({}, {})
  const common = {
    ...options,
    names: [name],
    types,
    servers: options.servers.length > 0 ? options.servers : serversOf(check.servers),
  }
  if (measurement === 'dns2') {
    const count = options.count ?? check.count
    return { ...common, ...none, count }
  }
  const isOwn = subnets.length > 0 || countries.length > 0 || preset !== undefined
  const own = { ...none, subnets, preset, countries: countries.length > 0 ? countries : undefined }
  return { ...common, ...(isOwn ? own : {}), count: undefined }
}

function evidenceOf(found: ReadonlyMap<Measurement, Measured>, type: string): Evidence {
  const judged = (measurement: Measurement): readonly Judgement[] =>
    found.get(measurement)?.judgements.filter(one => one.type === type) ?? []
  const seen = (measurement: Measurement) =>
    found.get(measurement)?.observations.filter(one => one.type === type) ?? []
  return {
    rotation: judged('dns2'),
    ecs: judged('ecs'),
    rotationSeen: seen('dns2'),
    ecsSeen: seen('ecs'),
  }
}

/** Findings of both measurements, each once, at the line of their check. */
function remarksOf(
  check: Check,
  found: ReadonlyMap<Measurement, Measured>,
  type: string,
): readonly Remark[] {
  const judgements = [...found.values()].flatMap(one => one.judgements)
  const findings = judgements.filter(one => one.type === type).flatMap(one => one.findings)
  const distinct = new Map(findings.map(one => [`${one.id} ${one.message} ${one.where}`, one]))
  return [...distinct.values()].map(finding => ({ name: check.name, type, at: check.at, finding }))
}
