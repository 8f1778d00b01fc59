/**
 * The operator's file as a schema: which keys there are, what each may hold, and what it is when it
 * is left out. Every option is documented here or in the `shape-` files that this one puts together;
 * `data/schema` publishes them. Names that a file refers to are given, so one pass finds all mistakes.
 */
import * as z from 'zod'
import { wrong } from '../fault.ts'
import { ANY_LIST, ANY_MAPPING, distinct, keyed, named } from './brick.ts'
import { CONTROL } from './config.ts'
import type { Known } from './facts.ts'
import type { Authorities } from './outside.ts'
import { adminShape } from './shape-admin.ts'
import { checksShape } from './shape-check.ts'
import { eventsShape } from './shape-events.ts'
import { overloadShape, rrlShape } from './shape-guard.ts'
import { listenShape, tcpShape, tlsShape, tlsThere } from './shape-listen.ts'
import { metricsApart, metricsShape } from './shape-metrics.ts'
import { poolsShape } from './shape-pool.ts'
import { groupHasUser, processOptions } from './shape-process.ts'
import { protocolOptions } from './shape-protocol.ts'
import { queryLogShape } from './shape-querylog.ts'
import { instant, onOff, path, prefix, span } from './shape-scalar.ts'
import { steerShape } from './shape-steer.ts'

/** Keys reserved for versions to come. */
const LATER = ['log', 'transfer', 'keys', 'dnssec', 'fleet']

export type Shape = z.output<ReturnType<typeof configShape>>

/** @param authorities what was in the files that checks name as `ca` */
export function configShape(known: Known, authorities: Authorities) {
  const options = {
    listen: listenShape().describe('Addresses to serve on: UDP and TCP, TLS or HTTPS.'),
    workers: z
      .int()
      .min(1)
      .max(1024)
      .optional()
      .describe('Threads that serve UDP. Default: one for each processor core.'),
    control: path.prefault(CONTROL).describe('The control socket.'),
    admin: adminShape()
      .optional()
      .describe(
        'The admin API, over plain HTTP: what lbdns ctl can ask, and a stream of events. Where it is ' +
          'reached from other machines, put ssh or a proxy with TLS before it. Default: none.',
      ),
    events: eventsShape().prefault({}).describe('Who is told of what happens.'),
    metrics: metricsShape()
      .optional()
      .describe(
        'Where /metrics, /healthz and /readyz are served over HTTP: an address. Default: nowhere.',
      ),
    state: stateShape()
      .prefault({})
      .describe('What outlives a restart: health, as far as it was known.'),
    querylog: queryLogShape()
      .optional()
      .describe('The query log, a sample of what is asked and answered. Default: off.'),
    ...processOptions(),
    identity: z
      .string()
      .min(1)
      .max(255)
      .regex(/^[ -~]*$/)
      .optional()
      .describe('What id.server CH TXT answers.'),
    ...protocolOptions(),
    ecs: ecsShape().prefault({}).describe('EDNS Client Subnet, RFC 7871.'),
    tls: tlsShape()
      .optional()
      .describe(
        'What TLS and HTTPS are served with. Read again at each reload, and when the files change.',
      ),
    tcp: tcpShape().prefault({}).describe('What connections may take.'),
    rrl: rrlShape()
      .optional()
      .describe(
        'Response rate limiting over UDP, against floods to forged addresses. Default: off.',
      ),
    overload: overloadShape()
      .prefault({})
      .describe('What is left undone when there is too much to do.'),
    zones: zonesShape().describe('Zones to serve: master files, RFC 1035.'),
    geo: geoShape().prefault({}).describe('From an address to where it is.'),
    activate_at: instant
      .optional()
      .describe(
        'When this file is meant to take over, RFC 3339 with its offset: until then the one before ' +
          'goes on, with TTLs that end there.',
      ),
    networks: named(networkShape()).prefault({}).describe('Lists of prefixes, by name.'),
    checks: checksShape(known.checks, authorities)
      .prefault({})
      .describe('Health checks, by name: what is tried of the targets of pools, and how often.'),
    pools: poolsShape(known.checks, known.countries)
      .prefault({})
      .describe('Targets that serve together, by name.'),
    steer: steerShape(known).prefault({}).describe('Names that choose, and how each of them does.'),
  }
  return keyed(options, { later: LATER })
    .superRefine(groupHasUser, ANY_MAPPING)
    .superRefine(metricsApart)
    .superRefine(tlsThere, ANY_MAPPING)
}

function stateShape() {
  return keyed({
    file: path.prefault('lbdns.state').describe('Where it is kept.'),
    max_age: span.prefault('1h').describe('What is older is not used.'),
  })
}

function zonesShape() {
  const keyOf = (file: unknown) => (typeof file === 'string' ? file : undefined)
  const twice = (file: string) => wrong(`${file} stands in zones twice`, 'keep one of them')
  return z.array(path).min(1).superRefine(distinct(keyOf, twice), ANY_LIST)
}

function ecsShape() {
  return keyed({
    enabled: onOff.prefault(true).describe('off: the option is neither read nor sent.'),
    allow: z.array(prefix).prefault([]).describe('Sources whose option is read. Default: all.'),
    deny: z.array(prefix).prefault([]).describe('Sources whose option is not read.'),
  })
}

function geoShape() {
  return keyed({
    database: z
      .union([path, z.array(path).min(1)], { error: 'builtin, a path, or a list of paths' })
      .prefault('builtin')
      .describe('builtin, or MaxMind-format files: of each field, the first that knows it wins.'),
  })
}

function networkShape() {
  const inFile = keyed({ file: path.describe('A file of prefixes, one a line.') })
  return z.union([z.array(prefix).min(1), inFile], {
    error: 'a list of prefixes, or a mapping with file',
  })
}
