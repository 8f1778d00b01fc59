/** The flags of `resolver`, from strings to what can be used, and what its help says of them. */

import type { ServerWord } from '../ask/server.ts'
import { RESOLVER_VERDICTS, type ResolverVerdict } from '../judge/calibrate.ts'
import { isWrong, type Wrong, wrong } from '../plan/wrong.ts'
import { readName, readWords } from '../words.ts'
import { SERVER_FORMATS } from './formats.ts'
import { LIMIT_FLAGS, type LimitFlags, type LimitOptions, limitOptions } from './limits.ts'
import {
  type OutputFlags, type OutputOptions, outputFlags, outputOptions,
} from './output.ts' // biome-ignore format: list
import { attempt, type FlagRow, Misuse } from './read.ts'
import {
  SERVER_FLAGS, type ServerFlags, type ServerOptions, serverOptions,
} from './servers.ts' // biome-ignore format: list

export type ResolverFlags = ServerFlags &
  LimitFlags &
  OutputFlags & {
    readonly zone?: string
    readonly allowLongPrefix?: true
    readonly expect?: string
  }

export type ResolverOptions = ServerOptions &
  LimitOptions &
  OutputOptions & {
    readonly servers: readonly ServerWord[]
    /** Absent: public ones. */
    readonly zone: string | undefined
    readonly prefixes: 'usual' | 'any'
    readonly expect: ResolverVerdict | undefined
  }

/** A zone's own name servers are no resolvers. */
const SERVER_ONLY = SERVER_FLAGS.filter(([flag]) => !/--(type|auth)\b/.test(flag))

// biome-ignore format: table
export const RESOLVER_FLAGS: readonly FlagRow[] = [
  ['--zone <name>', 'zone that reflects client subnets (default: public ones)'],
  ['--allow-long-prefix', 'also send prefixes longer than /24'],
  ['--expect <verdict>', `exit 1 unless every resolver ${RESOLVER_VERDICTS.join(', ')}`],
  ...SERVER_ONLY,
  ...LIMIT_FLAGS,
  ...outputFlags(SERVER_FORMATS),
]

export const RESOLVER_MORE = `
Zones that reflect: o-o.myaddr.l.google.com and whoami.ds.akahelp.net (tried in this order), and
whoami.lab.test of \`lbprobe lab\`, which also tells scopes and takes any name below it. Through a
resolver on this machine nothing is sent to public zones unless you name one.

Exit: 0 measured · 1 an expectation failed · 2 wrong usage · 3 unknown where something was expected ·
9 no reply · 10 our fault · 130 interrupted`

export function resolverOptions(
  words: readonly string[],
  flags: ResolverFlags,
): ResolverOptions | Wrong {
  const read = readWords(words, [])
  if (isWrong(read)) return read
  const [name] = [...read.names, ...read.types]
  if (name !== undefined) {
    return wrong(`"${name}" is not a resolver`, `write @${name}, or --zone ${name} for a zone`)
  }
  const zone = flags.zone === undefined ? undefined : readName(flags.zone)
  if (isWrong(zone)) return zone
  const { aliases } = read
  return attempt(() => ({
    servers: read.servers,
    zone,
    prefixes: flags.allowLongPrefix ? 'any' : 'usual',
    expect: verdictOf(flags.expect),
    ...serverOptions(flags, aliases),
    ...limitOptions(flags, aliases),
    ...outputOptions(flags, aliases, SERVER_FORMATS),
  }))
}

function verdictOf(text: string | undefined): ResolverVerdict | undefined {
  const known = RESOLVER_VERDICTS.find(verdict => verdict === text)
  if (text === undefined || known !== undefined) return known
  throw new Misuse(wrong(`--expect ${text}: no such verdict`, RESOLVER_VERDICTS.join(', ')))
}
