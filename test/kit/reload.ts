/**
 * A small site that is reloaded again and again, and what its server logs meanwhile. 198.51.100.0/24
 * is in the United States until a test says otherwise.
 */
import { writeDatabase } from './mmdb.ts'
import { type Program, until } from './process.ts'
import type { Files } from './server.ts'

export const ZONE = `$ORIGIN example.com.
$TTL 60
@ SOA ns1 hostmaster 7 7200 900 1209600 60
@ NS ns1
ns1 A 192.0.2.251
`

/** 198.51.100.0/24 is in `code`. */
export function places(code: string): Buffer {
  const networks = [['198.51.100.0/24', { country: { iso_code: code } }]] as const
  return writeDatabase({ networks })
}

export const PLACES = places('US')

/** @param us the targets of the pool for the United States */
export function config(listen: string, us = '192.0.2.1'): string {
  return `listen: ${listen}
zones: [example.com.zone]
geo: {database: places.mmdb}
networks: {office: {file: office.txt}}
pools:
  us: {targets: [${us}]}
  de: {targets: [192.0.2.2]}
  in: {targets: [192.0.2.3]}
  eight: {targets: [192.0.2.11, 192.0.2.12, 192.0.2.13, 192.0.2.14, 192.0.2.15, 192.0.2.16, 192.0.2.17, 192.0.2.18]}
steer:
  www.example.com: {ttl: 60s, by: {networks: {office: [in]}, countries: {US: [us]}, default: [de]}}
  turn.example.com: {ttl: 60s, pick: rotate, pools: [eight]}
`
}

/** All files of the site, good ones, with the configuration given. */
export function whole(yaml: string): Files {
  return {
    'lbdns.yaml': yaml,
    'example.com.zone': ZONE,
    'places.mmdb': PLACES,
    'office.txt': '203.0.113.0/24\n',
  }
}

export type Line = { readonly level: number; readonly msg: string; readonly digest?: string }

/** The log: one JSON document a line; what was warned of before is none. */
export function logOf(server: Program): Line[] {
  return server
    .stderr()
    .split('\n')
    .slice(0, -1)
    .filter(line => !line.startsWith('warning: '))
    .map(line => JSON.parse(line))
}

/** A load ranks behind all else: where other programs want all processors, it takes its time. */
export const PATIENCE_MS = 60_000

/** Hangs up and waits for the end of the reload; returns what was logged, folder names left out. */
export async function reload(server: Program, folder: string): Promise<string[]> {
  const before = logOf(server).length
  server.signal('SIGHUP')
  const isEnd = ({ msg }: Line) => msg === 'reloaded' || msg.startsWith('reload refused')
  await until('the reload ends', () => logOf(server).slice(before).some(isEnd), PATIENCE_MS)
  return logOf(server)
    .slice(before)
    .map(({ msg }) => msg.replaceAll(`${folder}/`, ''))
}

/** How a refused reload ends in the log. */
export function refusal(problems: number): string {
  const count = `${problems} problem${problems === 1 ? '' : 's'}`
  return `reload refused, the old configuration keeps serving: ${count}`
}
