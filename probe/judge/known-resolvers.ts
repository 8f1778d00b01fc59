/**
 * Public resolvers and what has been reported of them, to be compared with what is seen. Reports are
 * second-hand and grow old: they are said beside a verdict and never decide one.
 */
import type { Calibration, ResolverVerdict } from './calibrate.ts'

type Known = {
  readonly name: string
  readonly addresses: readonly string[]
  readonly reported: readonly ResolverVerdict[]
  /** Whether the option is said to come back as it was sent; absent: not reported. */
  readonly echo?: 'exact'
}

// biome-ignore format: table
const KNOWN: readonly Known[] = [
  { name: 'Google Public DNS', addresses: ['8.8.8.8', '8.8.4.4', '2001:4860:4860::8888', '2001:4860:4860::8844'], reported: ['forwards'], echo: 'exact' },
  { name: 'Quad9 with ECS',    addresses: ['9.9.9.11', '149.112.112.11', '2620:fe::11'],      reported: ['forwards', 'truncates'] },
  { name: 'Quad9',             addresses: ['9.9.9.9', '149.112.112.112', '2620:fe::fe'],      reported: ['strips'] },
  { name: 'OpenDNS',           addresses: ['208.67.222.222', '208.67.220.220'],               reported: ['substitutes'] },
  { name: 'AdGuard DNS',       addresses: ['94.140.14.14', '94.140.15.15'],                   reported: ['substitutes', 'echoes-only'], echo: 'exact' },
  { name: 'Cloudflare',        addresses: ['1.1.1.1', '1.0.0.1', '2606:4700:4700::1111'],     reported: ['strips'] },
  { name: 'DNSPod',            addresses: ['119.29.29.29'],                                   reported: ['forwards', 'substitutes'] },
  { name: 'AliDNS',            addresses: ['223.5.5.5', '223.6.6.6'],                         reported: ['substitutes'] },
  { name: 'NextDNS',           addresses: ['45.90.28.0', '45.90.30.0'],                       reported: ['substitutes'] },
]

export type Comparison = {
  /** The service that has this address, where it is known. */
  readonly service: string | undefined
  /** What has been reported of it. */
  readonly reported: readonly ResolverVerdict[]
  /** Services of which the same has been reported as is seen here. */
  readonly like: readonly string[]
}

export function compareKnown({ server, verdict, ways }: Calibration): Comparison {
  const address = server.replace(/#\d+$/, '')
  const own = KNOWN.find(({ addresses }) => addresses.includes(address))
  const like = KNOWN.filter(
    ({ reported, echo }) =>
      reported.includes(verdict) && (echo === undefined || echo === ways.echo),
  )
  return {
    service: own?.name,
    reported: own?.reported ?? [],
    like: like.map(({ name }) => name),
  }
}
