/** Metrics as text for the textfile collector of node_exporter (Prometheus, format 0.0.4). */
import { countOfState, type Report } from './report.ts'

type Labels = Readonly<Record<string, string>>
type Sample = readonly [labels: Labels, value: number]

export function promText(report: Report): string {
  const { rulings, figures, seconds, exit } = report
  const states = (['pass', 'fail', 'inconclusive'] as const).map(
    (state): Sample => [{ state }, countOfState(report, state)],
  )
  const single = rulings.map((ruling): Sample => {
    const { name, type, assertion, at, state } = ruling
    const place = at === undefined ? {} : { file: at.file, line: `${at.line}` }
    return [{ name, type, assertion, ...place }, state === 'pass' ? 1 : 0]
  })
  const verdicts = figures.map(({ name, type, kind, verdict }): Sample => {
    return [{ name, type, kind, verdict }, 1]
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

function addresses({ figures }: Report): readonly Sample[] {
  return figures.flatMap(({ name, type, kind, addresses: count }): readonly Sample[] =>
    count === undefined ? [] : [[{ name, type, kind }, count]],
  )
}

function findings({ figures }: Report): readonly Sample[] {
  const samples = figures.flatMap(({ name, type, findings: found }) =>
    found.map(({ id, level }): Sample => [{ name, type, id, level }, 1]),
  )
  return summed(samples)
}

function rcodes({ figures }: Report): readonly Sample[] {
  const samples = figures.flatMap(({ replies }) =>
    Object.entries(replies).map(([rcode, count]): Sample => [{ rcode }, count]),
  )
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
