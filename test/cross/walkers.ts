/**
 * Resolvers that walk from the root, as strict as they can be made: QNAME minimisation, random letter
 * case, hardening, subnets told to everybody. Knows how they are configured and what they log.
 */
import { join } from 'node:path'
import { answers, type Place } from '../kit/ask.ts'
import { folder, freePort, type Program, putFiles, startReady } from '../kit/process.ts'
import { unboundServer } from './resolvers.ts'

export type Walker = Place & {
  /** What it has said of servers that do not do as they should. */
  readonly complaints: () => readonly string[]
}

type Setup = {
  readonly program: string
  readonly config: (where: string, port: number, hints: string) => string
  readonly args: (where: string, file: string) => readonly string[]
  /** In the log: a server was taken for wrong. */
  readonly complaint: RegExp
}

const SETUPS = {
  unbound: {
    program: 'unbound',
    args: (_: string, file: string) => ['-d', '-c', file],
    complaint: /fallback|capsforid|0x20|lame|SERVFAIL|FORMERR|REFUSED|error/i,
    config: (where: string, port: number, hints: string) => `${unboundServer(where, port)}
  verbosity: 2
  root-hints: "${hints}"
  local-zone: "test." nodefault
  module-config: "subnetcache iterator"
  send-client-subnet: 127.0.0.0/8
  qname-minimisation: yes
  qname-minimisation-strict: yes
  use-caps-for-id: yes
  harden-short-bufsize: yes
  harden-large-queries: yes
  harden-glue: yes
  harden-below-nxdomain: yes
  harden-referral-path: yes
remote-control:
  control-enable: no
`,
  },
  pdns_recursor: {
    program: 'pdns_recursor',
    args: (where: string, _: string) => [`--config-dir=${where}`],
    complaint: /SERVFAIL|lame|FORMERR|Too much time|wrong.*question|error/i,
    config: (where: string, port: number, hints: string) => `local-address=127.0.0.1
local-port=${port}
allow-from=127.0.0.0/8
dont-query=
hint-file=${hints}
edns-subnet-allow-list=test
use-incoming-edns-subnet=yes
qname-minimization=yes
nothing-below-nxdomain=yes
dnssec=off
threads=1
pdns-distributes-queries=no
security-poll-suffix=
socket-dir=${where}
loglevel=5
`,
  },
  named: {
    program: 'named',
    args: (_: string, file: string) => ['-g', '-n', '1', '-c', file],
    complaint: /lame|FORMERR|unexpected RCODE|broken|SERVFAIL|minimization|resolving .* error/i,
    config: (where: string, port: number, hints: string) => `options {
  directory "${where}"; pid-file none; session-keyfile none; managed-keys-directory "${where}";
  listen-on port ${port} { 127.0.0.1; }; listen-on-v6 { none; };
  recursion yes; allow-query { any; }; allow-recursion { any; };
  dnssec-validation no; empty-zones-enable no; qname-minimization strict; send-cookie yes;
};
controls {};
zone "." { type hint; file "${hints}"; };
`,
  },
} as const satisfies Readonly<Record<string, Setup>>

export const WALKERS = Object.keys(SETUPS) as readonly (keyof typeof SETUPS)[]

export async function startWalker(which: keyof typeof SETUPS, hints: string): Promise<Walker> {
  const { program, args, complaint, config } = SETUPS[which]
  const port = await freePort()
  const where = folder()
  putFiles(where, { 'recursor.conf': config(where, port, hints) })
  const place = { host: '127.0.0.1', port }
  const started: Program = await startReady(
    program,
    args(where, join(where, 'recursor.conf')),
    () => answers(place, 'test'),
  )
  const lines = () => `${started.stdout()}${started.stderr()}`.split('\n')
  return { ...place, complaints: () => lines().filter(line => complaint.test(line)) }
}
