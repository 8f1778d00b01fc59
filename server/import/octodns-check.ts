/**
 * octoDNS's health checks (docs, "Health Checks"): what is checked where a record does not say, and
 * where it does.
 */
import { numberAt, textAt, valueAt } from './document.ts'
import { freeName } from './draft.ts'
import { changed, unsupported } from './ledger.ts'
import type { Octodns, OctoName, OctoRecord } from './octodns-house.ts'

const TYPES = { HTTP: 'http', HTTPS: 'https', TCP: 'tcp' } as const

/** The name of the check of a dynamic record. */
export function checkOf(octodns: Octodns, name: OctoName, record: OctoRecord): string | undefined {
  const told = valueAt(valueAt(record.tree, 'octodns'), 'healthcheck')
  const protocol = textAt(told, 'protocol') ?? 'HTTPS'
  const type = TYPES[protocol as keyof typeof TYPES]
  const at = told?.at ?? record.at
  const what = `health check of ${record.type} ${name.owner}`
  if (type === undefined) {
    unsupported(octodns.ledger, at, `${what}: ${protocol}`, 'left out: no such check')
    return undefined
  }
  const port = numberAt(told, 'port') ?? 443
  const path = textAt(told, 'path') ?? '/_dns'
  const host = textAt(told, 'host') ?? name.owner
  const request = type === 'tcp' ? {} : { path, host }
  const key = JSON.stringify({ type, port, ...request })
  const known = octodns.checks.get(key)
  const check = known ?? freeName(octodns.draft.checks, `${type}-${port}`)
  if (known === undefined) {
    octodns.checks.set(key, check)
    octodns.draft.checks.set(check, { type, port, ...request, note: '' })
  }
  const here = `check ${check}; say how often, and how many failures count`
  changed(octodns.ledger, at, what, here)
  return check
}
