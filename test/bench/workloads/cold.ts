/** A million names, each asked once in random order: nothing that was just used helps. */
import { ALL, type Workload } from '../bench.ts'
import { CLOSED, saturation } from './saturation.ts'

export const cold: Workload = async bench => [
  await saturation(bench, {
    workload: 'cold',
    title: '1,000,000 names, each once, in random order',
    contenders: ALL,
    site: 'large',
    asking: { ...CLOSED, kind: 'cold' },
  }),
]
