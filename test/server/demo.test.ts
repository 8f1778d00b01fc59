/** What the demo promises: it loads without a remark, and its names behave alike over A and AAAA. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { addressFrom, prefixFrom } from '../../server/config/prefix.ts'
import { nameText } from '../../server/dns/name.ts'
import { rdataText } from '../../server/dns/rdata.ts'
import { TYPE, typeText } from '../../server/dns/rrtype.ts'
import { isWrong, problemText, remarks } from '../../server/fault.ts'
import { load } from '../../server/load.ts'
import type { Policy } from '../../server/steer/rule.ts'
import { eachChoose } from '../../server/steer/wanted.ts'
import { parseZone } from '../../server/zone/master.ts'
import * as records from '../../server/zone/records.ts'
import { textStream } from '../../server/zone/stream.ts'

const FOLDER = fileURLToPath(new URL('../../data/demo/', import.meta.url))
const ZONE = join(FOLDER, 'example.com.zone')

const loaded = load(join(FOLDER, 'lbdns.yaml'), { version: '0', host: 'demo' })
const config = loaded.ok ? loaded.value.config : undefined
const policy: Policy = config?.policy ?? { pools: [], networks: [], latencies: [], rules: [] }

test('it loads without a remark', () => {
  const problems = loaded.ok ? [] : loaded.problems
  expect([...problems, ...loaded.warnings].map(problemText)).toEqual([])
})

test('it listens on both loopback addresses, port 5353', () => {
  expect(config?.listen.map(({ host, port }) => [host, port])).toEqual([
    ['127.0.0.1', 5353],
    ['::1', 5353],
  ])
})

/** Whether a prefix is one of those that RFC 5737 and RFC 3849 set aside. */
function isDocumentation(octets: Uint8Array): boolean {
  const blocks = ['192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24', '2001:db8::/32']
  return blocks.some(text => {
    const block = prefixFrom(text)
    if (isWrong(block) || block.octets.length !== octets.length) return false
    return block.octets.subarray(0, block.bits / 8).every((octet, at) => octet === octets[at])
  })
}

// biome-ignore format: table
const STEERED = [
  // owner                  pick        chooses    IPv4 and IPv6 targets of each pool it may use
  ['shuffled.example.com.', 'shuffle',  'all',     [[8, 8]]],
  ['rotating.example.com.', 'rotate',   'all',     [[8, 8]]],
  ['cdn.example.com.',      'shuffle',  'by',      [[2, 2]]],
  ['flat.example.com.',     'shuffle',  'all',     [[2, 2]]],
  ['go.example.com.',       'shuffle',  'by',      [[0, 0]]],
  ['near.example.com.',     'shuffle',  'nearest', [[2, 2]]],
  ['sticky.example.com.',   'hash',     'all',     [[8, 8]]],
  ['weighted.example.com.', 'weighted', 'all',     [[3, 3]]],
  ['www.example.com.',      'shuffle',  'by',      [[1, 1], [2, 2]]],
] as const

/** How many IPv4 and IPv6 targets the pools of a rule have: each pair once, in order. */
function sizes(owner: string): string[] {
  const rule = policy.rules.find(candidate => nameText(candidate.owner) === owner)
  const choices = rule === undefined ? [] : [...eachChoose(rule.choose)]
  const pools = choices.flatMap(choose => {
    if (choose.kind === 'all') return choose.pools
    return choose.kind === 'nearest' ? choose.pools.map(({ pool }) => pool) : []
  })
  const pairs = pools.map(pool => {
    const targets = policy.pools[pool]?.targets ?? []
    const count = (family: number) =>
      targets.filter(target => target.kind === 'address' && target.family === family).length
    return `${count(4)} ${count(6)}`
  })
  return [...new Set(pairs)].sort()
}

describe('steered names', () => {
  test('are these', () => {
    const owners = policy.rules.map(rule => nameText(rule.owner))
    expect(owners).toEqual(STEERED.map(([owner]) => owner))
  })

  for (const [owner, pick, kind, pairs] of STEERED) {
    test(`${owner} ${pick}, ${kind}`, () => {
      const rule = policy.rules.find(candidate => nameText(candidate.owner) === owner)
      expect([rule?.pick, rule?.choose.kind]).toEqual([pick, kind])
      expect(rule?.ttl.max).toBeLessThanOrEqual(60)
      expect(sizes(owner)).toEqual(pairs.map(pair => pair.join(' ')))
    })
  }

  test('cdn tells four countries and the rest apart', () => {
    const choose = policy.rules[2]?.choose
    const by = choose?.kind === 'by' ? choose.by : undefined
    expect([...(by?.countries.keys() ?? [])]).toEqual(['US', 'DE', 'JP', 'BR'])
    const branches = [...(by?.countries.values() ?? [])].map(({ to }) => to)
    expect(new Set([...branches, by?.default].map(to => JSON.stringify(to))).size).toBe(5)
  })

  test('www uses networks, countries and continents', () => {
    const choose = policy.rules[8]?.choose
    const by = choose?.kind === 'by' ? choose.by : undefined
    expect([by?.networks.length, by?.countries.size, by?.continents.size]).toEqual([1, 3, 5])
  })

  test('RFC 5737 RFC 3849 hand out documentation addresses', () => {
    const targets = policy.pools.flatMap(pool => pool.targets)
    const real = targets.filter(
      target => target.kind === 'address' && !isDocumentation(target.octets),
    )
    expect(real).toEqual([])
  })
})

type Row = {
  readonly owner: string
  readonly type: string
  readonly ttl: number
  readonly data: string
}

function rows(): Row[] {
  const include = () => ({ wrong: 'the demo includes nothing' })
  const text = readFileSync(ZONE, 'latin1')
  const zone = parseZone({ file: ZONE, stream: textStream(text), include }, remarks())
  if (zone === undefined) return []
  return Array.from({ length: records.recordCount(zone) }, (_, at) => {
    const type = records.recordType(zone, at)
    return {
      owner: nameText(records.ownerName(zone, records.recordOwner(zone, at))),
      type: typeText(type),
      ttl: records.recordTtl(zone, at),
      data: rdataText(type, records.recordData(zone, at)),
    }
  })
}

// biome-ignore format: table
const TYPES = [
  'SOA', 'NS', 'MX', 'TXT', 'CAA', 'HTTPS', 'A', 'AAAA', 'HINFO', 'SSHFP', 'LOC', 'SRV', 'NAPTR', 'TLSA',
  'URI', 'SVCB', 'RP', 'AFSDB', 'CNAME', 'DNAME', 'DS', 'TYPE65280',
]

describe('the zone', () => {
  test('has records of many types', () => {
    expect(new Set(rows().map(({ type }) => type))).toEqual(new Set(TYPES))
  })

  test('may be cached for a minute at most, and so may what it has not', () => {
    expect(rows().filter(({ ttl }) => ttl > 60)).toEqual([])
    const soa = rows().find(({ type }) => type === 'SOA')
    expect(soa?.data.split(' ').at(-1)).toBe('60')
  })

  test('RFC 5737 RFC 3849 has documentation addresses', () => {
    const real = rows()
      .filter(({ type }) => type === 'A' || type === 'AAAA')
      .filter(({ data }) => {
        const address = addressFrom(data)
        return isWrong(address) || !isDocumentation(address.octets)
      })
    expect(real).toEqual([])
  })

  test('has every host that go sends to, with both families', () => {
    const hosts = policy.pools.flatMap(pool =>
      pool.targets.flatMap(target => (target.kind === 'host' ? [nameText(target.name)] : [])),
    )
    expect(hosts).toHaveLength(3)
    for (const host of hosts) {
      const types = rows().filter(({ owner }) => owner === host)
      expect(types.map(({ type }) => type)).toEqual([typeText(TYPE.A), typeText(TYPE.AAAA)])
    }
  })

  const knotc = spawnSync('knotc', ['--version']).error === undefined
  test.skipIf(!knotc)('loads in Knot without a remark', () => {
    const folder = mkdtempSync(join(tmpdir(), 'lbdns-demo-'))
    const conf = join(folder, 'knot.conf')
    writeFileSync(
      conf,
      `database:\n  storage: ${folder}\nzone:\n  - domain: example.com\n    file: ${ZONE}\n`,
    )
    const { status, stdout, stderr } = spawnSync('knotc', ['-c', conf, 'zone-check'], {
      encoding: 'utf8',
    })
    rmSync(folder, { recursive: true })
    expect([status, stdout + stderr]).toEqual([0, ''])
  })
})
