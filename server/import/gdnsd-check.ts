/**
 * gdnsd's service types as checks (gdnsd.config(5), gdnsd-plugin-http_status(8) and its sisters).
 */
import { isHostField } from '../config/shape-answer.ts'
import type { DraftCheck } from './draft.ts'
import type { Gdnsd } from './gdnsd-house.ts'
import { textOf, textsOf, truthOf, type VscfHash, valueAt } from './gdnsd-syntax.ts'
import { changed, exact, type Spot, unsupported } from './ledger.ts'

/** What gdnsd takes where a service type does not say. */
const USUAL = { up_thresh: 20, ok_thresh: 10, down_thresh: 10, interval: 10 }
const GENERAL = ['plugin', 'timeout', ...Object.keys(USUAL)]

/** Keys of each plugin's own. */
const OWN: Readonly<Record<string, readonly string[]>> = {
  http_status: ['port', 'url_path', 'vhost', 'ok_codes'],
  tcp_connect: ['port'],
  extmon: ['cmd', 'direct', 'max_proc'],
  extfile: ['file', 'direct', 'def_ttl', 'def_down'],
  static: ['state', 'ttl'],
  null: [],
}

/** Makes a check of each service type. */
export function readChecks(gdnsd: Gdnsd, types: VscfHash): void {
  for (const { key, at, value } of types.entries) {
    if (value.kind === 'hash') readCheck(gdnsd, key, at, value)
    else unsupported(gdnsd.ledger, at, `service_types ${key}`, 'left out: it is no hash')
  }
}

function readCheck(gdnsd: Gdnsd, name: string, at: Spot, hash: VscfHash): void {
  const plugin = textOf(valueAt(hash, 'plugin')) ?? ''
  const what = `service type ${name} (${plugin})`
  const own = OWN[plugin]
  if (own === undefined) {
    unsupported(gdnsd.ledger, at, what, 'left out: pools that use it have no check')
    return
  }
  for (const entry of hash.entries) {
    if (GENERAL.includes(entry.key) || own.includes(entry.key)) continue
    unsupported(gdnsd.ledger, entry.at, `${entry.key} of ${what}`, 'left out: no such parameter')
  }
  if (plugin === 'static' || plugin === 'null') {
    readFixed(gdnsd, at, what, hash)
    return
  }
  const check = checkOf({ gdnsd, at, what, hash })
  gdnsd.draft.checks.set(name, check)
  const okay = numberAt(hash, 'ok_thresh') ?? USUAL.ok_thresh
  const here = `fall ${check.fall} counts failures in a row; there, those within ${okay} passes`
  changed(gdnsd.ledger, at, what, `check ${name}: ${here}`)
}

/** A state that never changes needs no check, unless it is down. */
function readFixed(gdnsd: Gdnsd, at: Spot, what: string, hash: VscfHash): void {
  const state = (textOf(valueAt(hash, 'state')) ?? 'UP').split('/')[0]
  const isUp = textOf(valueAt(hash, 'plugin')) === 'static' && state === 'UP'
  if (isUp) exact(gdnsd.ledger, at, what, 'no check: always up')
  else unsupported(gdnsd.ledger, at, what, 'always down: take its targets out of their pools')
}

/** A service type, and where what is left out of it is told. */
type Type = {
  readonly gdnsd: Gdnsd
  readonly at: Spot
  readonly what: string
  readonly hash: VscfHash
}

function checkOf(type: Type): DraftCheck {
  const port = portAt(type.hash)
  const timing = timingOf(type.hash)
  switch (textOf(valueAt(type.hash, 'plugin'))) {
    case 'http_status':
      return { type: 'http', port: port ?? 80, ...timing, ...httpPart(type) }
    case 'tcp_connect':
      if (port === undefined) leave(type, 'plugin', 'no port: 80 is checked')
      return { type: 'tcp', port: port ?? 80, ...timing, note: '' }
    case 'extmon':
      return { type: 'exec', ...timing, ...programPart(type), note: '' }
    default:
      return { type: 'file', ...timing, ...filePart(type) }
  }
}

function timingOf(hash: VscfHash) {
  const number = (key: keyof typeof USUAL) => numberAt(hash, key) ?? USUAL[key]
  const every = number('interval')
  return {
    every,
    timeout: numberAt(hash, 'timeout') ?? Math.max(1, Math.floor(every / 2)),
    fall: number('down_thresh'),
    rise: number('up_thresh'),
  }
}

/** There, 200 alone passes by itself. */
function httpPart({ hash }: Type) {
  const host = textsOf(valueAt(hash, 'vhost')).join(' ')
  const codes = textsOf(valueAt(hash, 'ok_codes')).map(Number)
  const status = codes.filter(code => Number.isInteger(code) && code >= 100 && code <= 599)
  const path = textOf(valueAt(hash, 'url_path')) || '/'
  return {
    path,
    ...(isHostField(host) ? { host } : {}),
    status: status.length === 0 ? [200] : status,
    note: host === '' || isHostField(host) ? '' : `vhost was: ${host}`,
  }
}

function programPart(type: Type) {
  const [program = '', ...words] = textsOf(valueAt(type.hash, 'cmd'))
  leave(type, 'max_proc', 'left out: 16 run at a time')
  leaveDirect(type)
  const path = program.includes('/') ? program : `/usr/bin/${program || 'false'}`
  return { command: [path, ...words].map(word => word.replaceAll('%%ITEM%%', '{address}')) }
}

function filePart(type: Type) {
  leave(type, 'def_ttl', 'left out: TTLs follow the thresholds')
  leave(type, 'def_down', 'left out: see what the file check does with targets it does not name')
  leaveDirect(type)
  const file = textOf(valueAt(type.hash, 'file')) ?? ''
  return { path: file.startsWith('/') ? file : `/var/lib/gdnsd/extfile/${file}`, note: '' }
}

function leave({ gdnsd, at, what, hash }: Type, key: string, here: string): void {
  if (valueAt(hash, key) !== undefined) unsupported(gdnsd.ledger, at, `${key} of ${what}`, here)
}

function leaveDirect(type: Type): void {
  if (!truthOf(valueAt(type.hash, 'direct'))) return
  leave(type, 'direct', 'left out: set fall: 1 and rise: 1 instead')
}

function portAt(hash: VscfHash): number | undefined {
  const port = numberAt(hash, 'port')
  return port === undefined || port > 65_535 ? undefined : port
}

/** A whole number of at least 1, or `undefined`. */
export function numberAt(hash: VscfHash, key: string): number | undefined {
  const text = textOf(valueAt(hash, key))
  return text !== undefined && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined
}
