/**
 * Questions that nobody asked, of every kind that somebody may: for each way through a World some that
 * go it. Whoever serves answers them before the first client asks, so that no way is new then: V8
 * compiles a function for the ways it has gone, and gives that up at the first other one.
 */
import { MAX_NAME, ROOT } from '../dns/name.ts'
import { hex, joined } from '../dns/octets.ts'
import { CLASS, TYPE } from '../dns/rrtype.ts'
import {
  NODE,
  NODE_WORDS,
  nodeName,
  RRSET,
  rrsetWord,
  type Zones,
  zoneName,
} from '../zone/zones.ts'
import type { World } from './world.ts'

/** Most names of a kind: nodes, apexes, steered names. */
const NAMES = 8
/** A name is asked for these, and for the types that it has. */
const TYPES = [TYPE.A, TYPE.AAAA, TYPE.TXT, TYPE.ANY]
const LABEL = hex('06 6e6f626f6479')

/** The root, OPT, 1,232 octets; then version, flags and options. RFC 6891 §6.1.2. */
const OPT = '00 0029 04d0'
const PLAIN = hex(`${OPT} 00000000 0000`)
const DNSSEC_OK = hex(`${OPT} 00008000 0000`)
const VERSION_1 = hex(`${OPT} 00010000 0000`)
/** 198.51.100.0/24, 2001:db8::/56, and /0, which tells nothing. RFC 7871 §6. */
const SUBNET_4 = hex(`${OPT} 00000000 000b 0008 0007 0001 1800 c63364`)
const SUBNET_6 = hex(`${OPT} 00000000 000f 0008 000b 0002 3800 20010db8000000`)
const SUBNET_0 = hex(`${OPT} 00000000 0008 0008 0004 0001 0000`)
const MALFORMED = hex(`${OPT} 00000000 0008 0008 0004 0001 2100`)
/** In turn: a question has none, or one of these. */
const OPTS = [undefined, SUBNET_4, PLAIN, undefined, SUBNET_6, DNSSEC_OK, SUBNET_0]

/** The first octet of the flags: a query, NOTIFY, a response. RFC 1035 §4.1.1. */
const FLAGS = { query: 0x00, notify: 0x20, response: 0x80 } as const

type Question = { readonly name: Uint8Array; readonly type: number; readonly class: number }

/** Whole messages: some hundreds, whatever the size of the World. */
export function rehearsal({ chaos, steering, zones }: World): Uint8Array[] {
  const owners = [
    ...spread(zones.zoneCount, zone => zoneName(zones, zone)),
    ...spread(steering.owners.length, slot => steering.owners[slot] ?? ROOT),
    ...spread(zones.nodeCount, node => nodeName(zones, node)),
  ]
  const types = spread(zones.nodeCount, node => typesOf(zones, node)).flat()
  const all = [...new Set([...TYPES, ...types])]
  const questions = owners.flatMap(owner => [...asked(owner, all), ...asked(below(owner), TYPES)])
  const texts = chaos.map(({ owner }) => ({ name: owner, type: TYPE.TXT, class: CLASS.CH }))
  return [
    ...[...questions, ...texts].map((one, i) => message(one, OPTS[i % OPTS.length])),
    ...odd(),
  ]
}

/** What an even spread of so many numbers stands for. */
function spread<T>(count: number, of: (number: number) => T): T[] {
  const length = Math.min(count, NAMES)
  return Array.from({ length }, (_, i) => of(Math.floor((i * count) / length)))
}

function typesOf({ nodes, ...zones }: Zones, node: number): number[] {
  const row = node * NODE_WORDS
  const first = nodes[row + NODE.RRSET] ?? 0
  const length = nodes[row + NODE.RRSETS] ?? 0
  return Array.from({ length }, (_, i) => rrsetWord({ nodes, ...zones }, first + i, RRSET.TYPE))
}

function asked(name: Uint8Array, types: readonly number[]): Question[] {
  return types.map(type => ({ name, type, class: CLASS.IN }))
}

/** A name that hardly exists: it is missing, a wildcard's, or below a cut. */
function below(owner: Uint8Array): Uint8Array {
  return owner.length + LABEL.length > MAX_NAME ? owner : joined([LABEL, owner])
}

/** A message whose id is 0. RFC 1035 §4.1. */
function message(
  { name, type, class: of }: Question,
  opt?: Uint8Array,
  flags: number = FLAGS.query,
) {
  const header = Uint8Array.of(0, 0, flags, 0, 0, 1, 0, 0, 0, 0, 0, opt === undefined ? 0 : 1)
  const fields = Uint8Array.of(type >>> 8, type & 0xff, of >>> 8, of & 0xff)
  return joined([header, name, fields, opt ?? new Uint8Array(0)])
}

/** What is refused, or not answered at all. */
function odd(): Uint8Array[] {
  const plain = { name: ROOT, type: TYPE.A, class: CLASS.IN }
  return [
    message(plain),
    message(plain, PLAIN),
    message(plain, VERSION_1),
    message(plain, MALFORMED),
    message(plain, undefined, FLAGS.notify),
    message(plain, undefined, FLAGS.response),
    message({ ...plain, class: CLASS.ANY }),
    message({ ...plain, type: TYPE.AXFR }),
    message(plain).subarray(0, 13),
    new Uint8Array(0),
  ]
}
