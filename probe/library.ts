/**
 * The probe for scripts: `probe` asks, `verdict` says what it means. What was asked is plain data, so
 * it can be kept as JSON and judged again. Prints nothing.
 */

import { measure } from './command.ts'
import type { Judgement } from './judge/judgement.ts'
import { judgeUnits, type Unit, type UnitOptions } from './judge/units.ts'
import { type Flags, readOptions } from './options.ts'
import { isWrong, type Wrong, wrongText } from './plan/wrong.ts'
import { realWorld } from './world.ts'

export type { Group, Judgement, SubnetRow, Tally } from './judge/judgement.ts'
export type { Evidence, Verdict } from './judge/verdict.ts'

export type ProbeOptions = {
  /** `ecs`, the default: for clients in several networks. `dns2`: many times in a row. */
  readonly kind?: 'dns2' | 'ecs'
  /** Record type. Default A. */
  readonly type?: string
  /** As on the command line, without `@`: `192.0.2.1#53`, `tls://dns.example`. Default: `auth`. */
  readonly servers?: readonly string[]
  /** Client subnets; at least two for `ecs`. Default: the panel. */
  readonly subnets?: readonly string[]
  /** Countries of the panel. */
  readonly countries?: readonly string[]
  /** `dns2`: queries in a row; `ecs`: most rounds. */
  readonly count?: number
  /** The same seed asks in the same order and samples alike. */
  readonly seed?: number
  /** Seconds to wait for one reply. Default 3. */
  readonly timeout?: number
  /** Seconds for the whole run; what was seen until then is judged. */
  readonly deadline?: number
  /** Queries a second to one server, none on this machine. Default 20. */
  readonly rate?: number
  readonly maxQueries?: number
  /** Ends the asking; what was seen until then is judged. */
  readonly signal?: AbortSignal
}

/** What was asked and seen, as plain data. */
export type Probed = { readonly units: readonly Unit[]; readonly options: UnitOptions }

/**
 * Asks about one name.
 *
 * @throws {RangeError} where a name, a server or an option cannot be used; it says why and what to do
 */
export async function probe(name: string, options: ProbeOptions = {}): Promise<Probed> {
  const { kind = 'ecs', servers = [], signal = new AbortController().signal } = options
  const silent = { write: () => undefined, isTerminal: false, columns: undefined }
  const world = { ...realWorld(signal), out: silent, err: silent }
  const words = [...servers.map(server => `@${server}`), name]
  const read = usable(readOptions(words, flagsOf(options)))
  try {
    const { units, head } = usable(await measure(kind, read, world))
    return { units, options: head.options }
  } finally {
    world.wire.close?.()
  }
}

/**
 * What it means; the same data give the same verdict.
 *
 * @throws {RangeError} where nothing was asked, as the run was over before
 */
export function verdict({ units, options }: Probed): Judgement {
  const [one] = judgeUnits(units, options)
  if (one === undefined) throw new RangeError('nothing was asked, so there is nothing to judge')
  return one
}

function flagsOf(options: ProbeOptions): Flags {
  const {
    type = 'A',
    subnets,
    countries,
    count,
    seed,
    timeout,
    deadline,
    rate,
    maxQueries,
  } = options
  const texts = { count, seed, timeout, deadline, rate, maxQueries }
  const given = Object.entries(texts).filter(([, value]) => value !== undefined)
  return {
    type: [type],
    ...(subnets === undefined ? {} : { subnet: subnets }),
    ...(countries === undefined ? {} : { country: countries }),
    ...Object.fromEntries(given.map(([key, value]) => [key, String(value)])),
  }
}

function usable<T>(value: T | Wrong): T {
  if (isWrong(value)) throw new RangeError(wrongText(value))
  return value
}
