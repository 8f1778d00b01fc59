/**
 * Judges what `ecs` saw of one name and type: several client subnets asked in rounds, controls, and
 * the networks that were asked for afterwards to verify scopes. The same observations and seed give
 * the same judgement, live or replayed.
 */
import { aliasModifiers } from './alias.ts'
import { decide, decideAlone } from './decide.ts'
import { driftChance } from './drift.ts'
import { type Facts, factsOf } from './facts.ts'
import { grouping } from './groups.ts'
import { inspect } from './inspect.ts'
import type { Judgement } from './judgement.ts'
import type { Observation } from './observation.ts'
import { unseenShare } from './odds.ts'
import type { EcsOptions } from './options.ts'
import { setKey, setOf } from './reply.ts'
import { disagreements } from './servers.ts'
import { failures, tally } from './tally.ts'
import { weighedBy } from './trust.ts'
import { ECS_ANSWER, type EcsCode, type EcsEvidence } from './verdict.ts'

/** @param observations of all names and types; those of the options' name and type count */
export function judgeEcs(observations: readonly Observation[], options: EcsOptions): Judgement {
  const facts = factsOf(observations, options)
  const code = decide(facts, options)
  const { groups, rows } = grouping(facts.grid, facts.classes, facts.levels, facts.about)
  return {
    name: options.name,
    type: options.type,
    server: facts.grid.server || (facts.about[0]?.server ?? ''),
    verdict: {
      answer: ECS_ANSWER[code],
      code,
      modifiers: modifiersOf(facts, code, options),
      evidence: evidenceOf(facts, options),
    },
    groups,
    scopes: rows,
    findings: weighedBy(options.trust, inspect(facts, code)),
    calibration: options.trust,
    tally: tally(facts.about),
  }
}

function modifiersOf(facts: Facts, code: EcsCode, options: EcsOptions): readonly string[] {
  const { grid, levels } = facts
  const modifiers: string[] = []
  const empty = grid.replies.filter(seen => setOf(seen).length === 0).length
  if (code === 'partial-ecs') modifiers.push(`otherwise:${decideAlone(facts, options)}`)
  if (levels.dependent && levels.varies) modifiers.push('rotates-within-region')
  if (levels.dependent && levels.geography === 'untested') modifiers.push('region-untested')
  if (empty > 0 && empty < grid.replies.length) modifiers.push('mixed-negative')
  if (!levels.dependent && hasDrifted(facts)) modifiers.push('drifting')
  if (code !== 'partial-ecs' && disagreements(facts.about).length > 0) modifiers.push('mixed-ns')
  if (isBlind(facts)) modifiers.push('blind-echo')
  if (facts.about.some(({ referral }) => referral !== undefined)) modifiers.push('referral')
  return [...modifiers, ...aliasModifiers(grid.replies)]
}

/** Whether everybody's answer changed at some time and stayed changed. */
function hasDrifted({ grid }: Facts): boolean {
  const inOrder = [...grid.replies].sort((a, b) => a.sequence - b.sequence)
  return driftChance(inOrder.map(seen => setKey(setOf(seen)))) <= 0.001
}

function isBlind({ about }: Facts): boolean {
  return about.some(({ oddities }) => oddities.includes('unknown-option-echoed'))
}

function evidenceOf(facts: Facts, options: EcsOptions): EcsEvidence {
  const { grid, levels, scope, echoes } = facts
  return {
    kind: 'ecs',
    queries: facts.about.length + facts.beside.length,
    subnets: grid.rows.length,
    rounds: grid.rounds.length,
    seed: options.seed,
    limit: levels.limit,
    subnet: levels.subnet,
    region: levels.region,
    scopes: echoes.scopes,
    missable: unseenShare(grid.rows.length),
    verified: { blocks: scope.blocks, samples: scope.samples, detectable: scope.detectable },
    fragmentation: facts.fragmentation,
    failures: failures(facts.about),
  }
}
