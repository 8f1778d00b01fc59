/**
 * What is asked once the main rounds are over: private subnets, types that DNSSEC reads, and, where
 * the user wants it, malformed options. Few questions, and none of them moves a verdict.
 */

import { malformedSubnets } from './hostile.ts'
import type { Question, Subnet } from './question.ts'
import type { Subject } from './rounds.ts'
import { subnetOf } from './subnet.ts'

/** Subnets that nobody has on the Internet: RFC 1918 and RFC 4193. */
const PRIVATE4 = subnetOf(1, Uint8Array.of(10, 53, 0, 0), 24, undefined)
const PRIVATE6 = subnetOf(
  2,
  Uint8Array.from({ length: 16 }, (_, at) => (at === 0 ? 0xfd : 0)),
  56,
  undefined,
)

/** Three replies alike are no rotation. */
const PRIVATE_TIMES = 3

/** Whether a server tailors for private subnets: one of each family that the panel has. RFC 7871 §10. */
export function privateQuestions(
  subject: Subject,
  panel: readonly Subnet[],
  round: number,
): readonly Question[] {
  const families = new Set(panel.map(({ family }) => family))
  const subnets = [...(families.has(1) ? [PRIVATE4] : []), ...(families.has(2) ? [PRIVATE6] : [])]
  return subnets.flatMap(subnet =>
    Array.from(
      { length: PRIVATE_TIMES },
      (): Question => ({ ...subject, subnet, round, purpose: 'private' }),
    ),
  )
}

/** What a validator asks for: the same for everybody, whoever asks. RFC 7871 §7.3.1. */
const SIGNING_TYPES = ['DNSKEY', 'DS', 'NSEC'] as const

export function signingQuestions(
  subject: Subject,
  panel: readonly Subnet[],
  round: number,
): readonly Question[] {
  const [subnet] = panel
  return SIGNING_TYPES.map(type => ({ ...subject, type, subnet, round, purpose: 'signing' }))
}

export function hostileQuestions(
  subject: Subject,
  panel: readonly Subnet[],
  round: number,
): readonly Question[] {
  const whole = panel.find(({ source }) => source >= 8 && source % 8 === 0)
  return malformedSubnets(whole ?? PUBLIC).map(subnet => ({
    ...subject,
    subnet,
    round,
    purpose: 'hostile',
  }))
}

/** Where the panel has no subnet of whole octets. */
const PUBLIC = subnetOf(1, Uint8Array.of(128, 32, 0, 0), 24, undefined)
