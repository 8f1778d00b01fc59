/**
 * What the fields of one record owe to each other: the checks that no single field can make.
 */
import { type Wrong, wrong } from '../fault.ts'
import { u8 } from './octets.ts'
import { TYPE } from './rrtype.ts'

/**
 * Finds what is wrong with fields that are each well formed.
 *
 * @param pieces the octets of each field, in order
 */
export function flawOf(type: number, pieces: readonly Uint8Array[]): Wrong | undefined {
  switch (type) {
    case TYPE.DS:
    case TYPE.CDS:
      return digestFlaw(pieces)
    default:
      return undefined
  }
}

/** SHA-1, SHA-256, GOST, SHA-384: octets of their digests (IANA). */
const DIGEST_LENGTH: Readonly<Record<number, number>> = { 1: 20, 2: 32, 3: 32, 4: 48 }

function digestFlaw([, , digestType, digest]: readonly Uint8Array[]): Wrong | undefined {
  if (digestType === undefined || digest === undefined) return undefined
  const length = DIGEST_LENGTH[u8(digestType, 0)] ?? digest.length
  if (digest.length === length) return undefined
  return wrong(`the digest has ${digest.length} octets, and its type takes ${length}`)
}
