/** Small sites whose targets are checked: one zone without records, at a port of 127.0.0.1 that is free. */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from './process.ts'
import { type Files, site } from './server.ts'

export type CheckedSite = { readonly port: number; readonly folder: string }

const ZONE = '$ORIGIN example.com.\n$TTL 60\n@ SOA ns1 h 1 7200 900 1209600 60\n@ NS ns1\n'

/** A configuration. @param rest what comes below `listen` and `zones` */
export function whole(port: number, rest: string): string {
  return `listen: [127.0.0.1:${port}]\nzones: [a.zone]\n${rest}`
}

/** @param rest as in `whole`; `more` are files beside it */
export async function siteWith(rest: string, more: Files = {}): Promise<CheckedSite> {
  const port = await freePort()
  return { port, folder: site({ 'lbdns.yaml': whole(port, rest), 'a.zone': ZONE, ...more }) }
}

/** A target that is checked elsewhere. */
export function target(n: number, host: string): string {
  return `{address: 192.0.2.${n}, check_address: ${host}}`
}

/** Of a check `{type: file, path: "told/{address}"}`: another program writes its file, as a whole. */
export function tell({ folder }: CheckedSite, address: string, state: 'up' | 'down'): void {
  mkdirSync(join(folder, 'told'), { recursive: true })
  const file = join(folder, 'told', address)
  writeFileSync(`${file}.new`, state.toUpperCase())
  renameSync(`${file}.new`, file)
}
