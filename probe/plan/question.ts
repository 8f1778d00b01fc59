/**
 * What is asked: one question, and which client it is asked for. Subnets are plain data with their
 * wire octets, so that what is sent and what is judged is the same thing.
 */

/** A client network put into an ECS option. RFC 7871 §6. */
export type Subnet = {
  /** `128.32.0.0/24`, host bits cleared. */
  readonly text: string
  /** 1 IPv4, 2 IPv6. */
  readonly family: 1 | 2
  /** SOURCE PREFIX-LENGTH. 0: the client would rather not say. */
  readonly source: number
  /** Exactly ceil(source / 8) octets. */
  readonly octets: Uint8Array
  /** Where it is, as far as known: a country code. */
  readonly region: string | undefined
  /** Sent on purpose to see whether it is refused; absent: well-formed. */
  readonly malformed?: Malformed
  /** The whole data of a malformed option, as they are sent. */
  readonly data?: Uint8Array
}

/** The clause of RFC 7871 §6 that a malformed option breaks. */
export type Malformed =
  | 'host-bits'
  | 'too-few-octets'
  | 'too-many-octets'
  | 'source-too-long'
  | 'unknown-family'
  | 'scope-set'

export type Question = {
  /** Without a trailing dot; the root is `.`. */
  readonly name: string
  readonly type: string
  /** Absent: no ECS option is sent. */
  readonly subnet: Subnet | undefined
  /** Complete rounds are numbered from 1; controls and checks carry the round they were made in. */
  readonly round: number
  readonly purpose: 'sample' | 'control' | 'scope' | 'again' | 'private' | 'signing' | 'hostile'
}
