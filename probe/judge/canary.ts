/**
 * What became of one canary: what its authority was told, beside what was sent. Knows no other canary
 * and no verdict.
 */
import { type Reflection, readReflection, sharesBits, type Told } from './mirror.ts'
import type { Observation } from './observation.ts'
import { type EchoState, echoState } from './reply.ts'

/** `truncated`: a shorter prefix of the same; `replaced`: another network. */
export type Fate =
  | 'as-sent' | 'truncated' | 'replaced' | 'stripped' | 'refused' | 'failed' | 'silent' | 'unseen' // biome-ignore format: list

/** A canary and what came of it. */
export type CanarySeen = {
  readonly kind: string
  readonly seen: Observation
}

export type CanaryFate = {
  readonly kind: string
  readonly sent: string | undefined
  readonly fate: Fate
  /** What the authority was told; absent where nothing was, or it is not known. */
  readonly told: string | undefined
  /** The address that it was asked from. */
  readonly egress: string | undefined
  readonly echo: EchoState
  /** SCOPE that the authority gave, where known, and that came back. */
  readonly scope: { readonly given: number | undefined; readonly got: number | undefined }
  /** The reply code, or why there is none. */
  readonly reply: string
}

export function fateOf({ kind, seen }: CanarySeen): CanaryFate {
  const reflection = seen.error === undefined ? readReflection(seen.answers) : undefined
  return {
    kind,
    sent: seen.sent?.text,
    fate: reflection === undefined ? withoutMirror(seen) : compared(seen, reflection),
    told: reflection?.told?.text,
    egress: reflection?.egress,
    echo: echoState(seen),
    scope: { given: reflection?.scope, got: seen.echo?.scope },
    reply: seen.rcode ?? seen.error ?? 'none',
  }
}

function withoutMirror({ error, rcode }: Observation): Fate {
  if (error !== undefined) return 'silent'
  if (rcode === 'REFUSED' || rcode === 'FORMERR' || rcode === 'NOTIMP') return 'refused'
  return rcode === 'NOERROR' || rcode === 'NXDOMAIN' ? 'unseen' : 'failed'
}

/** Host bits are left aside here: they are another way. */
function compared({ sent }: Observation, { told }: Reflection): Fate {
  if (told === undefined) return 'stripped'
  if (sent === undefined) return 'replaced'
  if (sent.source === 0) return told.source === 0 ? 'as-sent' : 'replaced'
  if (told.source === 0) return 'stripped'
  const isWithin = told.family === sent.family && told.source <= sent.source
  if (!isWithin || !sharesBits(octetsSent(sent), told.octets, told.source)) return 'replaced'
  return told.source === sent.source ? 'as-sent' : 'truncated'
}

function octetsSent(sent: NonNullable<Observation['sent']>): readonly number[] {
  const size = sent.family === 1 ? 4 : 16
  return Array.from({ length: size }, (_, at) =>
    Number.parseInt(sent.address.slice(2 * at, 2 * at + 2) || '0', 16),
  )
}

/** Whether a network that an authority was told of has bits set past its length. */
export function hasStrayBits({ octets, source }: Told): boolean {
  return !octets.every((octet, at) => {
    const past = 0xff >> Math.min(8, Math.max(0, source - at * 8))
    return (octet & past) === 0
  })
}
