/** One steered name, 20,000 networks, a random /24 in every query. */
import { TAILORING, type Workload } from '../bench.ts'
import { CLOSED, saturation } from './saturation.ts'

export const ecs: Workload = async bench => [
  await saturation(bench, {
    workload: 'ecs',
    title: 'one steered name, 20,000 networks, a random /24 each',
    contenders: TAILORING,
    site: 'steered',
    asking: { ...CLOSED, kind: 'ecs' },
  }),
]
