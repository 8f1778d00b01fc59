/**
 * The schema of `https` and `svcb`: what a service record says beside the addresses of the pool that
 * serves. RFC 9460; its parameters come out as they go onto the wire.
 */
import * as z from 'zod'
import { keyFromText, valueFromText } from '../dns/svcparam.ts'
import { isWrong, type Wrong, wrong } from '../fault.ts'
import type { Service } from '../steer/rule.ts'
import { ANY_LIST, ANY_MAPPING, distinct, keyed, reading, refuse } from './brick.ts'
import { hostFrom } from './owner.ts'
import { onOff } from './shape-scalar.ts'

/** A service record but for its type. */
export type WrittenService = Omit<Service, 'type'>

const HINTS = wrong('hints are not written here', 'take them out: the pool that serves makes them')
const SAID = new Map(
  ['ipv4hint', 'ipv6hint', 'ipv4_hint', 'ipv6_hint', 'hint', 'hints'].map(key => [key, HINTS]),
)

/** What protocols are called by mistake. */
const MEANT: ReadonlyMap<string, string> = new Map([
  ...['http/2', 'http2', 'http/2.0'].map(text => [text, 'h2'] as const),
  ...['http/3', 'http3', 'quic'].map(text => [text, 'h3'] as const),
  ...['http', 'http1.1', 'http/1', 'http1'].map(text => [text, 'http/1.1'] as const),
])
const EXACT = new Set(['h2', 'h3', 'http/1.1', 'http/1.0', 'h2c', 'dot', 'doq'])

export function serviceShape(): z.ZodType<WrittenService> {
  return keysShape().superRefine(defaultNeedsAlpn, ANY_MAPPING).transform(recordOf)
}

function keysShape() {
  const twice = (id: string) => wrong(`${id} stands here twice`, 'name each protocol once')
  const keyOf = (id: unknown) => (typeof id === 'string' ? id : undefined)
  return keyed(
    {
      alpn: z
        .array(reading(z.string(), protocolFrom))
        .min(1)
        .superRefine(distinct(keyOf, twice), ANY_LIST)
        .optional()
        .describe('Protocols by their ALPN identifier, like h2 and h3.'),
      no_default_alpn: onOff
        .prefault(false)
        .describe('on: only the protocols in alpn are served, and not HTTP/1.1 beside them.'),
      port: z.int().min(1).max(65_535).optional().describe('Default: that of the protocol.'),
      ech: reading(z.string(), echFrom)
        .optional()
        .describe('An ECHConfigList for Encrypted ClientHello, in base 64: at most 512 octets.'),
      priority: reading(z.int(), priorityFrom)
        .prefault(1)
        .describe('1 to 65535; clients try the lowest first.'),
      target: reading(z.string(), targetFrom)
        .prefault('.')
        .describe(
          'The host that serves. Default: the steered name itself. The hints are the addresses of ' +
            'the pool, so they must be addresses of that host.',
        ),
    },
    { said: SAID },
  )
}

function recordOf({
  alpn,
  no_default_alpn: noDefault,
  port,
  ech,
  priority,
  target,
}: z.output<ReturnType<typeof keysShape>>): WrittenService {
  const params = [
    ...(alpn === undefined ? [] : [param('alpn', alpn.join(','))]),
    ...(noDefault ? [param('no-default-alpn', undefined)] : []),
    ...(port === undefined ? [] : [param('port', String(port))]),
    ...(ech === undefined ? [] : [{ key: keyOfWord('ech'), value: ech }]),
  ]
  return { priority, target, params: params.toSorted((a, b) => a.key - b.key) }
}

/** RFC 9460 §7.1.1: without alpn it would leave no protocol at all. */
function defaultNeedsAlpn(
  service: Readonly<Record<string, unknown>>,
  context: z.core.$RefinementCtx<unknown>,
): void {
  if (service.no_default_alpn !== true || Object.hasOwn(service, 'alpn')) return
  const reason = wrong('no_default_alpn without alpn', 'add alpn: [h2], or take it out')
  refuse(context, ['no_default_alpn'], { reason, spot: 'key', needs: ['alpn'] })
}

/** An ALPN identifier. RFC 7301 allows any octets; those in use are plain words like these. */
function protocolFrom(text: string): string | Wrong {
  const lower = text.toLowerCase()
  const meant = MEANT.get(lower) ?? (EXACT.has(lower) ? lower : text)
  const what = `${text || '""'} is no ALPN identifier`
  if (meant !== text) return wrong(what, `did you mean ${meant}?`)
  return /^[\w./:+-]{1,255}$/.test(text) ? text : wrong(what, 'write one like h2, h3 or http/1.1')
}

/** What a reply of 1232 octets has room for beside a name and hints. */
const LONGEST_ECH = 512

function echFrom(text: string): Uint8Array | Wrong {
  const value = valueFromText('ech', text)
  if (isWrong(value) || value.length <= LONGEST_ECH) return value
  const what = `an ECHConfigList of ${value.length} octets leaves a UDP reply no room for hints`
  return wrong(what, `at most ${LONGEST_ECH}: list fewer configurations`)
}

/** RFC 9460 §2.4.2: 0 makes an alias of the record, which has no parameters and no hints. */
function priorityFrom(priority: number): number | Wrong {
  if (priority === 0) return wrong('priority 0 would make it an alias', 'write 1 or more')
  if (priority >= 1 && priority <= 65_535) return priority
  return wrong(`${priority} is out of range`, '1 to 65535')
}

/** The root stands for the owner. RFC 9460 §2.5.2. */
function targetFrom(text: string): Uint8Array | Wrong {
  return text === '.' ? new Uint8Array(1) : hostFrom(text)
}

function param(word: string, text: string | undefined): Service['params'][number] {
  const value = valueFromText(word, text)
  if (isWrong(value)) throw new Error(value.wrong)
  return { key: keyOfWord(word), value }
}

function keyOfWord(word: string): number {
  const key = keyFromText(word)
  if (key === undefined) throw new Error(`no parameter is called ${word}`)
  return key
}
