/**
 * What a running server keeps of what was loaded: small beside its columns, which threads share, so
 * that it costs next to nothing to be told of it.
 */
import type { Config } from './config/config.ts'
import { beside } from './files.ts'
import { type Checks, checksOf } from './health/checked.ts'
import type { LoadFile } from './health/loads.ts'
import type { Serving } from './load.ts'
import { RRSET, rrsetWord, type Zones } from './zone/zones.ts'

export type Served = Pick<Serving, 'world' | 'geo'> & {
  readonly config: Footing
  /** Read while serving. */
  readonly loadFiles: readonly LoadFile[]
  /** Tried while serving. */
  readonly checks: Checks
  readonly loaded: Loaded
}

/** What there is to say of the load itself. */
export type Loaded = {
  /** When it was over, in milliseconds since 1970. */
  readonly at: number
  readonly tookMs: number
  readonly records: number
}

/** What is beside the answers: sockets, files, and whoever may be told or ask. */
export type Footing = Pick<
  Config,
  | ('listen' | 'tcp' | 'workers' | 'user' | 'group' | 'activateAt')
  | ('state' | 'control' | 'metrics' | 'admin' | 'webhooks' | 'querylog')
>

/**
 * @param file   the configuration: what it names is beside it
 * @param tookMs how long the load took
 */
export function servedOf({ config, geo, world }: Serving, file: string, tookMs: number): Served {
  const loadFiles = loadFilesOf(config, file)
  const checks = checksOf(config.policy, world.steering, path => beside(file, path))
  const loaded = { at: Date.now(), tookMs, records: recordsIn(world.zones) }
  return { world, geo, loadFiles, checks, loaded, config: footingOf(config, file) }
}

function footingOf(config: Config, file: string): Footing {
  const {
    activateAt,
    admin,
    control,
    group,
    listen,
    metrics,
    querylog,
    state,
    tcp,
    user,
    webhooks,
    workers,
  } = config
  const led = <Named extends { readonly path: string }>(one: Named): Named => {
    return { ...one, path: beside(file, one.path) }
  }
  return {
    ...{ activateAt, group, metrics, tcp, user, workers },
    listen: listen.map(one => ({
      ...one,
      tls: one.tls && { cert: led(one.tls.cert), key: led(one.tls.key) },
    })),
    control: beside(file, control),
    state: led(state),
    querylog: querylog && led(querylog),
    admin: admin && { ...admin, tokenFile: admin.tokenFile && led(admin.tokenFile) },
    webhooks: webhooks.map(hook => ({
      ...hook,
      tokenFile: hook.tokenFile && led(hook.tokenFile),
      secretFile: hook.secretFile && led(hook.secretFile),
    })),
  }
}

/** @param file the configuration */
export function loadFilesOf({ policy }: Config, file: string): LoadFile[] {
  return policy.pools.flatMap(({ loads }, pool) => {
    if (loads === undefined) return []
    return [{ pool, path: beside(file, loads.path), maxAge: loads.maxAge }]
  })
}

/** Each zone has its SOA twice, once for what there is not. */
function recordsIn(zones: Zones): number {
  let count = -zones.zoneCount
  for (let rrset = 0; rrset < zones.rrsetTotal; rrset += 1) {
    count += rrsetWord(zones, rrset, RRSET.COUNT)
  }
  return count
}
