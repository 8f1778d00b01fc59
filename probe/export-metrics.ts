/**
 * What one probe found, as metrics in the text format of Prometheus. No address is a label: series
 * must not multiply with a pool.
 */

import { createHash } from 'node:crypto'
import { Gauge, Registry } from 'prom-client'
import type { Judgement } from './judge/judgement.ts'
import type { Observation } from './judge/observation.ts'
import { holdsAnswer, setOf } from './judge/reply.ts'
import type { Measured } from './measured.ts'

export type Probed = {
  /** Absent where nothing could be measured. */
  readonly measured: Measured | undefined
  readonly seconds: number
}

/** The exposition of one probe. */
export async function probeText({ measured, seconds }: Probed): Promise<string> {
  const registry = new Registry()
  const gauge = gaugesIn(registry)
  const judgements = measured?.judgements ?? []
  const works = judgements.length > 0 && judgements.every(({ tally }) => tally.replies > 0)
  gauge('probe_success', 'Whether every name and type was answered').set(works ? 1 : 0)
  gauge('probe_duration_seconds', 'How long the probe took').set(seconds)
  if (measured !== undefined) {
    const cut = gauge(
      'lbprobe_probe_cut_short',
      'Whether it ended before it was done: its time was over',
    )
    cut.set(measured.partial === undefined ? 0 : 1)
  }
  if (judgements.length === 0) return registry.metrics()
  putVerdicts(gauge, judgements)
  putAnswers(gauge, judgements, measured?.observations ?? [])
  putScopes(gauge, judgements)
  putFindings(gauge, judgements)
  putQueries(gauge, judgements)
  return registry.metrics()
}

type Gauges = (name: string, help: string, labels?: readonly string[]) => Gauge

function gaugesIn(registry: Registry): Gauges {
  return (name, help, labelNames = []) => {
    return new Gauge({ name, help, labelNames: [...labelNames], registers: [registry] })
  }
}

function putVerdicts(gauge: Gauges, judgements: readonly Judgement[]): void {
  const verdict = gauge('lbprobe_verdict', 'Always 1; the verdict is in the labels', [
    'name', 'type', 'kind', 'verdict', 'answer',
  ]) // biome-ignore format: one line
  for (const { name, type, verdict: said } of judgements) {
    const kind = said.evidence.kind === 'ecs' ? 'ecs' : 'dns2'
    verdict.set({ name, type, kind, verdict: said.code, answer: said.answer }, 1)
  }
}

function putAnswers(
  gauge: Gauges,
  judgements: readonly Judgement[],
  observations: readonly Observation[],
): void {
  const addresses = gauge('lbprobe_addresses', 'Distinct answers seen', ['name', 'type'])
  const hash = gauge(
    'lbprobe_answer_set_hash',
    'Of all answers seen, sorted: another value, another set',
    ['name', 'type'],
  )
  for (const { name, type } of judgements) {
    const mine = observations.filter(seen => seen.type === type && holdsAnswer(seen))
    const answers = [...new Set(mine.flatMap(setOf))].sort()
    addresses.set({ name, type }, answers.length)
    hash.set({ name, type }, hashOf(answers))
  }
}

/** The first 48 bits of SHA-256: exact as a floating-point number. */
function hashOf(answers: readonly string[]): number {
  const digest = createHash('sha256').update(answers.join('\n')).digest()
  return digest.readUIntBE(0, 6)
}

function putScopes(gauge: Gauges, judgements: readonly Judgement[]): void {
  const scope = gauge('lbprobe_scope_prefix_length', 'The longest scope returned, by region', [
    'name', 'type', 'subnet_label',
  ]) // biome-ignore format: one line
  for (const { name, type, scopes } of judgements) {
    const longest = new Map<string, number>()
    for (const { region = 'unknown', scopes: found } of scopes) {
      for (const bits of found) longest.set(region, Math.max(bits, longest.get(region) ?? 0))
    }
    for (const [region, bits] of longest) scope.set({ name, type, subnet_label: region }, bits)
  }
}

function putFindings(gauge: Gauges, judgements: readonly Judgement[]): void {
  const found = gauge('lbprobe_finding', 'How many findings there are, by id', ['id', 'level'])
  for (const { id, level } of judgements.flatMap(({ findings }) => findings)) {
    found.inc({ id, level }, 1)
  }
}

/** A counter of this probe alone: it begins anew with each. */
function putQueries(gauge: Gauges, judgements: readonly Judgement[]): void {
  const queries = gauge('lbprobe_queries', 'Queries of this probe, by reply code', ['rcode'])
  for (const { tally } of judgements) {
    for (const [rcode, count] of Object.entries(tally.rcodes)) queries.inc({ rcode }, count)
    const lost = tally.queries - tally.replies
    if (lost > 0) queries.inc({ rcode: 'none' }, lost)
  }
}
