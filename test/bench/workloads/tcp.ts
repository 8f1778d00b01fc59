/** TCP: eight connections with 32 queries under way each; and a connection a query, 32 at a time. */
import { ALL, type Workload } from '../bench.ts'
import { saturation } from './saturation.ts'

export const tcp: Workload = async bench => {
  const common = { contenders: ALL.filter(one => one.tcp), site: 'steered' } as const
  return [
    await saturation(bench, {
      ...common,
      workload: 'tcp',
      title: 'as mixed, over 8 connections, 32 queries under way on each',
      asking: { way: 'pipelined', sockets: 8, share: 32, kind: 'mixed' },
    }),
    await saturation(bench, {
      ...common,
      workload: 'tcp-single',
      title: 'as mixed, a TCP connection a query, 32 at a time',
      asking: { way: 'single', sockets: 32, share: 1, kind: 'mixed' },
    }),
  ]
}
