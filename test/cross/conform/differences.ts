/**
 * Every class of difference between NSD 4.6, Knot 3.2, BIND 9.18 and lbdns that the questions bring
 * up: who stands apart, and by which clause that may be so. The test fails where a difference has no
 * row, and where a row has no difference.
 */
import { ASPECTS, type Aspect, type Case, type Row } from './compare.ts'

const ALL: readonly Aspect[] = ASPECTS.filter(aspect => aspect !== 'question')

const TYPE = { NS: 2, CNAME: 5, RRSIG: 46, NSEC: 47, NSEC3: 50, DS: 43, ANY: 255 } as const
const YXDOMAIN = 6
const TRANSFERS = [251, 252]
const MAIL = [253, 254]
/** OPT, reserved meta-types, TKEY, TSIG: of no record in a zone. RFC 6895 §3.1. */
const NEVER = [41, 128, 249, 250]

const isIn = ({ question }: Case): boolean => question.class === 1
const asks = (one: Case, ...types: readonly number[]): boolean =>
  isIn(one) && types.includes(one.question.type)
const isBelow = ({ name }: Case, zone: string): boolean =>
  name === zone || name.endsWith(`.${zone}`)
const links = ({ told }: Case): number =>
  Math.max(
    ...Object.values(told).map(
      ({ answer }) => answer.filter(set => set.split(' ')[1] === `TYPE${TYPE.CNAME}`).length,
    ),
  )
/** The last link leads to a name that has been. */
const isRing = (one: Case): boolean =>
  isIn(one) &&
  Object.values(one.told).some(({ answer }) => {
    const sets = answer.map(set => set.split(/[ ;]+/))
    const owners = sets.map(([owner]) => owner)
    const [, , , , target] = sets.filter(([, type]) => type === `TYPE${TYPE.CNAME}`).at(-1) ?? []
    return owners.includes(target)
  })
const hasAlias = (one: Case): boolean => isIn(one) && links(one) > 0
/** Behind an alias it may be too, and is authoritative then: RFC 6604 §2.1. */
const isReferral = (one: Case): boolean =>
  isIn(one) &&
  Object.values(one.told).some(({ authority }) =>
    authority.some(record => record.split(' ')[3] === `TYPE${TYPE.NS}`),
  )
/** Some reply is near the size that the client takes. */
const isLarge = ({ told, question }: Case): boolean => {
  const limit = Math.min(Math.max(question.edns?.size ?? 512, 512), 1232)
  const most = Math.max(...Object.values(told).map(({ octets }) => octets))
  return question.over === 'udp' && (Object.values(told).some(({ tc }) => tc) || most > limit - 80)
}

// biome-ignore format: table
export const DIFFERENCES: readonly Row[] = [
  // Classes and types that no zone has.
  { shape: 'a class that is neither IN nor *', who: ['bind'], aspects: ALL,
    clause: 'RFC 1035 §4.1.1', why: 'BIND says FORMERR or NOTIMP, the others REFUSED',
    applies: one => !isIn(one) && one.question.class !== 255 },
  { shape: 'a class other than IN', who: ['nsd'], aspects: ['question'],
    clause: 'RFC 1035 §7.3', why: 'NSD leaves the question out of its REFUSED',
    applies: one => !isIn(one) },
  { shape: 'class *', who: ['nsd', 'bind', 'lbdns'], aspects: ['rcode', 'aa', 'answer', 'authority', 'additional', 'tc'],
    clause: 'RFC 1035 §3.2.5', why: 'we serve one class and say REFUSED to *, BIND FORMERR; NSD answers without AA and SOA, Knot as to IN',
    applies: one => one.question.class === 255 },
  { shape: 'AXFR, IXFR', who: ['nsd', 'knot', 'lbdns'], aspects: ['rcode'],
    clause: 'RFC 5936 §2.2.1', why: 'no zone is transferred: we say REFUSED whatever the name, as policy; peers NOTAUTH, NOTIMP or REFUSED by name and transport',
    applies: one => asks(one, ...TRANSFERS) },
  { shape: 'MAILA, MAILB', who: ['bind'], aspects: ALL,
    clause: 'RFC 1035 §3.2.3', why: 'BIND says NOTIMP; to the others they are types that no name has',
    applies: one => asks(one, ...MAIL) },
  { shape: 'OPT, TKEY, TSIG and reserved meta-types', who: ['bind'], aspects: ALL,
    clause: 'RFC 6895 §3.1', why: 'BIND says FORMERR; to the others they are types that no name has',
    applies: one => asks(one, ...NEVER) },
  { shape: 'type 0', who: ['knot'], aspects: ALL,
    clause: 'RFC 6895 §3.1', why: 'Knot says NOTIMP; to the others it is a type that no name has', isOurs: true,
    applies: one => asks(one, 0) },
  { shape: 'RRSIG, NSEC at an alias of a zone without signatures', who: ['knot', 'bind'], aspects: ['answer', 'authority', 'rcode', 'additional'],
    clause: 'RFC 4035 §2.5', why: 'they stand beside a CNAME, so Knot and BIND do not follow it for them; NSD and we do',
    applies: one => asks(one, TYPE.RRSIG, TYPE.NSEC) && hasAlias(one) },
  { shape: 'NSEC3 at an alias', who: ['nsd'], aspects: ['answer', 'authority', 'rcode', 'additional'],
    clause: 'RFC 1034 §3.6.2', why: 'an alias is followed for all types but CNAME; NSD does not for this one',
    applies: one => asks(one, TYPE.NSEC3) && hasAlias(one) },
  { shape: 'ANY', who: ['lbdns', 'knot', 'bind'], aspects: ['answer', 'tc', 'additional'],
    clause: 'RFC 8482 §4', why: 'we answer HINFO (§4.2), Knot and BIND one RRset of their choice (§4.1), NSD all',
    applies: one => asks(one, TYPE.ANY) },

  // Flags.
  { shape: 'CD in the query', who: ['nsd', 'knot'], aspects: ['cd'],
    clause: 'RFC 4035 §3', why: 'BIND and we copy CD; NSD and Knot clear it',
    applies: one => (one.question.flags & 0x10) !== 0 },
  { shape: 'CD in the query, of a zone that BIND does not hold', who: ['lbdns'], aspects: ['cd'],
    clause: 'RFC 4035 §3', why: 'the same',
    applies: one => (one.question.flags & 0x10) !== 0 && one.told.bind === undefined },
  { shape: 'AD or DO in the query', who: ['bind'], aspects: ['ad'],
    clause: 'RFC 4035 §3.1.6', why: 'BIND now and then sets AD where there is nothing that could be authentic',
    applies: one => (one.question.flags & 0x20) !== 0 || one.question.edns?.isDo === true },

  // Aliases and renames.
  { shape: 'more links than a server follows in one reply', who: ['lbdns', 'knot', 'bind'], aspects: ['answer', 'authority', 'rcode', 'additional', 'tc'],
    clause: 'RFC 1034 §3.6.2', why: 'we hand out 8 links and the resolver goes on from the last; BIND 11 and then SERVFAIL, Knot 5; NSD all',
    applies: one => hasAlias(one) && links(one) > 4 },
  { shape: 'aliases or renames in a ring', who: ['bind', 'knot'], aspects: ['answer', 'rcode', 'authority', 'additional'],
    clause: 'RFC 1034 §3.6.2', why: 'BIND says SERVFAIL; Knot repeats links; NSD and we hand out the ring once',
    applies: isRing },
  { shape: 'an alias into another zone of ours', who: ['knot'], aspects: ['authority', 'additional'],
    clause: 'RFC 1034 §4.3.2', why: 'nobody goes on in the other zone; where the target is below a cut of this one, Knot adds the referral',
    applies: hasAlias },

  { shape: 'ANY below a rename', who: ['nsd', 'knot'], aspects: ['rcode', 'authority', 'additional', 'answer'],
    clause: 'RFC 8482 §4', why: 'BIND and we answer with the rename, one RRset that is there; NSD and Knot go on',
    applies: one => asks(one, TYPE.ANY) && hasAlias(one) },
  { shape: 'aliases that are cut off', who: ['knot', 'bind'], aspects: ['rcode', 'authority'],
    clause: 'RFC 6604 §3', why: 'the code is that of the last name: Knot says that of the last that fits, BIND SERVFAIL in a ring',
    applies: one => isIn(one) && isLarge(one) },
  { shape: 'a rename to a name that is too long', who: ['knot'], aspects: ['rcode', 'authority'],
    clause: 'RFC 6672 §2.2', why: 'YXDOMAIN; Knot says NXDOMAIN where the name asked for is long itself',
    applies: ({ told }) => told.nsd?.rcode === YXDOMAIN },
  { shape: 'below a DNAME at a wildcard', who: ['knot'], aspects: ['answer'],
    clause: 'RFC 6672 §3.3', why: 'Knot makes the DNAME of the name asked for, as if the wildcard covered what lies below itself',
    applies: one => isBelow(one, '*.dname.wild.test.') },

  // Cuts.
  { shape: 'a cut at a wildcard', who: ['knot'], aspects: ALL,
    clause: 'RFC 4592 §4.2', why: 'left open; Knot delegates every name below, NSD and we answer NS like any type; BIND will not load it',
    applies: one => isBelow(one, 'wildcut.test.') },
  { shape: 'DS of a zone whose parent is not served, but its parent', who: ['lbdns'], aspects: ['aa', 'authority', 'additional'],
    clause: 'RFC 4035 §3.1.4.1', why: 'authoritative for the child and not for the zone above the cut: the child says no data; peers refer to the parent',
    applies: one => one.name === 'low.gap.deleg.test.' && asks(one, TYPE.DS) },
  { shape: 'a referral whose glue does not fit', who: ['nsd', 'bind'], aspects: ['tc', 'additional'],
    clause: 'RFC 9471 §3.1', why: 'NSD and BIND leave glue out without TC; all of it must be there', isOurs: true,
    applies: one => isReferral(one) && isLarge(one) },
  { shape: 'a referral with glue of a sibling', who: ['bind'], aspects: ['additional'],
    clause: 'RFC 9471 §3.2', why: 'may be left out; BIND with minimal responses does',
    applies: isReferral },
  { shape: 'a name server that a wildcard covers', who: ['nsd', 'knot'], aspects: ['additional'],
    clause: 'RFC 9471 §3.2', why: 'NSD and Knot make glue from the wildcard; it is a sibling and may be left out',
    applies: isReferral },

  // What nobody has to add.
  { shape: 'NS as the answer', who: ['lbdns', 'bind'], aspects: ['additional'],
    clause: 'RFC 1034 §4.3.2 6', why: 'addresses of name servers are no part of the answer: we leave them out, BIND by size',
    applies: one => asks(one, TYPE.NS) },
  { shape: 'data that names hosts', who: ['knot'], aspects: ['additional'],
    clause: 'RFC 1034 §4.3.2 6', why: 'Knot adds addresses of hosts that MX, SRV and the like name; nobody else with minimal responses',
    applies: isIn },
  { shape: 'a reply that hardly fits', who: ['bind', 'knot', 'nsd'], aspects: ['tc'],
    clause: 'RFC 1035 §4.1.4', why: 'who compresses less is truncated sooner',
    applies: isLarge },
]
