/**
 * One worker and two, on both processors. The generator needs one of them too, so what two workers
 * could do without it is projected: workers ÷ CPU time a query, the generator's own left out.
 */
import { present, rounds, type Workload } from '../bench.ts'
import { BOTH_CORES } from '../machine/program.ts'
import { serve } from '../machine/serving.ts'
import { lbdns } from '../peers/lbdns.ts'
import type { Column } from '../result.ts'
import { COLUMNS, saturate } from './saturation.ts'

const PROJECTED: Column = {
  key: 'projected',
  title: 'projected/s',
  digits: 0,
  fold: 'median',
}

export const workers: Workload = async bench => {
  const counts = [1, 2]
  const contenders = counts.map(lbdns)
  const { here, notes } = present({ ...bench, servers: [] }, contenders)
  const run = await rounds(bench, here, async contender => {
    const serving = await serve(contender, bench.site('steered'), BOTH_CORES)
    // Many sockets: the kernel spreads them over the workers by a hash.
    const asking = { way: 'closed', sockets: 64, share: 8, kind: 'mixed' } as const
    const figures = await saturate(serving, asking, bench.seconds).finally(serving.stop)
    const threads = counts[contenders.indexOf(contender)] ?? 1
    return { ...figures, projected: (threads * 1e6) / (figures.micros ?? Number.NaN) }
  })
  const title = 'mixed, on two processors, generator excluded by projection'
  const columns = [...COLUMNS, PROJECTED]
  const said = [...notes, ...run.notes]
  return [{ workload: 'workers', title, columns, samples: run.samples, notes: said }]
}
