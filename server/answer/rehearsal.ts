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
  nodeFlags,
  nodeName,
  RRSET,
  rrsetWord,
  type Zones,
} from '../zone/zones.ts'
import type { World } from './world.ts'

/** Most names of a kind. */
const NAMES = 8
/** How many nodes are looked at, to find all kinds. */
const LOOKED = 1_000
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
/** A client's cookie, with NSID; and a whole one that nobody here has made. RFC 7873 §4. */
const COOKIE = hex(`${OPT} 00000000 0010 000a 0008 0102030405060708 0003 0000`)
const COOKIES = hex(
  `${OPT} 00000000 001c 000a 0018 0102030405060708 01000000 00000000 0102030405060708`,
)
/** In turn: a question has none, or one of these. */
const OPTS = [undefined, SUBNET_4, COOKIE, PLAIN, undefined, SUBNET_6, COOKIES, DNSSEC_OK, SUBNET_0]

/** The first octet of the flags: a query, NOTIFY, a response. RFC 1035 §4.1.1. */
const FLAGS = { query: 0x00, notify: 0x20, response: 0x80 } as const

type Question = { readonly name: Uint8Array; readonly type: number; readonly class: number }
/** Whose answer no zone here has, as a rule. */
const ROOT_A: Question = { name: ROOT, type: TYPE.A, class: CLASS.IN }

/** Whole messages: some hundreds, whatever the size of the World. */
export function rehearsal({ chaos, steering, zones }: World): Uint8Array[] {
  const steered = spread(steering.slots, NAMES).map(slot => steering.owners[slot] ?? ROOT)
  const questions = [
    ...ofEachKind(zones).flatMap(node => about(zones, node)),
    ...chaos.map(({ owner }) => ({ name: owner, type: TYPE.TXT, class: CLASS.CH })),
  ]
  return [
    ...questions.map((question, i) => message(question, OPTS[i % OPTS.length])),
    ...steered.flatMap(name => OPTS.map(opt => message({ ...ROOT_A, name }, opt))),
    ...odd(),
  ]
}

/** Nodes, some of each kind: apexes, cuts, aliases, wildcards, and all others. */
function ofEachKind(zones: Zones): number[] {
  const met = new Map<number, number>()
  return spread(zones.nodeCount, LOOKED).filter(node => {
    const kind = nodeFlags(zones, node)
    const before = met.get(kind) ?? 0
    met.set(kind, before + 1)
    return before < NAMES
  })
}

/** At most so many of so many numbers from 0, evenly spread. */
function spread(count: number, most: number): number[] {
  const length = Math.min(count, most)
  return Array.from({ length }, (_, i) => Math.floor((i * count) / length))
}

function typesOf(zones: Zones, node: number): number[] {
  const row = node * NODE_WORDS
  const first = zones.nodes[row + NODE.RRSET] ?? 0
  const length = zones.nodes[row + NODE.RRSETS] ?? 0
  return Array.from({ length }, (_, i) => rrsetWord(zones, first + i, RRSET.TYPE))
}

/** Asks for a name, and for one below it. */
function about(zones: Zones, node: number): Question[] {
  const name = nodeName(zones, node)
  const types = [...TYPES, ...typesOf(zones, node)]
  return [
    ...types.map(type => ({ ...ROOT_A, name, type })),
    ...TYPES.map(type => ({ ...ROOT_A, name: below(name), type })),
  ]
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
  return [
    message(ROOT_A),
    message(ROOT_A, PLAIN),
    message(ROOT_A, VERSION_1),
    message(ROOT_A, MALFORMED),
    message(ROOT_A, undefined, FLAGS.notify),
    message(ROOT_A, undefined, FLAGS.response),
    message({ ...ROOT_A, class: CLASS.ANY }),
    message({ ...ROOT_A, type: TYPE.AXFR }),
    message(ROOT_A).subarray(0, 13),
    new Uint8Array(0),
  ]
}
