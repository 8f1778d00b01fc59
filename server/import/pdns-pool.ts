/**
 * Records of a name as a pool: what a service that points there hands out.
 */
import { type DraftTarget, freeName } from './draft.ts'
import { changed, unsupported } from './ledger.ts'
import type { Domain, Pdns, PdnsRecord } from './pdns-house.ts'
import { addressTarget, hostTarget } from './targets.ts'
import { isIn } from './zone-names.ts'

/** The weight of a record that has none beside those that have one. */
const USUAL = 100

/**
 * The pool of a name that a service points to: its addresses and those that stand at the service
 * itself, or the host that it is an alias of.
 *
 * @returns `undefined` where there is neither
 */
export function targetPool(
  pdns: Pdns,
  domain: Domain,
  owner: string,
  name: string,
): string | undefined {
  const beside = name === owner ? [] : addressesOf(domain.records.get(owner) ?? [])
  const key = beside.length === 0 ? name : `${name} and ${owner}`
  const known = pdns.pools.get(key)
  if (known !== undefined) return known
  const records = [...(domain.records.get(name) ?? []), ...beside]
  const targets = targetsOf(pdns, name, records)
  if (targets.length === 0) return undefined
  const weighted = records.some(({ weight }) => weight !== undefined)
  if (weighted) noteWeights(pdns, name, records)
  const pool = freeName(pdns.draft.pools, labelOf(domain, key))
  const serves = { kind: weighted ? 'one' : 'all' } as const
  pdns.draft.pools.set(pool, { targets, serves, note: '' })
  pdns.pools.set(key, pool)
  return pool
}

/** A name without its domain. */
function labelOf(domain: Domain, key: string): string {
  return key
    .split(' and ')
    .map(name =>
      name !== domain.name && isIn(name, domain.name)
        ? name.slice(0, -domain.name.length - 1)
        : name,
    )
    .join('+')
}

function addressesOf(records: readonly PdnsRecord[]): PdnsRecord[] {
  return records.filter(({ type }) => type === 'A' || type === 'AAAA')
}

function targetsOf(pdns: Pdns, name: string, records: readonly PdnsRecord[]): DraftTarget[] {
  const weighted = records.some(({ weight }) => weight !== undefined)
  const most = Math.max(...records.map(({ weight }) => weight ?? USUAL))
  const scale = most > 65_535 ? 65_535 / most : 1
  const weightOf = ({ weight }: PdnsRecord) =>
    weighted ? Math.max(1, Math.round((weight ?? USUAL) * scale)) : 1
  const addresses = addressesOf(records).flatMap((record): DraftTarget[] => {
    const target = addressTarget(record.content, weightOf(record))
    if (target !== undefined) return [target]
    const what = `${record.type} ${record.content} of ${name}`
    unsupported(pdns.ledger, record.at, what, 'left out: only addresses that are fixed')
    return []
  })
  if (addresses.length > 0) return addresses
  const aliases = records.filter(({ type }) => type === 'CNAME')
  return aliases.flatMap(record => hostTarget(record.content, weightOf(record)) ?? [])
}

function noteWeights(pdns: Pdns, name: string, records: readonly PdnsRecord[]): void {
  const [first] = records
  if (first === undefined) return
  const here = 'chances are exact; there they are rounded to thousandths'
  changed(pdns.ledger, first.at, `weights of ${name}`, here)
}
