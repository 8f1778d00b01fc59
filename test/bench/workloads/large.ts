/**
 * Large zones: time from the start of a server to its first answer, and what it holds in memory then.
 * `large`: 1,000,000 names of one or two records. `huge`: 1,000,000 names of ten.
 */
import { setTimeout } from 'node:timers/promises'
import { ALL, type Bench, present, rounds, type Workload } from '../bench.ts'
import { cpuMs, memoryOf } from '../machine/proc.ts'
import { serve } from '../machine/serving.ts'
import type { Contender } from '../peers/contender.ts'
import { dgramPeer, dns2Peer } from '../peers/npm.ts'
import type { Column, Result } from '../result.ts'
import type { SiteKind } from '../site/site.ts'

const COLUMNS: readonly Column[] = [
  { key: 'seconds', title: 'load s', digits: 2, fold: 'median' },
  { key: 'cpu', title: 'CPU s', digits: 2, fold: 'median' },
  { key: 'megabytes', title: 'MB', digits: 0, fold: 'median' },
  { key: 'proportional', title: 'PSS MB', digits: 0, fold: 'median' },
  { key: 'peak', title: 'peak MB', digits: 0, fold: 'median' },
  { key: 'perName', title: 'octets/name', digits: 0, fold: 'median' },
  { key: 'perRecord', title: 'octets/record', digits: 0, fold: 'median' },
]

/** After the first answer, for what loading left behind to be given back. */
const SETTLE_MS = 2_000

export const large: Workload = async bench => [
  await loading(bench, 'large', '1,000,000 names of 1 or 2 records: start to first answer'),
]

export const huge: Workload = async bench => [
  await loading(bench, 'huge', '1,000,000 names of 10 records: start to first answer'),
]

async function loading(bench: Bench, kind: SiteKind, title: string): Promise<Result> {
  const isLoader = (one: Contender) =>
    one.serves.includes(kind) && ![dgramPeer, dns2Peer].includes(one) && one.name !== 'echo'
  const { here, notes } = present(bench, ALL.filter(isLoader))
  bench.tell(`${kind}: writing the zone`)
  const site = bench.site(kind)
  const run = await rounds(bench, here, async contender => {
    const serving = await serve(contender, site)
    const cpu = cpuMs(serving.pid) / 1000
    await setTimeout(SETTLE_MS)
    const { resident, proportional, peak } = memoryOf(serving.pid)
    await serving.stop()
    const seconds = serving.startMs / 1000
    const perName = (resident * 1e6) / site.names
    const perRecord = (resident * 1e6) / site.records
    return { seconds, cpu, megabytes: resident, proportional, peak, perName, perRecord }
  })
  const said = [...notes, ...run.notes]
  return { workload: kind, title, columns: COLUMNS, samples: run.samples, notes: said }
}
