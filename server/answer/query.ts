/**
 * What one message asks, as `read` found it. One mutable `Query` a thread, filled anew for every
 * message, so that reading allocates nothing.
 */
import { type Edns, edns } from '../dns/edns.ts'
import { type NameBuffer, nameBuffer } from '../dns/name.ts'
import { type ClientSubnet, clientSubnet } from '../dns/subnet.ts'

export type Query = {
  id: number
  /** Octets of the message. */
  length: number
  /** The flags field as it came: QR, opcode, AA … RCODE. */
  flags: number
  /** QNAME, case kept. Meaningless while `questionEnd` is 12. */
  readonly name: NameBuffer
  type: number
  class: number
  /** First octet after the question; 12 where no question could be read. */
  questionEnd: number
  /** The OPT record; `present` is false without one. */
  readonly edns: Edns
  /** The first valid ECS option, to be echoed. `family` 0: none came, or it is switched off. */
  readonly subnet: ClientSubnet
  /** Later ECS options are checked here and then forgotten. */
  readonly spare: ClientSubnet
  /** Bits of `ASKED`: options that want an answer. */
  asked: number
  /** One of `COOKIE`: what the sender has shown of itself. The cookie is in the desk's jar. */
  cookie: number
  /** Most octets the reply may have. */
  limit: number
}

export function query(): Query {
  return {
    id: 0,
    length: 0,
    flags: 0,
    name: nameBuffer(),
    type: 0,
    class: 0,
    questionEnd: 0,
    edns: edns(),
    subnet: clientSubnet(),
    spare: clientSubnet(),
    asked: 0,
    cookie: 0,
    limit: 0,
  }
}
