/** Like `mixed`, from 512 sockets with a query each: as many resolvers, and no batches from one. */
import { ALL, type Workload } from '../bench.ts'
import { dgramPeer, dns2Peer } from '../peers/npm.ts'
import { saturation } from './saturation.ts'

export const spread: Workload = async bench => [
  await saturation(bench, {
    workload: 'spread',
    title: 'as mixed, from 512 sockets',
    contenders: ALL.filter(one => one !== dgramPeer && one !== dns2Peer),
    site: 'steered',
    asking: { way: 'closed', sockets: 512, share: 1, kind: 'mixed' },
  }),
]
