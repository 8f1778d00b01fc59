/** What a workload found: figures by server and round, and how rounds become one row. */
import { median } from './statistics.ts'

export type Column = {
  readonly key: string
  readonly title: string
  readonly digits: number
  /** Of what counts against a server, rounds are added up. */
  readonly fold: 'median' | 'sum'
}

/** The figures of one server in one round; one that it has not is absent. */
export type Sample = {
  readonly server: string
  readonly figures: Readonly<Record<string, number>>
}

export type Result = {
  readonly workload: string
  /** What the table shows, in a line. */
  readonly title: string
  readonly columns: readonly Column[]
  readonly samples: readonly Sample[]
  /** The column whose ratios to `echo` and `lbdns` are shown. */
  readonly ratio?: string
  /** What has to be said beside it: who was left out and why. */
  readonly notes: readonly string[]
}

export type RowOf = { readonly server: string; readonly figures: ReadonlyMap<string, number> }

/** One row a server, in the order in which they were measured first. */
export function rowsOf({ columns, samples }: Result): RowOf[] {
  const servers = [...new Set(samples.map(({ server }) => server))]
  return servers.map(server => {
    const own = samples.filter(sample => sample.server === server)
    const cells = columns.flatMap(column => {
      const values = own.flatMap(({ figures }) => figures[column.key] ?? [])
      return values.length === 0 ? [] : [[column.key, folded(values, column)] as const]
    })
    return { server, figures: new Map(cells) }
  })
}

function folded(values: readonly number[], { fold }: Column): number {
  return fold === 'sum' ? values.reduce((sum, value) => sum + value, 0) : median(values)
}

/** One figure of one server; `undefined`: not measured. */
export function figureOf(
  results: readonly Result[],
  workload: string,
  server: string,
  key: string,
): number | undefined {
  const result = results.find(one => one.workload === workload)
  if (result === undefined) return undefined
  return rowsOf(result)
    .find(row => row.server === server)
    ?.figures.get(key)
}
