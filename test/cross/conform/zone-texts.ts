/**
 * Zones of a kind each, as master files: every shape that a wildcard, an alias, a rename or a cut can
 * have. Which names are asked of them is `questions.ts`'s. Nothing here knows a server.
 */

export type ZoneText = {
  /** Absolute, as it stands in a configuration: `example.` */
  readonly origin: string
  readonly text: string
  /** Peers that refuse to load it, and so are not asked about it. */
  readonly without?: readonly ('nsd' | 'knot' | 'bind')[]
}

/** The head of a zone: SOA with a MINIMUM below its TTL, and name servers elsewhere. */
export function head(origin: string, minimum = 60, soaTtl = 300): string {
  return `$ORIGIN ${origin}
$TTL 300
@ ${soaTtl} SOA ns.invalid. host.invalid. 1 7200 900 1209600 ${minimum}
@ NS ns1.invalid.
@ NS ns2.invalid.
`
}

function zone(origin: string, records: string): ZoneText {
  return { origin, text: head(origin) + records }
}

/** RFC 4592 §2.2.1, record for record. */
const RFC_4592: ZoneText = {
  origin: 'example.',
  text: `$ORIGIN example.
example.                 3600 IN  SOA   ns.example.com. host.example.net. 1 2 3 4 5
example.                 3600     NS    ns.example.com.
example.                 3600     NS    ns.example.net.
*.example.               3600     TXT   "this is a wildcard"
*.example.               3600     MX    10 host1.example.
sub.*.example.           3600     TXT   "this is not a wildcard"
host1.example.           3600     A     192.0.2.1
_ssh._tcp.host1.example. 3600     SRV   0 0 22 host1.example.
_ssh._tcp.host2.example. 3600     SRV   0 0 22 host2.example.
subdel.example.          3600     NS    ns.example.com.
subdel.example.          3600     NS    ns.example.net.
`,
}

/** RFC 4592 §2, §3, §4: one wildcard a type, an ENT above and below, stars where they are none. */
const WILDCARDS = zone(
  'wild.test.',
  String.raw`
*.a            A     192.0.2.1
*.a            AAAA  2001:db8::1
x.a            TXT   "explicit hides the wildcard"
*.cname        CNAME target
*.cname-out    CNAME a.elsewhere.invalid.
*.cname-miss   CNAME nowhere
*.cname-loop   CNAME again.cname-loop
*.cname-self   CNAME *.cname-self
*.cname-wild   CNAME y.a
*.dname        DNAME a
*.mx           MX    10 target
*.mx           MX    20 y.a
*.srv          SRV   1 2 3 target
*.soa-like     TXT   "no SOA here"
*.ds           DS    1 8 2 0000000000000000000000000000000000000000000000000000000000000000
*.ent.deep     A     192.0.2.2
b.c.ent2       A     192.0.2.3
*.ent2         TXT   "beside an ENT"
*.mid.star     A     192.0.2.4
in.*.star      A     192.0.2.5
*.*.twice      A     192.0.2.6
*              TXT   "at the apex"
\*.literal     A     192.0.2.8
\042.decimal   TXT   "a star by number is a star"
x\*.partly     A     192.0.2.9
*x.partly      A     192.0.2.10
\*\*.partly    A     192.0.2.11
below.*.covers A     192.0.2.12
*.covers       MX    5 target
target         A     192.0.2.13
target         AAAA  2001:db8::13
cut            NS    ns.cut
ns.cut         A     192.0.2.14
*.cut          A     192.0.2.15
`,
)

/** RFC 4592 §2.2.2, §4.7: the closest encloser and not the closest wildcard; ENT by wildcards alone. */
const ENCLOSERS = zone(
  'closest.test.',
  `
*            A    192.0.2.1
*.b          TXT  "b"
a.b          A    192.0.2.2
*.c.a.b      A    192.0.2.3
e.f.g.h      A    192.0.2.4
*.g.h        A    192.0.2.5
d            NS   ns.d
ns.d         A    192.0.2.6
x.*.d3       NS   ns.d
*.d3         A    192.0.2.7
*.t          CNAME z.u
*.u          CNAME q.v
*.v          CNAME w.w
w            A    192.0.2.8
*.w          A    192.0.2.9
*.n          CNAME k.d
*.o          CNAME x.invalid.
*.p          CNAME none.e.f.g.h
`,
)

/** RFC 4592 §4.2: a cut at a wildcard, which BIND refuses to load. */
const WILD_CUTS: ZoneText = {
  ...zone(
    'wildcut.test.',
    `
*.ns         NS    ns1.invalid.
*.glue       NS    ns.under.glue
ns.under.glue A    192.0.2.1
x.glue       A     192.0.2.2
*.both       NS    ns.both
*.both       TXT   "beside"
ns.both      A     192.0.2.3
in.*.ns      A     192.0.2.4
alias        CNAME www.ns
`,
  ),
  without: ['bind'],
}

/** RFC 6672 §2.2, §2.3, §3.1, §5.2: chains, loops, names that grow too long. */
const RENAMES = zone(
  'dname.test.',
  `
d            DNAME t
d            A     192.0.2.1
d            TXT   "the owner keeps its data"
t            A     192.0.2.2
a.t          A     192.0.2.3
*.w.t        A     192.0.2.4
c.t          CNAME a.d
alias        CNAME a.d
alias2       CNAME a.none.d
d2           DNAME d
d3           DNAME d2
loop         DNAME loop2
loop2        DNAME loop
self         DNAME x.self-t
self-t       DNAME self
grow         DNAME ${'a.'.repeat(60)}${'b'.repeat(60)}
out          DNAME elsewhere.invalid.
root         DNAME .
into-cut     DNAME cut
cut          NS    ns.cut
ns.cut       A     192.0.2.5
into-ns      CNAME www.cut
apex         DNAME dname.test.
into-apex    DNAME dapex.test.
into-child   DNAME child.deleg.test.
into-wild    DNAME wild.test.
near         CNAME d
nearer       CNAME x.d.d
deep.ent.e   DNAME t
long         DNAME ${'c'.repeat(63)}.${'d'.repeat(63)}.${'e'.repeat(50)}.dname.test.
`,
)

/** RFC 6672 §2.3: a DNAME at the apex, beside what an apex has. */
const RENAMED_APEX = zone(
  'dapex.test.',
  `
@            DNAME dname.test.
@            A     192.0.2.1
@            MX    10 mail.invalid.
`,
)

/** RFC 2181 §6.1: below a cut lies data that nobody may see, not as an answer. */
const OCCLUDED = zone(
  'occluded.test.',
  `
t            A     192.0.2.2
a.t          A     192.0.2.3
cut          NS    ns.cut
ns.cut       A     192.0.2.4
www.cut      TXT   "hidden"
d.cut        DNAME t
c.cut        CNAME t
*.cut        A     192.0.2.5
low.cut      NS    ns.cut
to-hidden    CNAME www.cut
to-renamed   CNAME x.d.cut
renamed      DNAME d.cut
`,
)

/** RFC 6672 §2.4: the same below a DNAME. NSD and Knot refuse such a zone. */
const BELOW_RENAME: ZoneText = {
  ...zone(
    'below.test.',
    `
d            DNAME t
a.d          A     192.0.2.1
*.d          TXT   "hidden"
b.c.d        NS    ns.t
t            A     192.0.2.2
a.t          A     192.0.2.3
e            DNAME t
x.e          CNAME a.t
`,
  ),
  without: ['nsd', 'knot'],
}

/** A chain of more links than anybody follows without end. */
const LINKS = Array.from({ length: 24 }, (_, at) => `l${at} CNAME l${at + 1}`).join('\n')

/** RFC 1034 §3.6.2, §4.3.2; RFC 6604: chains that end everywhere. */
const ALIASES = zone(
  'alias.test.',
  `
${LINKS}
l24          A     192.0.2.1
one          CNAME host
two          CNAME one
three        CNAME two
host         A     192.0.2.2
host         TXT   "host"
self         CNAME self
ping         CNAME pong
pong         CNAME ping
ring1        CNAME ring2
ring2        CNAME ring3
ring3        CNAME ring1
none         CNAME absent
nodata       CNAME ent
x.ent        A     192.0.2.3
cut          NS    ns.cut
ns.cut       A     192.0.2.4
into-cut     CNAME www.cut
at-cut       CNAME cut
into-glue    CNAME ns.cut
over         CNAME one.other.test.
over-none    CNAME none.other.test.
over-absent  CNAME absent.other.test.
over-cut     CNAME www.cut.other.test.
over-back    CNAME back.other.test.
over-loop    CNAME loop.other.test.
over-child   CNAME www.child.deleg.test.
over-d       CNAME a.d.dname.test.
out          CNAME www.invalid.
apex         CNAME alias.test.
root         CNAME .
case         CNAME HOST.Alias.TEST.
`,
)

const OTHER = zone(
  'other.test.',
  `
one          A     192.0.2.9
one          MX    10 one
none         CNAME absent
back         CNAME host.alias.test.
loop         CNAME over-loop.alias.test.
cut          NS    ns.cut
ns.cut       A     192.0.2.10
`,
)

export const SHAPES: readonly ZoneText[] = [
  RFC_4592,
  WILDCARDS,
  ENCLOSERS,
  WILD_CUTS,
  RENAMES,
  RENAMED_APEX,
  OCCLUDED,
  BELOW_RENAME,
  ALIASES,
  OTHER,
]
