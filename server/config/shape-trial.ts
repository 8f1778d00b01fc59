/**
 * The schema of what a check tries, kind by kind: the keys of each beside those of all checks, and
 * what they mean.
 */
import * as z from 'zod'
import { wrong } from '../fault.ts'
import type { Authority, Check, HttpTrial, TlsTerms, Trial } from '../steer/trial.ts'
import { ANY_MAPPING, named, refuse } from './brick.ts'
import type { Authorities } from './outside.ts'
import {
  certified,
  command,
  fieldText,
  flawOfField,
  flawOfSent,
  host,
  nameInHost,
  pattern,
  question,
  rcode,
  status,
  target,
  telling,
} from './shape-answer.ts'
import { ageKeys, paced, paceOf, tells } from './shape-pace.ts'
import { pushShape } from './shape-push.ts'
import { onOff, path } from './shape-scalar.ts'

/** A check that tries something, but for its name. */
export type WrittenTrial = { readonly kind: 'one'; readonly check: Omit<Check, 'name'> }

/** All kinds, each with its keys. */
export function singleShapes(authorities: Authorities) {
  return [
    ...[httpShape(), httpsShape(authorities), tcpShape(), tlsShape(authorities)],
    ...[dnsShape(), execShape(), fileShape(), grpcShape(authorities), pushShape()],
  ] as const
}

type Pace = Parameters<typeof paceOf>[0]

function checkOf(written: Pace, trial: Trial): WrittenTrial {
  return { kind: 'one', check: { ...paceOf(written), trial } }
}

const kind = <Kind extends string>(name: Kind, does: string) => z.literal(name).describe(does)

const port = z.int().min(1).max(65_535)
const aPort = (usual: number) =>
  port.prefault(usual).describe(`The port that is checked. Default: ${usual}.`)

function httpKeys() {
  const method = z.enum(['GET', 'HEAD', 'POST', 'OPTIONS'])
  return {
    path: target.prefault('/').describe('What is asked for: path and query.'),
    method: method.prefault('GET').describe('How it is asked.'),
    host: host.optional().describe('What the Host header says. Default: the address checked.'),
    headers: named(fieldText, flawOfSent).prefault({}).describe('Header fields to send.'),
    status: z
      .array(status)
      .min(1)
      .prefault(['200-399'])
      .describe('Status codes that pass: codes, and ranges like 200-299.'),
    body: pattern.optional().describe('What the body must hold: a text, or /a pattern/.'),
    header: named(pattern, flawOfField)
      .prefault({})
      .describe('What header fields must hold: a text, or /a pattern/.'),
    load: telling.optional().describe('Where the response tells of its load.'),
    capacity: telling.optional().describe('Where the response tells of its capacity.'),
    ...ageKeys(),
  }
}

type WrittenHttp = z.output<z.ZodObject<ReturnType<typeof httpKeys>>>

function httpTrial(written: WrittenHttp, port: number, tls: TlsTerms | undefined): HttpTrial {
  const { body, capacity, header, headers, host, load, method, path, status } = written
  const fields = Object.entries(header)
  return {
    ...{ kind: 'http', port, method, path, host, headers: Object.entries(headers), status },
    ...{ body, fields, tls, load, capacity },
  }
}

function tlsKeys(authorities: Authorities) {
  const authority = (path: string): Authority => ({ path, pem: authorities.get(path) ?? '' })
  return {
    sni: certified
      .optional()
      .describe('The name that is asked for, and that the certificate must be of.'),
    verify: onOff.prefault(true).describe('off: any certificate will do.'),
    ca: path
      .transform(authority)
      .optional()
      .describe(
        'Certificates, as PEM, of who must have signed it. Default: whom the system trusts.',
      ),
    days: z.int().min(0).max(3650).prefault(0).describe('Days that it must still be good for.'),
  }
}

type WrittenTls = z.output<z.ZodObject<ReturnType<typeof tlsKeys>>>

/** @param host what the Host header says: the name in it stands in for one that is not given */
function termsOf({ ca, days, sni, verify }: WrittenTls, host?: string): TlsTerms {
  return { name: sni ?? nameInHost(host), verify: verify ? 'on' : 'off', ca, days }
}

/** Who signed a certificate is nothing where any will do. */
function heedsSigners(check: Readonly<Record<string, unknown>>, context: z.core.$RefinementCtx) {
  if (!Object.hasOwn(check, 'ca') || check.verify !== false) return
  const reason = wrong('any certificate will do: verify is off', 'take one of them out')
  refuse(context, ['ca'], { reason, spot: 'key' })
}

function httpShape() {
  return paced({
    type: kind('http', 'Asks over HTTP/1.1.'),
    port: aPort(80),
    ...httpKeys(),
  })
    .superRefine(tells, ANY_MAPPING)
    .transform(written => checkOf(written, httpTrial(written, written.port, undefined)))
}

function httpsShape(authorities: Authorities) {
  const keys = { ...httpKeys(), ...tlsKeys(authorities) }
  return paced({
    type: kind('https', 'Asks over HTTP/1.1 and TLS.'),
    port: aPort(443),
    ...keys,
  })
    .superRefine(tells, ANY_MAPPING)
    .superRefine(heedsSigners, ANY_MAPPING)
    .transform(written =>
      checkOf(written, httpTrial(written, written.port, termsOf(written, written.host))),
    )
}

function tcpShape() {
  const keys = { port: port.describe('The port that is checked.') }
  return paced({ type: kind('tcp', 'Makes a connection.'), ...keys }).transform(written =>
    checkOf(written, { kind: 'tcp', port: written.port }),
  )
}

function tlsShape(authorities: Authorities) {
  const keys = { port: aPort(443), ...tlsKeys(authorities) }
  return paced({
    type: kind('tls', 'Makes a connection, and ends the handshake.'),
    ...keys,
  })
    .superRefine(heedsSigners, ANY_MAPPING)
    .transform(written =>
      checkOf(written, { kind: 'tls', port: written.port, tls: termsOf(written) }),
    )
}

function dnsShape() {
  const keys = {
    port: aPort(53),
    query: question.describe('Name and type of what is asked: example.com SOA.'),
    transport: z.enum(['udp', 'tcp']).prefault('udp').describe('How it is asked.'),
    rcodes: z.array(rcode).min(1).prefault(['NOERROR']).describe('RCODEs that pass.'),
  }
  return paced({ type: kind('dns', 'Asks a name server.'), ...keys }).transform(written => {
    const { port, query, rcodes, transport } = written
    return checkOf(written, { kind: 'dns', port, transport, ...query, rcodes })
  })
}

function execShape() {
  const keys = {
    command: command.describe('The path of a program, and its arguments; {address} is checked.'),
    env: named(z.string()).prefault({}).describe('Its environment, beside PATH.'),
    ...ageKeys(),
  }
  return paced({ type: kind('exec', 'Runs a program: exit code 0 passes.'), ...keys }).transform(
    written => {
      const { command, env } = written
      return checkOf(written, { kind: 'exec', command, env: Object.entries(env) })
    },
  )
}

function fileShape() {
  const keys = {
    path: path.describe('A file that says UP, DOWN or how loaded it is; {address} is checked.'),
    ...ageKeys(),
  }
  return paced({ type: kind('file', 'Reads a file.'), ...keys }).transform(written =>
    checkOf(written, { kind: 'file', path: written.path }),
  )
}

function grpcShape(authorities: Authorities) {
  const keys = {
    port: port.describe('The port that is checked.'),
    service: z.string().prefault('').describe('Which service. Default: the server as a whole.'),
    tls: onOff.prefault(false).describe('on: over TLS.'),
    ...tlsKeys(authorities),
  }
  return paced({ type: kind('grpc', 'Asks grpc.health.v1.'), ...keys })
    .superRefine(heedsSigners, ANY_MAPPING)
    .transform(written => {
      const { port, service, tls } = written
      const terms = tls ? termsOf(written) : undefined
      return checkOf(written, { kind: 'grpc', port, service, tls: terms })
    })
}
