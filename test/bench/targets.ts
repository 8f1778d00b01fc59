/** What the project wants to reach, and whether a run reached it. */
import { figureOf, type Result } from './result.ts'

type Target = {
  readonly figure: string
  readonly wanted: string
  readonly measured: (results: readonly Result[]) => number | undefined
  readonly isMet: (figure: number) => boolean
}

export type Verdict = {
  readonly figure: string
  readonly wanted: string
  /** Absent: not measured in this run. */
  readonly measured?: number
  readonly met?: boolean
}

/** A figure of ours over the same one of another. */
function ratio(workload: string, key: string, to: string, from = 'lbdns'): Target['measured'] {
  return results => {
    const own = figureOf(results, workload, from, key)
    const other = figureOf(results, workload, to, key)
    return own === undefined || other === undefined ? undefined : own / other
  }
}

function atMost(limit: number, figure: string, measured: Target['measured']): Target {
  return { figure, wanted: `≤ ${limit}`, measured, isMet: value => value <= limit }
}

const TARGETS: readonly Target[] = [
  atMost(1.2, 'CPU per query, ecs, ÷ echo', ratio('ecs', 'micros', 'echo')),
  atMost(1.3, 'CPU per query, mixed, ÷ echo', ratio('mixed', 'micros', 'echo')),
  atMost(1, 'CPU per query, ecs, ÷ gdnsd', ratio('ecs', 'micros', 'gdnsd')),
  atMost(1, 'CPU per query, mixed, ÷ gdnsd', ratio('mixed', 'micros', 'gdnsd')),
  atMost(0.7, 'CPU per query, ecs, ÷ Knot with geoip', ratio('ecs', 'micros', 'knot')),
  atMost(0.7, 'CPU per query, mixed, ÷ Knot', ratio('mixed', 'micros', 'knot')),
  atMost(0.04, 'CPU per query, mixed, ÷ dns2', ratio('mixed', 'micros', 'dns2')),
  {
    figure: '2 workers against 1, CPU-bound projection',
    wanted: '≥ 1.9',
    measured: ratio('workers', 'projected', 'lbdns', 'lbdns, 2 workers'),
    isMet: value => value >= 1.9,
  },
  atMost(1.2, 'p99 at 50 % of saturation ÷ gdnsd', ratio('latency', 'p99', 'gdnsd')),
  atMost(0.2, 'idle CPU, % of a core', results => figureOf(results, 'idle', 'lbdns', 'percent')),
  atMost(5, '1,000 checks each 10 s, % of a core', results =>
    figureOf(results, 'checks', 'http', 'percent'),
  ),
  atMost(2, '1,000 checks: most in a second ÷ mean', results =>
    figureOf(results, 'checks', 'http', 'second'),
  ),
  atMost(2, '1M names: load time ÷ knotd', ratio('large', 'seconds', 'knot')),
  atMost(1.5, '1M names: resident memory ÷ knotd', ratio('large', 'megabytes', 'knot')),
  atMost(0, 'lost answers during reloads', results => figureOf(results, 'reload', 'lbdns', 'lost')),
  atMost(0, 'wrong answers during reloads', results =>
    figureOf(results, 'reload', 'lbdns', 'wrong'),
  ),
  atMost(120, 'lbprobe --version, ms', results => figureOf(results, 'probe', 'lbprobe', 'version')),
  atMost(250, 'lbprobe: first query, ms', results =>
    figureOf(results, 'probe', 'lbprobe', 'query'),
  ),
]

export function verdicts(results: readonly Result[]): Verdict[] {
  return TARGETS.map(({ figure, wanted, measured, isMet }) => {
    const value = measured(results)
    if (value === undefined || Number.isNaN(value)) return { figure, wanted }
    return { figure, wanted, measured: value, met: isMet(value) }
  })
}
