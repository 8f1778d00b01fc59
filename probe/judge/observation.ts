/**
 * What was seen: one question sent and what came back, as plain data. Everything in `judge/` starts
 * from a list of these, live or replayed. Knows nothing of sockets or of how replies are decoded.
 */

/** How a query travelled. */
export const TRANSPORTS = ['udp', 'tcp', 'tls', 'https', 'json'] as const

/** What a query was for. The last three are asked beside, and move no verdict. */
export const PURPOSES = [
  ...(['sample', 'control', 'scope', 'again'] as const),
  ...(['private', 'signing', 'hostile'] as const),
] as const

/** Why there is no usable reply. */
export const FAILURES = [
  ...(['timeout', 'unreachable', 'malformed', 'truncated', 'closed'] as const),
  ...(['certificate', 'handshake', 'http'] as const),
] as const

/** The ECS option of a reply, byte for byte as it came. */
export type Echo = {
  readonly family: number
  readonly source: number
  readonly scope: number
  /** The ADDRESS octets, lower-case hex. */
  readonly address: string
}

export type Observation = {
  /** Order of sending, from 0. */
  readonly sequence: number
  /** Milliseconds since the measurement began. */
  readonly at: number
  readonly name: string
  readonly type: string
  /** `address#port` of the name server asked; a URL where it was asked over an encrypted transport. */
  readonly server: string
  readonly transport: (typeof TRANSPORTS)[number]
  readonly round: number
  readonly purpose: (typeof PURPOSES)[number]
  /** The client subnet sent, or absent. */
  readonly sent:
    | {
        readonly text: string
        readonly family: 1 | 2
        readonly source: number
        /** ADDRESS octets as sent, lower-case hex. */
        readonly address: string
        readonly region: string | undefined
        /** What was wrong with the option on purpose: `host-bits`, `too-few-octets`, … */
        readonly malformed?: string
      }
    | undefined
  /** Absent when there is a usable reply. */
  readonly error: (typeof FAILURES)[number] | undefined
  /** Reply code as text, `NOERROR`; absent with an error. */
  readonly rcode: string | undefined
  readonly flags: { readonly aa: boolean; readonly tc: boolean; readonly ra: boolean }
  /** The ECS option that came back, or absent. */
  readonly echo: Echo | undefined
  /** Whether the reply carried an OPT record. */
  readonly edns: boolean
  /** Final RRset in the order received: addresses as text, or presentation rdata of the type asked. */
  readonly answers: readonly string[]
  /** Owner names of the CNAME chain's targets, in order; empty without CNAME. */
  readonly chain: readonly string[]
  /** Smallest TTL of the answer section; absent where it is empty. */
  readonly ttl: number | undefined
  /** Whether a SOA came in the authority section. */
  readonly soa: boolean
  /** The zone that the reply refers to other name servers for; absent: it is no referral. */
  readonly referral?: string
  /** NSID of the instance as text, or absent. */
  readonly instance: string | undefined
  readonly milliseconds: number
  /** What was odd but survivable: `wrong-id`, `wrong-question`, `wrong-source`, `cname-after-address`, `cname-loop`, `other-owner`, `opt-misplaced`, `no-edns-retry`, `tcp-retry`, `rate-slip`, `tcp-after-drop`, `unauthenticated`, … */
  readonly oddities: readonly string[]
}
