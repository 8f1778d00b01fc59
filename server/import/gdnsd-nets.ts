/**
 * The `nets` of a gdnsd map as named networks (gdnsd-plugin-geoip(8), "nets"): prefixes with the
 * same list of datacenters are one network.
 */
import { Address6 } from 'ip-address'
import { isWrong } from '../fault.ts'
import { type Branch, pools } from './choice.ts'
import { freeName } from './draft.ts'
import type { Gdnsd } from './gdnsd-house.ts'
import { emptyHash, readVscf, textOf, textsOf, type Vscf, type VscfHash } from './gdnsd-syntax.ts'
import { changed, exact, type Spot, unsupported } from './ledger.ts'
import { bitsOf, compatible, prefixText } from './prefixes.ts'

/** The longest name that is made of datacenters. */
const NAME = 40

/** Networks with their datacenters; the networks are in the draft then. */
export function netBranches(gdnsd: Gdnsd, map: string, nets: Vscf): Branch[] {
  const hash = nets.kind === 'hash' ? nets : netsFile(gdnsd, map, nets)
  const lists = new Map<string, { list: readonly string[]; prefixes: string[] }>()
  const seen = new Map<string, string>()
  for (const [prefix, list, at] of prefixesOf(gdnsd, map, hash)) {
    const key = list.join(' ')
    const before = seen.get(prefix)
    if (before !== undefined && before !== key) {
      changed(gdnsd.ledger, at, `${prefix} twice in nets of ${map}`, `the first counts: ${before}`)
    }
    if (before !== undefined) continue
    seen.set(prefix, key)
    const entry = lists.get(key) ?? { list, prefixes: [] }
    entry.prefixes.push(prefix)
    lists.set(key, entry)
  }
  return [...lists.values()].map(({ list, prefixes }) => {
    const wish = `${map}-${list.join('-')}`
    const name = freeName(gdnsd.draft.networks, wish.length <= NAME ? wish : `${map}-nets`)
    gdnsd.draft.networks.set(name, { prefixes, note: '' })
    return { level: 'networks', key: name, to: pools(...list) }
  })
}

function netsFile(gdnsd: Gdnsd, map: string, nets: Vscf): VscfHash {
  const path = textOf(nets) ?? ''
  const original = gdnsd.read(path.startsWith('/') ? path : `geoip/${path}`, gdnsd.file)
  const what = `nets of map ${map}: ${path}`
  if (original === undefined) {
    unsupported(gdnsd.ledger, nets.at, what, 'left out: the file cannot be read')
    return emptyHash(nets.at)
  }
  const read = readVscf(original, gdnsd.read)
  if (isWrong(read)) gdnsd.wrongs.push(read)
  if (isWrong(read) || read.kind !== 'hash') return emptyHash(nets.at)
  const here = 'a file of networks; a change of it takes a reload'
  changed(gdnsd.ledger, nets.at, what, here)
  return read
}

type Net = readonly [prefix: string, list: readonly string[], at: Spot]

function prefixesOf(gdnsd: Gdnsd, map: string, hash: VscfHash): Net[] {
  const nets = hash.entries.flatMap(({ key, at, value }): Net[] => {
    const prefix = key.includes('/') ? prefixText(key) : undefined
    if (prefix !== undefined) return [[compatible(prefix), textsOf(value), at]]
    unsupported(gdnsd.ledger, at, `${key} in nets of map ${map}`, 'left out: it is no prefix')
    return []
  })
  const above = aboveIpv4(nets)
  if (above === undefined || nets.some(([prefix]) => prefix === '0.0.0.0/0')) return nets
  const [prefix, list, at] = above
  exact(gdnsd.ledger, at, `${prefix} in nets of map ${map}`, '0.0.0.0/0 too: it holds ::/96')
  return [...nets, ['0.0.0.0/0', list, at]]
}

/** The longest prefix that holds all of ::/96, where gdnsd keeps IPv4. */
function aboveIpv4(nets: readonly Net[]): Net | undefined {
  const holding = nets.filter(([prefix]) => {
    if (!prefix.includes(':') || bitsOf(prefix) > 96) return false
    return new Address6(prefix.slice(0, prefix.indexOf('/'))).bigInt() === 0n
  })
  return holding.toSorted(([a], [b]) => bitsOf(b) - bitsOf(a))[0]
}
