/**
 * `pdns.conf`: where to listen, which databases, whether client subnets are read. Everything else
 * is told in the report.
 */
import type { Original } from './imported.ts'
import { changed, exact, type Spot, unsupported } from './ledger.ts'
import type { Pdns } from './pdns-house.ts'

export type Setting = { readonly key: string; readonly value: string; readonly at: Spot }

const DNS_PORT = '53'

/** Lines of the form `key=value`; `+=` adds to what stands before. */
export function settingsOf({ file, text }: Original): Setting[] {
  return text.split('\n').flatMap((written, index) => {
    const line = written.replace(/#.*$/, '').trim()
    const match = /^([\w-]+)\s*\+?=\s*(.*)$/.exec(line)
    if (match === null) return []
    return [{ key: match[1] ?? '', value: match[2] ?? '', at: { file, line: index + 1 } }]
  })
}

/** Whether a file is a `pdns.conf` and no YAML. */
export function isConf({ file, text }: Original): boolean {
  return file.endsWith('.conf') || /^\s*launch\s*\+?=/m.test(text)
}

export function readSettings(pdns: Pdns, settings: readonly Setting[]): void {
  const port = settings.findLast(({ key }) => key === 'local-port')?.value ?? DNS_PORT
  for (const setting of settings) readSetting(pdns, setting, port)
  const reads = settings.findLast(({ key }) => key === 'edns-subnet-processing')
  pdns.draft.ecs = reads?.value === 'yes'
  const [first] = settings
  if (reads !== undefined) exact(pdns.ledger, reads.at, `edns-subnet-processing=${reads.value}`)
  else if (first !== undefined) {
    const at = { file: first.at.file, line: 0 }
    exact(pdns.ledger, at, 'edns-subnet-processing is off', 'ecs: enabled: off')
  }
}

function readSetting(pdns: Pdns, { key, value, at }: Setting, port: string): void {
  const what = `${key}=${value}`
  const { ledger } = pdns
  switch (key) {
    case 'edns-subnet-processing':
      return
    case 'local-address':
      for (const address of value.split(/[\s,]+/).filter(Boolean)) {
        pdns.draft.listen.push(withPort(address, port))
      }
      return void exact(ledger, at, what)
    case 'local-port':
    case 'geoip-zones-file':
      return void exact(ledger, at, what)
    case 'geoip-database-files':
      return void readDatabases(pdns, value, at)
    case 'launch': {
      if (value === 'geoip') return void exact(ledger, at, what)
      const here = 'only the geoip backend is imported: export other zones as master files'
      return void unsupported(ledger, at, what, here)
    }
    case 'geoip-dnssec-keydir':
      return void unsupported(ledger, at, what, 'left out: zones are not signed in this version')
    case 'include-dir':
      return void unsupported(ledger, at, what, 'left out: name its files for the import')
    default:
      return void unsupported(ledger, at, what, 'left out: no counterpart')
  }
}

/** `[driver:]path[;options]`, several of them. */
function readDatabases(pdns: Pdns, value: string, at: Spot): void {
  for (const written of value.split(/[\s,]+/).filter(Boolean)) {
    const [place = '', ...options] = written.split(';')
    const path = place.replace(/^(mmdb|dat):/, '')
    const what = `geoip-database-files=${written}`
    if (place.startsWith('dat:') || path.endsWith('.dat')) {
      unsupported(pdns.ledger, at, what, 'left out: take the .mmdb of the same data')
      continue
    }
    pdns.draft.databases.push(path)
    const language = options.find(option => /^language=(?!en$)/.test(option))
    if (language === undefined) exact(pdns.ledger, at, what, `geo.database: ${path}`)
    else changed(pdns.ledger, at, what, `geo.database: ${path}; cities by their English names`)
  }
}

function withPort(address: string, port: string): string {
  if (/^\[.*\]:\d+$/.test(address) || /^[\d.]+:\d+$/.test(address)) return address
  return address.includes(':') ? `[${address.replace(/[[\]]/g, '')}]:${port}` : `${address}:${port}`
}
