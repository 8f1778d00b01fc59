/**
 * The records of a geodns zone that are not steered, as a zone file (abh/geodns, README "Supported
 * record types"), with the SOA record that geodns makes up.
 */
import { entriesIn, listOf, numberAt, type Tree, textAt, textsOf } from './document.ts'
import type { Geodns, GeoZone, Label } from './geodns-house.ts'
import { changed, exact, unsupported } from './ledger.ts'
import { isAlias } from './mend.ts'
import { quoted } from './zone-text.ts'

/** What geodns puts into its SOA records: refresh, retry, expire, minimum. */
const TIMES = '5400 5400 1209600 3600'
const NS_TTL = 86_400
const NOBODY = 'ns.invalid.'

/** @param steered labels whose addresses and aliases stand in the configuration instead */
export function geoZoneText(geodns: Geodns, zone: GeoZone, steered: ReadonlySet<string>): string {
  const apex = zone.labels.get('')
  const servers = apex?.others.find(({ type }) => type === 'ns')
  const [first = NOBODY] = servers === undefined ? [] : hostsOf(servers.values)
  const ttl = Math.min(3600, zone.ttl * 10) || 600
  const head = [
    `$ORIGIN ${zone.name}.`,
    `$TTL ${zone.ttl}`,
    `@ ${ttl} SOA ${first} ${withDot(zone.contact)} ${zone.serial} ${TIMES}`,
  ]
  if (servers === undefined) {
    head.push(`@ NS ${NOBODY}`)
    const here = `${NOBODY} stands for them: correct it`
    unsupported(geodns.ledger, zone.at, `no ns records in ${zone.name}`, here)
  }
  const lines = [...zone.labels.values()].flatMap(label => [
    ...(steered.has(label.name) ? [] : plainLines(geodns, zone, label)),
    ...otherLines(geodns, zone, label),
  ])
  return [...head, ...lines, ''].join('\n')
}

/** Addresses and aliases that are the same for all, all at once. */
function plainLines(geodns: Geodns, zone: GeoZone, label: Label): string[] {
  if (label.targets.length === 0) return []
  exact(geodns.ledger, label.at, titleOf(zone, label))
  const types = { ipv4: 'A', ipv6: 'AAAA', host: 'CNAME' }
  return label.targets.map(({ kind, text }) => lineOf(zone, label, types[kind], text))
}

function otherLines(geodns: Geodns, zone: GeoZone, label: Label): string[] {
  return label.others.flatMap(({ type, at, values }) => {
    const data = dataOf(type, values, zone)
    const what = `${type} of ${titleOf(zone, label)}`
    if (isAlias(geodns.draft, titleOf(zone, label))) {
      unsupported(geodns.ledger, at, what, 'left out: nothing stands beside an alias')
      return []
    }
    const weights = listOf(values).filter(item => (numberAt(item, 'weight') ?? 0) > 0)
    if (data.some(text => text === undefined)) {
      unsupported(geodns.ledger, at, what, 'left out: there is no way to write its values')
    } else if (weights.length > 0 && data.length > label.maxHosts) {
      changed(geodns.ledger, at, what, 'all of them are answered, whatever their weights')
    } else exact(geodns.ledger, at, what)
    const ttl = type === 'ns' && label.ttl === zone.ttl ? NS_TTL : label.ttl
    return data.flatMap(text =>
      text === undefined ? [] : [lineOf(zone, { ...label, ttl }, type.toUpperCase(), text)],
    )
  })
}

function lineOf(zone: GeoZone, { name, ttl }: Label, type: string, data: string): string {
  const owner = name === '' ? '@' : name.replace(/[[\]()"; @$\\]/g, escaped)
  return `${owner} ${ttl === zone.ttl ? '' : `${ttl} `}${type} ${data}`
}

function escaped(character: string): string {
  return `\\${String(character.charCodeAt(0)).padStart(3, '0')}`
}

export function titleOf(zone: GeoZone, { name }: Label): string {
  return name === '' ? zone.name : `${name}.${zone.name}`
}

function dataOf(type: string, values: Tree, zone: GeoZone): (string | undefined)[] {
  if (type === 'ns') return hostsOf(values)
  const items = values.kind === 'map' ? [values] : listOf(values)
  return items.map(item => valueOfItem(type, item, zone))
}

function valueOfItem(type: string, item: Tree, zone: GeoZone): string | undefined {
  const text = item.kind === 'text' ? item.text : textAt(item, type)
  switch (type) {
    case 'mx':
      return text === undefined
        ? undefined
        : `${numberAt(item, 'preference') ?? 0} ${withDot(text)}`
    case 'srv': {
      const target = textAt(item, 'target')
      if (target === undefined) return undefined
      const numbers = ['priority', 'srv_weight', 'port'].map(key => numberAt(item, key) ?? 0)
      return [...numbers, target.endsWith('.') ? target : `${target}.${zone.name}.`].join(' ')
    }
    case 'ptr': {
      const [first] = item.kind === 'list' ? textsOf(item) : [text]
      return first === undefined ? undefined : withDot(first)
    }
    default:
      return text === undefined ? undefined : quoted(text).join(' ')
  }
}

/** Name servers: a list, one name, or names as keys. */
function hostsOf(values: Tree): string[] {
  const names = values.kind === 'map' ? entriesIn(values).map(({ key }) => key) : textsOf(values)
  return names.map(withDot)
}

function withDot(name: string): string {
  return name.endsWith('.') ? name : `${name}.`
}
