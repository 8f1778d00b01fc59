/** Metrics as text for the textfile collector of node_exporter (Prometheus, format 0.0.4). */
import { countOfState, type Report } from './report.ts'

type Labels = Readonly<Record<string, string>>
type Sample = readonly [labels: Labels, value: number]

export function promText(report: Report): string {
  const { rulings, judgements, seconds, exit } = report
  const states = (['pass', 'fail', 'inconclusive'] as const).map(
    (state): Sample => [{ state }, countOfState(report, state)],
  )
  const single = rulings.map((ruling): Sample => {
    const { name, type, assertion, at, state } = ruling
    const place = at === undefined ? {} : { file: at.file, line: `${at.line}` }
    return [{ name, type, assertion, ...place }, state === 'pass' ? 1 : 0]
  })
  const verdicts = judgements.map(({ name, type, verdict }): Sample => {
    const kind = verdict.evidence.kind === 'ecs' ? 'ecs' : 'dns2'
    return [{ name, type, kind, verdict: verdict.code }, 1]
  })
  return [
    family('probe_success', 'gauge', 'Whether all that was asked for holds.', [
      [{}, exit === 0 ? 1 : 0],
    ]),
    family('probe_duration_seconds', 'gauge', 'How long the run took.', [[{}, seconds]]),
    family('lbprobe_assertions', 'gauge', 'Assertions by what came of them.', states),
    family('lbprobe_assertion_success', 'gauge', 'Whether an assertion holds.', single),
    family('lbprobe_verdict', 'gauge', 'What a name was found to be, as a label.', verdicts),
    family('lbprobe_addresses', 'gauge', 'Distinct addresses seen.', addresses(report)),
    family('lbprobe_finding', 'gauge', 'Findings by id.', findings(report)),
    family('lbprobe_queries_total', 'counter', 'Replies to queries by code.', rcodes(report)),
  ].join('')
}

function addresses({ judgements }: Report): readonly Sample[] {
  return judgements.map(({ name, type, verdict, scopes }): Sample => {
    const { evidence } = verdict
    const distinct = new Set(scopes.flatMap(({ answers }) => answers)).size
    const kind = evidence.kind === 'ecs' ? 'ecs' : 'dns2'
    return [{ name, type, kind }, evidence.kind === 'ecs' ? distinct : evidence.atLeast]
  })
}

function findings({ judgements }: Report): readonly Sample[] {
  const samples = judgements.flatMap(({ name, type, findings: found }) =>
    found.map(({ id, level }): Sample => [{ name, type, id, level }, 1]),
  )
  return summed(samples)
}

function rcodes({ judgements }: Report): readonly Sample[] {
  const samples = judgements.flatMap(({ tally }) => [
    ...Object.entries(tally.rcodes).map(([rcode, count]): Sample => [{ rcode }, count]),
    [{ rcode: 'none' }, tally.queries - tally.replies] as const,
  ])
  return summed(samples)
}

/** One sample for each set of labels. */
function summed(samples: readonly Sample[]): readonly Sample[] {
  const sums = new Map<string, Sample>()
  for (const [labels, value] of samples) {
    const key = labelText(labels)
    sums.set(key, [labels, (sums.get(key)?.[1] ?? 0) + value])
  }
  return [...sums.values()]
}

/** A series stands once: of several servers the worst, or the greatest, counts. */
function family(
  name: string,
  type: 'gauge' | 'counter',
  help: string,
  samples: readonly Sample[],
): string {
  const series = new Map<string, number>()
  for (const [labels, value] of samples) {
    const key = labelText(labels)
    const before = series.get(key)
    const worst = name === 'lbprobe_assertion_success' ? Math.min : Math.max
    series.set(key, before === undefined ? value : worst(before, value))
  }
  if (series.size === 0) return ''
  const lines = [...series].map(([labels, value]) => `${name}${labels} ${value}\n`)
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}
