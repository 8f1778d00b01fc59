/**
 * What a running server keeps of what was loaded: small beside its columns, which threads share, so
 * that it costs next to nothing to be told of it.
 */
import type { Config } from './config/config.ts'
import { beside } from './files.ts'
import { type Checks, checksOf } from './health/checked.ts'
import type { LoadFile } from './health/loads.ts'
import type { Serving } from './load.ts'

export type Served = Pick<Serving, 'world' | 'geo'> & {
  readonly config: Footing
  /** Read while serving. */
  readonly loadFiles: readonly LoadFile[]
  /** Tried while serving. */
  readonly checks: Checks
}

/** Where and how it listens, as whom, from when, and where it keeps what outlives it. */
export type Footing = Pick<Config, 'listen' | 'workers' | 'user' | 'group' | 'activateAt' | 'state'>

/** @param file the configuration: load files are named relative to it */
export function servedOf({ config, geo, world }: Serving, file: string): Served {
  const { activateAt, group, listen, user, workers } = config
  const state = { ...config.state, path: beside(file, config.state.path) }
  const loadFiles = loadFilesOf(config, file)
  const checks = checksOf(config.policy, world.steering, path => beside(file, path))
  return {
    world,
    geo,
    loadFiles,
    checks,
    config: { activateAt, group, listen, state, user, workers },
  }
}

/** @param file the configuration */
export function loadFilesOf({ policy }: Config, file: string): LoadFile[] {
  return policy.pools.flatMap(({ loads }, pool) => {
    if (loads === undefined) return []
    return [{ pool, path: beside(file, loads.path), maxAge: loads.maxAge }]
  })
}
