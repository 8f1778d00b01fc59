/**
 * The command line of a measurement, from commander's strings to options that can be used, every
 * mistake a sentence. Knows the flags; measures nothing.
 */

import { DEFAULT_MANNER } from './ask/ask.ts'
import type { Families } from './ask/find.ts'
import { readPort, type ServerWord, type Transport } from './ask/server.ts'
import { type Condition, readCondition } from './judge/condition.ts'
import { isWish } from './judge/expect.ts'
import { DEFAULT_QUERIES, DEFAULT_RATE } from './plan/budget.ts'
import { isWrong, type Wrong, wrong } from './plan/wrong.ts'
import { type Aliases, readWords } from './words.ts'

/** What commander hands over. */
export type Flags = {
  readonly type?: readonly string[]
  readonly count?: string
  readonly interval?: string
  readonly subnet?: readonly string[]
  readonly ecs?: readonly string[]
  readonly country?: readonly string[]
  readonly allowLongPrefix?: true
  readonly port?: string
  readonly ipv4?: true
  readonly ipv6?: true
  readonly timeout?: string
  readonly tries?: string
  readonly maxQueries?: string
  readonly rate?: string
  readonly seed?: string
  readonly alpha?: string
  readonly json?: true
  readonly short?: true
  readonly output?: string
  readonly color?: string
  readonly progress?: boolean
  readonly expect?: string
  readonly failOn?: readonly string[]
  readonly strict?: true
  readonly lenient?: true
  readonly exitZero?: true
  readonly thorough?: true
  readonly dryRun?: true
  readonly quiet?: true
  readonly verbose?: true
}

export type Options = {
  readonly names: readonly string[]
  readonly types: readonly string[]
  /** Empty: `@auth`. */
  readonly servers: readonly ServerWord[]
  readonly count: number | undefined
  readonly intervalMs: number
  readonly subnets: readonly string[]
  readonly prefixes: 'usual' | 'any'
  readonly countries: readonly string[] | undefined
  readonly port: number | undefined
  readonly families: Families
  readonly transport: Transport | undefined
  readonly recursion: 'desired' | 'not-desired'
  readonly size: number
  readonly timeoutMs: number
  readonly tries: number
  /** Most questions for one name and type. */
  readonly queries: number
  readonly rate: number
  readonly seed: number | undefined
  readonly alpha: number
  readonly samples: 'usual' | 'thorough'
  readonly format: 'person' | 'json' | 'short'
  readonly output: string | undefined
  readonly color: 'auto' | 'always' | 'never'
  readonly progress: 'auto' | 'on' | 'off'
  readonly expect: string | undefined
  readonly failOn: readonly Condition[]
  readonly inconclusive: 'report' | 'strict' | 'lenient'
  readonly findings: 'count' | 'exit-zero'
  readonly action: 'measure' | 'plan-only'
  readonly loudness: 'quiet' | 'usual' | 'verbose'
}

const DEFAULT_TYPES = ['A', 'AAAA'] as const
const DEFAULT_ALPHA = '0.001'
const THOROUGH_QUERIES = 2000

/** Reads flags and free words; the first mistake comes back. */
export function readOptions(words: readonly string[], flags: Flags): Options | Wrong {
  const read = readWords(words, flags.type ?? [])
  if (isWrong(read)) return read
  if (read.names.length === 0) return wrong('no name to ask for', 'add one: www.example.com')
  const { aliases } = read
  const wishes = readWishes(flags)
  if (isWrong(wishes)) return wishes
  try {
    return {
      names: read.names,
      types: read.types.length > 0 ? read.types : DEFAULT_TYPES,
      servers: read.servers,
      ...serverOptions(flags, aliases),
      ...panelOptions(flags, aliases),
      ...limitOptions(flags, aliases),
      ...outputOptions(flags, aliases),
      expect: flags.expect,
      failOn: wishes,
      inconclusive: flags.strict ? 'strict' : flags.lenient ? 'lenient' : 'report',
      findings: flags.exitZero ? 'exit-zero' : 'count',
      action: flags.dryRun ? 'plan-only' : 'measure',
    }
  } catch (cause) {
    if (cause instanceof Misuse) return cause.reason
    throw cause
  }
}

function serverOptions(flags: Flags, aliases: Aliases) {
  return {
    port: flags.port === undefined ? undefined : portOf(flags.port),
    families: familiesOf(flags),
    transport: aliases.transport,
    recursion: aliases.recursion ?? 'desired',
    size: whole('+bufsize', aliases.size ?? String(DEFAULT_MANNER.size), 512, 65_535),
  } as const
}

function panelOptions(flags: Flags, aliases: Aliases) {
  const alias = aliases.subnet === undefined ? [] : [aliases.subnet]
  return {
    count: flags.count === undefined ? undefined : whole('--count', flags.count, 1, 10_000),
    subnets: [...(flags.subnet ?? []), ...(flags.ecs ?? []), ...alias],
    prefixes: flags.allowLongPrefix ? 'any' : 'usual',
    countries: flags.country,
    samples: flags.thorough ? 'thorough' : 'usual',
    seed: flags.seed === undefined ? undefined : whole('--seed', flags.seed, 0, 0xffffffff),
    alpha: real('--alpha', flags.alpha ?? DEFAULT_ALPHA, 1e-6, 0.5),
  } as const
}

function limitOptions(flags: Flags, aliases: Aliases) {
  const timeout = flags.timeout ?? aliases.timeout ?? String(DEFAULT_MANNER.timeoutMs / 1000)
  const queries = flags.maxQueries ?? (flags.thorough ? THOROUGH_QUERIES : DEFAULT_QUERIES)
  return {
    intervalMs: Math.round(1000 * real('--interval', flags.interval ?? '0', 0, 3600)),
    timeoutMs: Math.round(1000 * real('--timeout', timeout, 0.01, 60)),
    tries: whole('--tries', flags.tries ?? aliases.tries ?? String(DEFAULT_MANNER.tries), 1, 10),
    queries: whole('--max-queries', String(queries), 1, 1_000_000),
    rate: real('--rate', flags.rate ?? String(DEFAULT_RATE), 0.01, 100_000),
  } as const
}

function outputOptions(flags: Flags, aliases: Aliases) {
  const short = flags.short || aliases.short
  const { progress } = flags
  return {
    format: flags.json ? 'json' : short ? 'short' : 'person',
    output: flags.output,
    color: colorOf(flags.color ?? 'auto'),
    progress: progress === undefined ? 'auto' : progress ? 'on' : 'off',
    loudness: flags.quiet ? 'quiet' : flags.verbose ? 'verbose' : 'usual',
  } as const
}

/** Carries a `Wrong` out of the middle of a long object; never leaves this file. */
class Misuse extends Error {
  readonly reason: Wrong

  constructor(reason: Wrong) {
    super(reason.wrong)
    this.reason = reason
  }
}

/** Whether a condition would be met by every result, since no verdict has such a name. */
function isVain(condition: Condition): boolean {
  return condition.kind === 'verdict-is-not' && !isWish(condition.wish)
}

function readWishes(flags: Flags): readonly Condition[] | Wrong {
  if (flags.strict === true && flags.lenient === true) {
    return wrong('--strict and --lenient are opposites', 'take one of them')
  }
  if (flags.expect !== undefined && !isWish(flags.expect)) {
    return wrong(
      `--expect ${flags.expect}: neither an answer nor a code`,
      'such as real, geo, none',
    )
  }
  const conditions: Condition[] = []
  for (const text of flags.failOn ?? []) {
    const condition = readCondition(text)
    if (condition === undefined || isVain(condition)) {
      return wrong(
        `--fail-on ${text}: no such condition`,
        'timeout, partial, rcode, no-ecs, fake-geo, mis-scoped, ns-inconsistent, inconclusive or verdict!=CODE',
      )
    }
    conditions.push(condition)
  }
  return conditions
}

function whole(flag: string, text: string, least: number, most: number): number {
  const value = /^[0-9]{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (value >= least && value <= most) return value
  throw new Misuse(wrong(`${flag} ${text}: not a whole number from ${least} to ${most}`))
}

function real(flag: string, text: string, least: number, most: number): number {
  const value = /^[0-9.]+(e-?[0-9]+)?$/.test(text) ? Number(text) : Number.NaN
  if (value >= least && value <= most) return value
  throw new Misuse(wrong(`${flag} ${text}: not a number from ${least} to ${most}`))
}

function portOf(text: string): number {
  const port = readPort(text)
  if (port !== undefined) return port
  throw new Misuse(wrong(`--port ${text}: not a port`, 'write 1 to 65535'))
}

function colorOf(text: string): Options['color'] {
  if (text === 'auto' || text === 'always' || text === 'never') return text
  throw new Misuse(wrong(`--color ${text}: not one of auto, always, never`))
}

function familiesOf(flags: Flags): Families {
  if (flags.ipv4 === true && flags.ipv6 === true) return 'both'
  if (flags.ipv4 === true) return 4
  return flags.ipv6 === true ? 6 : 'both'
}
