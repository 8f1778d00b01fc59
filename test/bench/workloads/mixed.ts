/** 10,000 names of four addresses, 20 % of questions about names that do not exist. */
import { ALL, type Workload } from '../bench.ts'
import { CLOSED, saturation } from './saturation.ts'

export const mixed: Workload = async bench => [
  await saturation(bench, {
    workload: 'mixed',
    title: '10,000 names of 4 addresses, 20 % NXDOMAIN',
    contenders: ALL,
    site: 'steered',
    asking: { ...CLOSED, kind: 'mixed' },
  }),
]
