/**
 * Zones of data: every type that master files have a form for, large RRsets, long and strange names,
 * TTLs at their edges, and data that would bring more data along.
 */
import { head, type ZoneText } from './zone-texts.ts'

const ZEROS = '00'.repeat(32)
const RFC_3597 = '\\# 4 0A000001'

function zone(origin: string, records: string): ZoneText {
  return { origin, text: head(origin) + records }
}

const TYPES = zone(
  'types.test.',
  String.raw`
a            A      192.0.2.1
aaaa         AAAA   2001:db8::1
mapped       AAAA   ::ffff:192.0.2.1
ptr          PTR    a
hinfo        HINFO  "PDP-11" "UNIX"
minfo        MINFO  rmail email
mx           MX     0 .
mx2          MX     65535 a
txt          TXT    "" "two" "with \"quotes\" and \\" "\000\255"
rp           RP     mbox txt
afsdb        AFSDB  1 a
rt           RT     10 a
loc          LOC    42 21 54 N 71 06 18 W -24m 30m
loc2         LOC    0 0 0.001 S 180 0 0 E 42849672.95m 90000000m 0.01m 1m
srv          SRV    65535 0 65535 .
naptr        NAPTR  100 50 "s" "z3950+I2L+I2C" "" _z3950._tcp
naptr2       NAPTR  1 2 "u" "E2U+sip" "!^.*$!sip:info@example.com!" .
kx           KX     10 a
cert         CERT   PGP 0 0 AQID
apl          APL    1:192.168.32.0/21 !1:192.168.38.0/28 2:2001:db8::/32
apl0         APL    1:0.0.0.0/0
ds           DS     60485 5 1 2BB183AF5F22588179A53B0A98631FAD1A292118
ds           NS     ns.invalid.
sshfp        SSHFP  2 1 123456789abcdef67890123456789abcdef67890
ipseckey     IPSECKEY 10 1 2 192.0.2.38 AQNRU3mG7TVTO2BkR47usntb102uFJtugbo6BSGvgqt4AQ==
ipseckey3    IPSECKEY 10 3 2 gw.types.test. AQNRU3mG7TVTO2BkR47usntb102uFJtugbo6BSGvgqt4AQ==
dhcid        DHCID  AAIBY2/AuCccgoJbsaxcQc9TUapptP69lOjxfNuVAA2kjEA=
tlsa         TLSA   3 1 1 ${ZEROS}
smimea       SMIMEA 3 0 0 00ff
openpgpkey   OPENPGPKEY AQID
cds          CDS    0 0 0 00
csync        CSYNC  66 3 A NS AAAA
zonemd       ZONEMD 1 1 1 ${ZEROS}${'00'.repeat(16)}
svcb         SVCB   1 . alpn="h2,h3" port=8443 ipv4hint=192.0.2.1,192.0.2.2 ipv6hint=2001:db8::1
svcb-alias   SVCB   0 a
svcb-man     SVCB   1 a mandatory=port,alpn alpn=h2 no-default-alpn port=53
svcb-key     SVCB   16 a key667="hello\210qoo"
https        HTTPS  1 . alpn=h3
https        HTTPS  2 a
spf          SPF    "v=spf1 -all"
nid          NID    10 0014:4fff:ff20:ee64
l32          L32    10 10.1.2.0
l64          L64    10 2001:0DB8:1140:1000
lp           LP     10 l64
eui48        EUI48  00-00-5e-00-53-2a
eui64        EUI64  00-00-5e-ef-10-00-00-2a
uri          URI    10 1 "ftp://ftp1.example.com/public"
caa          CAA    0 issue "ca.example.net; policy=ev"
caa          CAA    128 tbs "Unknown"
unknown      TYPE65280 ${RFC_3597}
empty        TYPE65281 \# 0
known        A      \# 4 c0000205
numbered     TYPE1  192.0.2.6
`,
)

/** Types that Knot has no words for, or another form. */
const OBSCURE: ZoneText = {
  ...zone(
    'obscure.test.',
    `
isdn         ISDN   "150862028003217" "004"
nsap         NSAP   0x47.0005.80.005a00.0000.0001.e133.ffffff000161.00
px           PX     10 a.obscure.test. p
avc          AVC    "app-name:WOLFGANG"
x25          X25    "311061700956"
isdn2        ISDN   "150862028003217"
`,
  ),
  without: ['knot'],
}

const TEXTS = Array.from({ length: 30 }, (_, at) => `big TXT "${at} ${'x'.repeat(100)}"`)
const HOSTS = Array.from({ length: 90 }, (_, at) => `many A 198.51.100.${at + 1}`)
const MAILS = Array.from({ length: 40 }, (_, at) => `mails MX ${at} host${at}`)
const HUGE = Array.from({ length: 200 }, (_, at) => `huge TXT "${at} ${'y'.repeat(250)}"`)

/** RFC 2181 §9, RFC 1035 §4.2.1: what does not fit, whole or not at all. */
const LARGE = zone(
  'large.test.',
  [
    ...TEXTS,
    ...HOSTS,
    ...MAILS,
    ...HUGE,
    ...Array.from({ length: 40 }, (_, at) => `host${at} A 203.0.113.${at}`),
    ...Array.from({ length: 13 }, (_, at) => `cut NS ns${at}.cut`),
    ...Array.from({ length: 13 }, (_, at) => `ns${at}.cut A 192.0.2.${at}`),
    ...Array.from({ length: 13 }, (_, at) => `ns${at}.cut AAAA 2001:db8::${at}`),
    ...Array.from({ length: 40 }, (_, at) => `wide NS ns${at}.wide`),
    ...Array.from({ length: 40 }, (_, at) => `ns${at}.wide A 192.0.2.${at}`),
    'alias CNAME big',
    'step CNAME many',
    `one TXT ${Array.from({ length: 4 }, () => `"${'z'.repeat(110)}"`).join(' ')}`,
    `*.w TXT "wild" "${'w'.repeat(200)}"`,
  ]
    .join('\n')
    .concat('\n'),
)

const LONG_LABEL = 'a'.repeat(63)
/** 255 octets with the origin's 11: three labels of 63 and one of 51. */
const LONGEST = `${'b'.repeat(51)}.${'c'.repeat(63)}.${'d'.repeat(63)}.${'e'.repeat(63)}`

/** RFC 1035 §2.3.4, §5.1; RFC 2181 §11; RFC 4343. */
const NAMES = zone(
  'long.test.',
  String.raw`
${LONG_LABEL}  A      192.0.2.1
${LONGEST}     A      192.0.2.2
*.${'c'.repeat(63)}.${'d'.repeat(63)}.${'e'.repeat(63)} TXT "near the end"
to-longest     CNAME  ${LONGEST}
${'x.'.repeat(110)}y  A 192.0.2.3
a\.b           A      192.0.2.4
a.b            TXT    "two labels"
\065\066       A      192.0.2.5
sp\032ace      A      192.0.2.6
nul\000        A      192.0.2.7
high\255       A      192.0.2.8
semi\;colon    A      192.0.2.9
quo\"te        A      192.0.2.10
back\\slash    A      192.0.2.11
at\@           A      192.0.2.12
par\(en\)      A      192.0.2.13
dol\$lar       A      192.0.2.14
_under         A      192.0.2.15
-dash-         A      192.0.2.16
UPPER          A      192.0.2.17
MiXeD.Upper    CNAME  UPPER
xn--mnchen-3ya A      192.0.2.18
`,
)

/** RFC 2181 §8: 0 … 2³¹ − 1; RFC 2308 §5. */
const TTLS: ZoneText = {
  origin: 'ttl.test.',
  text: `${head('ttl.test.', 2147483647, 2147483647)}
zero      0           A     192.0.2.1
most      2147483647  A     192.0.2.2
unit      1W2D3H4M5S  A     192.0.2.3
cname     5           CNAME zero
dname     7           DNAME most-below
x.most-below 9        A     192.0.2.4
cut       11          NS    ns.cut
ns.cut    13          A     192.0.2.5
`,
}

/** SOA's TTL below its MINIMUM, and a MINIMUM of 0. RFC 2308 §3. */
const NEGATIVE: readonly ZoneText[] = [
  { origin: 'neg-low.test.', text: `${head('neg-low.test.', 3600, 30)}www A 192.0.2.1\n` },
  {
    origin: 'neg-zero.test.',
    text: `${head('neg-zero.test.', 0, 300)}www A 192.0.2.1\nc CNAME no\n`,
  },
]

const APEX = zone(
  'apex.test.',
  `
@ A     192.0.2.1
@ AAAA  2001:db8::1
@ MX    10 @
@ TXT   "apex"
@ CAA   0 issue "ca.example"
@ HTTPS 1 . alpn=h2
@ SVCB  1 . port=53
@ LOC   0 0 0 N 0 0 0 E 0m
@ SSHFP 1 1 ${'00'.repeat(20)}
@ TYPE65400 \\# 1 ff
@ NAPTR 1 1 "" "" "" .
@ NS    @
`,
)

/** RFC 1035 §3.3, RFC 2782, RFC 9460 §4.1: what others add beside the answer. */
const ADDED = zone(
  'added.test.',
  `
@        NS    ns1
ns1      A     192.0.2.1
ns1      AAAA  2001:db8::1
mail     A     192.0.2.2
mail     AAAA  2001:db8::2
mx       MX    10 mail
mx       MX    20 mail2
mx       MX    30 mx.cut
mail2    CNAME mail
_s._tcp  SRV   0 0 1 mail
_s._tcp  SRV   0 0 2 wild.w
*.w      A     192.0.2.3
svc      SVCB  1 mail
svc0     SVCB  0 svc
web      HTTPS 1 . alpn=h2
web      A     192.0.2.4
web0     HTTPS 0 web
cut      NS    ns.cut
cut      NS    mail
ns.cut   A     192.0.2.5
mx.cut   A     192.0.2.6
naptr    NAPTR 1 1 "a" "" "" mail
afsdb    AFSDB 1 mail
kx       KX    1 mail
own      MX    1 own
own      A     192.0.2.7
`,
)

export const DATA: readonly ZoneText[] = [
  TYPES,
  OBSCURE,
  LARGE,
  NAMES,
  TTLS,
  ...NEGATIVE,
  APEX,
  ADDED,
]
