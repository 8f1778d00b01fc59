/**
 * Everything that can be wrong with the files of the site in `reload.ts`, and what is to be said of
 * it. The same rows hold at the start and at a reload.
 */
import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { writeDatabase } from './mmdb.ts'
import { PLACES, ZONE } from './reload.ts'
import { ABSENT, type Content, FOLDER } from './server.ts'

export type Broken = readonly [
  title: string,
  file: string,
  content: Content,
  /** One for each line, the name of the folder left out. */
  told: readonly RegExp[],
]

const YAML = 'lbdns.yaml'
const PICTURE = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

// biome-ignore format: table
const CONFIGURATIONS: readonly Broken[] = [
  ['the configuration is missing',    YAML, ABSENT,                [/^lbdns.yaml: does not exist · correct the path, or make the file$/]],
  ['the configuration is a folder',   YAML, FOLDER,                [/^lbdns.yaml: is a folder · name a file in it$/]],
  ['the configuration is empty',      YAML, '',                    [/^lbdns.yaml:1:1: the file is empty · give it listen: and zones:$/]],
  ['the configuration is a comment',  YAML, '# nothing\n',         [/^lbdns.yaml:1:1: the file is empty · /]],
  ['the configuration is a picture',  YAML, PICTURE,               [/^lbdns.yaml:1:1: this is no UTF-8 text · save it as UTF-8 text$/]],
  ['the configuration is random',     YAML, randomBytes(4096),     [/^lbdns.yaml:\d+:\d+: this is no UTF-8 text · /]],
  ['the configuration is zeros',      YAML, new Uint8Array(4096),  [/^lbdns.yaml:1:1: this is no UTF-8 text · /]],
  ['the configuration is Latin-1',    YAML, Buffer.from('# ok\n# für\n', 'latin1'), [/^lbdns.yaml:2:4: this is no UTF-8 text · /]],
  ['the configuration has a bracket', YAML, 'listen: [127.0.0.1:53\nzones: [a.zone]\n', [/^lbdns.yaml:2:1: a bracket is not closed here · close every/]],
  ['the configuration has a tab',     YAML, 'pools:\n\tus: {}\n',  [/^lbdns.yaml:2:1: a tab where a line is indented · indent with spaces$/]],
  ['the configuration has odd text',  YAML, `listen: "\\e[31m${'x'.repeat(5000)}\\n"\nzones: [a.zone]\n`, [/^lbdns.yaml:1:9: expected a list, found "\\x1b\[31mx{200,300}… · write \[\\x1b\[31mx{200,300}…$/]],
  ['the configuration has slips',     YAML, 'listn: [127.0.0.1]\nzones: [a.zone]\nfrob: 1\n', [
    /^lbdns.yaml:1:1: unknown key listn · did you mean listen\?$/,
    /^lbdns.yaml:3:1: unknown key frob · known: listen, /,
  ]],
]

const FILE = 'example.com.zone'

// biome-ignore format: table
const ZONES: readonly Broken[] = [
  ['the zone is missing',             FILE, ABSENT,  [/^lbdns.yaml:2:9: example.com.zone does not exist · correct the path: it is relative to/]],
  ['the zone is a folder',            FILE, FOLDER,  [/^lbdns.yaml:2:9: example.com.zone is a folder · /]],
  ['the zone is empty',               FILE, '',      [/^example.com.zone: there is no SOA record · a zone begins with one: @ SOA /]],
  ['the zone has no SOA',             FILE, ZONE.replace(/.*SOA.*\n/, ''), [/^example.com.zone: there is no SOA record · /]],
  ['the zone has two SOA',            FILE, `${ZONE}@ SOA ns2 hostmaster 8 7200 900 1209600 60\n`, [/^example.com.zone:3:1: example.com. has 2 different SOA records · keep one/]],
  ['the zone has another one’s name', FILE, `${ZONE}www.example.org. A 192.0.2.1\n`, [/^example.com.zone:6:1: www.example.org. .* · /]],
  ['the zone includes what is not there', FILE, `${ZONE}$INCLUDE more.zone\n`, [/^example.com.zone:6:10: more.zone does not exist · /]],
  ['the zone has several mistakes',   FILE, `${ZONE}a A 192.0.2.256\nb AAAA 192.0.2.1\nc CNAME d\nc A 192.0.2.1\nd MX mail`, [
    /^example.com.zone:6:5: 192.0.2.256 is not an IPv4 address/,
    /^example.com.zone:7:8: 192.0.2.1 is not an IPv6 address/,
    /^example.com.zone:10:6: the preference cannot be mail · write a number/,
    /^example.com.zone:8:1: c.example.com. has a CNAME and other data .* · keep one/,
  ]],
]

const MMDB = 'places.mmdb'
const WITHOUT_IPV4 = writeDatabase({ networks: [['2600::/12', { country: { iso_code: 'US' } }]] })
const CUTS = [1, 100, PLACES.length >> 1, PLACES.length - 1]

// biome-ignore format: table
const DATABASES: readonly Broken[] = [
  ['the database is missing',         MMDB, ABSENT,               [/^lbdns.yaml:3:17: places.mmdb does not exist · correct the path/]],
  ['the database is a folder',        MMDB, FOLDER,               [/^lbdns.yaml:3:17: places.mmdb is a folder · /]],
  ['BC-029 the database is empty',    MMDB, '',                   [/^lbdns.yaml:3:17: places.mmdb is empty · fetch it again$/]],
  ['BC-029 the database is random',   MMDB, randomBytes(1 << 20), [/^lbdns.yaml:3:17: places.mmdb has no MaxMind metadata.* · fetch it again$/]],
  ['BC-029 the database is packed',   MMDB, gzipSync(PLACES),     [/^lbdns.yaml:3:17: places.mmdb is packed with gzip · unpack it first/]],
  ['the database is of IPv6 only',    MMDB, WITHOUT_IPV4,         [/^lbdns.yaml:3:17: places.mmdb holds no IPv4 addresses · name a database of IPv4/]],
  ...CUTS.map((octets): Broken => [
    `the database is cut after ${octets} octets`, MMDB, PLACES.subarray(0, octets), [/^lbdns.yaml:3:17: places.mmdb .* · fetch it again$/],
  ]),
]

const LIST = 'office.txt'

// biome-ignore format: table
const NETWORKS: readonly Broken[] = [
  ['the networks are missing',        LIST, ABSENT,  [/^lbdns.yaml:4:27: office.txt does not exist · /]],
  ['the networks are a folder',       LIST, FOLDER,  [/^lbdns.yaml:4:27: office.txt is a folder · /]],
  ['the networks have bad lines',     LIST, '203.0.113.0/24\nfoo\n\n10.1.2.3/8 # x\n', [
    /^office.txt:2:1: foo .* · /,
    /^office.txt:4:1: 10.1.2.3\/8 has bits set past \/8 · write 10.0.0.0\/8$/,
  ]],
]

export const BROKEN: readonly Broken[] = [...CONFIGURATIONS, ...ZONES, ...DATABASES, ...NETWORKS]
