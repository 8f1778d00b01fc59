/**
 * octoDNS's records as a zone file, with what octoDNS leaves to its providers: a SOA record, and
 * name servers where it has none.
 */
import { changed, exact, type Spot, unsupported } from './ledger.ts'
import { isAlias } from './mend.ts'
import { dataOf } from './octodns-data.ts'
import type { Octodns, OctoName, OctoRecord } from './octodns-house.ts'

/** Stands for the name servers until somebody says who they are (RFC 6761 §6.4). */
const NOBODY = 'ns.invalid.'
const TIMES = '1 7200 900 1209600 60'

/** @param steered the types of each owner that stand in the configuration instead */
export function octoZone(
  octodns: Octodns,
  zone: string,
  names: readonly OctoName[],
  steered: ReadonlyMap<string, readonly string[]>,
): string {
  const apex = names.filter(({ name }) => name === '').flatMap(({ records }) => records)
  const servers = apex.find(({ type }) => type === 'NS')
  const first = servers?.values[0]
  const server = (first && dataOf('NS', first)) ?? NOBODY
  const at: Spot = { file: names[0]?.records[0]?.at.file ?? zone, line: 0 }
  const head = [`$ORIGIN ${zone}.`, '$TTL 3600']
  if (!apex.some(({ type }) => type === 'SOA')) {
    head.push(`@ SOA ${server} hostmaster.${zone}. ${TIMES}`)
    changed(octodns.ledger, at, `no SOA record in ${zone}`, 'made up: correct it')
  }
  if (servers === undefined) {
    head.push(`@ NS ${NOBODY}`)
    unsupported(
      octodns.ledger,
      at,
      `no NS records in ${zone}`,
      `${NOBODY} stands for them: correct it`,
    )
  }
  const lines = names.flatMap(name =>
    name.records.flatMap(one => linesOf(octodns, name, one, steered)),
  )
  return [...head, ...lines, ''].join('\n')
}

function linesOf(
  octodns: Octodns,
  { name, owner }: OctoName,
  { type, ttl, at, values }: OctoRecord,
  steered: ReadonlyMap<string, readonly string[]>,
): string[] {
  const what = `${type} ${owner}`
  if (steered.get(owner)?.includes(type)) return []
  if (isAlias(octodns.draft, owner)) {
    unsupported(octodns.ledger, at, what, 'left out: nothing stands beside an alias')
    return []
  }
  const lines = values.flatMap(value => {
    const data = dataOf(type, value)
    return data === undefined ? [] : [`${name === '' ? '@' : name} ${ttl} ${type} ${data}`]
  })
  if (lines.length === values.length && lines.length > 0) exact(octodns.ledger, at, what)
  else unsupported(octodns.ledger, at, what, leftOut(type))
  return lines
}

function leftOut(type: string): string {
  if (type === 'ALIAS') return 'left out: steer the name to the addresses of the target'
  if (type === 'URLFWD') return 'left out: an HTTP server has to do that'
  return 'left out: there is no way to write its values'
}
