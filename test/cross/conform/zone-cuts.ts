/**
 * Zones with cuts and zones below them, roots and reverse trees: whose data a name is, and what a
 * referral carries. RFC 1034 §4.2, RFC 9471, RFC 4035 §3.1.4.1, RFC 2317.
 */
import { head, type ZoneText } from './zone-texts.ts'

const ZEROS = '00'.repeat(32)

function zone(origin: string, records: string): ZoneText {
  return { origin, text: head(origin) + records }
}

const DELEGATIONS = zone(
  'deleg.test.',
  `
www          A     192.0.2.1
in           NS    ns.in
ns.in        A     192.0.2.2
ns.in        AAAA  2001:db8::2
self         NS    self
self         A     192.0.2.3
self         DS    1 8 2 ${ZEROS}
two          NS    ns1.two
two          NS    ns2.two
ns1.two      A     192.0.2.4
ns2.two      A     192.0.2.5
ns2.two      AAAA  2001:db8::5
beside       NS    ns.out
ns.out       A     192.0.2.6
sibling      NS    ns.in
sibling2     NS    ns.sibling3
sibling3     NS    ns.sibling2
ns.sibling2  A     192.0.2.7
ns.sibling3  A     192.0.2.8
away         NS    ns.elsewhere.invalid.
mixed        NS    ns.mixed
mixed        NS    ns.in
mixed        NS    www
mixed        NS    ns.elsewhere.invalid.
ns.mixed     A     192.0.2.9
noglue       NS    ns.noglue
signed       NS    ns.signed
signed       DS    1 8 2 ${ZEROS}
signed       DS    2 8 2 ${ZEROS}
ns.signed    A     192.0.2.10
outer        NS    ns.outer
ns.outer     A     192.0.2.11
inner.outer  NS    ns.inner.outer
ns.inner.outer A   192.0.2.12
a.b.ent      NS    ns.a.b.ent
ns.a.b.ent   A     192.0.2.13
alias        NS    nsalias
nsalias      CNAME www
wildns       NS    ns.w
*.w          A     192.0.2.14
renamed      NS    ns.d
d            DNAME w
child        NS    ns.child
ns.child     A     192.0.2.15
child        DS    1 8 2 ${ZEROS}
gap          NS    ns.gap
ns.gap       A     192.0.2.16
occluded.in  A     192.0.2.17
x.in         TXT   "hidden"
in           TXT   "hidden at the cut"
in           MX    10 www
`,
)

/** Served beside its parent. */
const CHILD = zone(
  'child.deleg.test.',
  `
www          A     192.0.2.21
ns           A     192.0.2.22
*            TXT   "in the child"
cut          NS    ns.cut
ns.cut       A     192.0.2.23
up           CNAME www.deleg.test.
@            DNSKEY 256 3 8 AwEAAaz/tAm8yTn4Mfeh5eyI96WSVexTBAvkMgJzkKTOiW1vkIbzxeF3+/4RgWOq7HrxRixHlFlExOLAJr5emLvN7SWXgnLh4+B5xQlNVz8Og8kvArMtNROxVQuCaSnIDdD5LKyWbRd2n9WGe2R8PzgCmr3EgVLrjyBxWezF0jLHwVN8
`,
)

/** Served, while the zone between it and `deleg.test.` is delegated to others. */
const GRANDCHILD = zone(
  'low.gap.deleg.test.',
  `
www          A     192.0.2.31
@            A     192.0.2.32
@            DS    1 8 2 ${ZEROS}
`,
).text.replace(/^@ +DS.*$/m, '')

const TOP: ZoneText = zone(
  'tld.',
  `
a            NS    ns.a
ns.a         A     192.0.2.41
b            NS    ns.a
c            NS    ns.c
ns.c         AAAA  2001:db8::41
www          A     192.0.2.42
*            MX    10 www
_dmarc       TXT   "v=DMARC1; p=none"
`,
)

/** RFC 2317: delegation of a part of a network by aliases. */
const REVERSE = zone(
  '2.0.192.in-addr.arpa.',
  `
1            PTR   www.example.
2            PTR   a.example.
2            PTR   b.example.
0/25         NS    ns.invalid.
${[3, 4, 5].map(host => `${host} CNAME ${host}.0/25`).join('\n')}
128-255      DNAME rev.invalid.
200          CNAME 200.128-255
*.9          PTR   wild.example.
`,
)

const REVERSE_6 = zone(
  '8.b.d.0.1.0.0.2.ip6.arpa.',
  `
1.${'0.'.repeat(22)}0 PTR www.example.
*.f          PTR   wild.example.
0.0.a        NS    ns.invalid.
b.0          DNAME 0.0.c
1.0.0.c      PTR   renamed.example.
`,
)

export const CUTS: readonly ZoneText[] = [
  DELEGATIONS,
  CHILD,
  { origin: 'low.gap.deleg.test.', text: GRANDCHILD },
  TOP,
  REVERSE,
  REVERSE_6,
]

/** For a server of their own: below a root of ours nothing is out of zone. */
export const ROOT: readonly ZoneText[] = [
  {
    origin: '.',
    text: `$ORIGIN .
$TTL 86400
@            SOA   a.root-servers.net. nstld.invalid. 1 1800 900 604800 3600
@            NS    a.root-servers.net.
@            NS    b.root-servers.net.
a.root-servers.net. A 198.51.100.4
b.root-servers.net. AAAA 2001:db8:2::b
com.         NS    a.gtld.net.
com.         DS    1 8 2 ${ZEROS}
net.         NS    a.gtld.net.
a.gtld.net.  A     198.51.100.5
org.         NS    ns.org.
ns.org.      A     198.51.100.6
zone.        NS    ns.zone.
zone.        DS    1 8 2 ${ZEROS}
ns.zone.     A     198.51.100.7
arpa.        NS    a.root-servers.net.
top.         A     198.51.100.8
*.stars.     TXT   "below the root"
alias.       CNAME www.zone.
far.         CNAME x.sub.zone.
lost.        CNAME nowhere.
renamed.     DNAME zone.
`,
  },
  zone(
    'zone.',
    `
www          A     198.51.100.11
ns           A     198.51.100.7
sub          NS    ns.sub
ns.sub       A     198.51.100.12
sub          DS    1 8 2 ${ZEROS}
up           CNAME top.
`,
  ),
  zone('arpa.', 'in-addr NS ns.invalid.\nip6 NS ns.invalid.\nhome TXT "x"\n'),
]
