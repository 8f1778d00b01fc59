/**
 * A name space of its own, from the root down, on two running lbdns at port 53 of loopback addresses
 * that nobody else has: what resolvers walk as they walk the internet. Takes root.
 */
import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { folder, LBDNS, startReady } from '../kit/process.ts'

export type Tree = {
  /** Serves the root and `test.`. */
  readonly upper: string
  /** The address that the zones give it. */
  readonly told: string
  /** Serves what is below. */
  readonly lower: string
  /** For resolvers: where the root is. */
  readonly hints: string
}

const SOA = '@ SOA ns.test. host.test. 1 7200 900 1209600 60'
const TEXTS = Array.from({ length: 40 }, (_, at) => `big TXT "${at} ${'x'.repeat(90)}"`).join('\n')
const LINKS = Array.from({ length: 7 }, (_, at) => `l${at} CNAME l${at + 1}`).join('\n')

type Addresses = { readonly upper: string; readonly lower: string }

const UPPER = ({ upper, lower }: Addresses) => ({
  root: `$ORIGIN .\n$TTL 300\n${SOA}
@            NS   ns.test.
test.        NS   ns.test.
ns.test.     A    ${upper}
`,
  'test.': `$ORIGIN test.\n$TTL 300\n${SOA}
@            NS   ns
ns           A    ${upper}
a            NS   ns1.a
a            NS   ns2.a
ns1.a        A    ${lower}
ns2.a        A    ${lower}
b            NS   ns1.a
c            NS   ns.b
x.y.d        NS   ns1.a
www          A    192.0.2.1
v.w.ent      A    192.0.2.2
`,
})

const LOWER = ({ lower }: Addresses) => ({
  'a.test.': `$ORIGIN a.test.\n$TTL 300\n${SOA}
@            NS    ns1
@            NS    ns2
ns1          A     ${lower}
ns2          A     ${lower}
www          A     192.0.2.10
WwW          AAAA  2001:db8::10
*.wild       A     192.0.2.11
x.wild       TXT   "x"
*.alias      CNAME www
over         CNAME www.b.test.
to-up        CNAME www.test.
none         CNAME absent.b.test.
${LINKS}
l7           A     192.0.2.12
d            DNAME b.test.
e            DNAME deep.b.test.
a.b.c.d.ent  A     192.0.2.13
_sip._tcp    SRV   1 2 5060 www
@            MX    10 www
svc          HTTPS 1 . alpn=h2
${TEXTS}
up           NS    ns.test.
`,
  'b.test.': `$ORIGIN b.test.\n$TTL 300\n${SOA}
@            NS    ns1.a.test.
ns           A     ${lower}
www          A     192.0.2.20
back         CNAME www.a.test.
h.deep       A     192.0.2.21
`,
  'c.test.': `$ORIGIN c.test.\n$TTL 300\n${SOA}\n@ NS ns.b.test.\nwww A 192.0.2.30\n`,
  'x.y.d.test.': `$ORIGIN x.y.d.test.\n$TTL 300\n${SOA}\n@ NS ns1.a.test.\nwww A 192.0.2.40\n`,
})

/** @param told the last octet of what the zones call the address of the upper server, which has 1 */
export async function startTree(told = 1): Promise<Tree> {
  const net = `127.${1 + randomInt(250)}.${randomInt(250)}`
  const addresses = { upper: `${net}.${told}`, lower: `${net}.2` }
  const upper = `${net}.1`
  const { root, 'test.': test } = UPPER(addresses)
  const up = `$ORIGIN up.a.test.\n$TTL 300\n${SOA}\n@ NS ns.test.\nwww A 192.0.2.50\n`
  await Promise.all([serve(upper, { root, test, up }), serve(addresses.lower, LOWER(addresses))])
  const hints = folder({ hints: `. 3600 NS ns.test.\nns.test. 3600 A ${addresses.upper}\n` })
  return { upper, told: addresses.upper, lower: addresses.lower, hints: join(hints, 'hints') }
}

async function serve(address: string, zones: Readonly<Record<string, string>>): Promise<void> {
  const names = Object.keys(zones)
  const config = `listen: ["${address}:53"]\nworkers: 1\nzones: ${JSON.stringify(names)}\n`
  const made = folder({ ...zones, 'lbdns.yaml': config })
  await startReady(process.execPath, [LBDNS, 'run', '-c', join(made, 'lbdns.yaml')], program =>
    program.stdout().includes('listening'),
  )
}
