/**
 * What compiling a large geo database costs and what a look-up in it does, beside `maxmind` and gdnsd.
 * Seconds and nanoseconds are CPU time of this process; of several runs the least counts, as whatever
 * else the machine does only adds.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Reader, type Response } from 'maxmind'
import { addressText } from '../../../server/dns/address.ts'
import { problemText, remarks } from '../../../server/fault.ts'
import { openDatabase } from '../../../server/geo/mmdb.ts'
import { compilePlaces, type Places } from '../../../server/geo/places.ts'
import { NO_WANTED } from '../../../server/geo/record.ts'
import { type Chance, chance, draw } from '../../../server/steer/chance.ts'
import { leavesOf } from '../../../server/steer/leaves.ts'
import { lookUp, type Steering } from '../../../server/steer/steering.ts'
import {
  CODES,
  COUNTRIES,
  countryOf,
  DATABASE,
  drawAmong,
  LISTED,
  loadRules,
  NETWORKS,
  poolOf,
} from './data.ts'

const ROUNDS = 5
const LOOK_UPS = 2_000_000
const RULES = 100

/** CPU seconds. */
function seconds(run: () => void): number {
  const before = process.cpuUsage()
  run()
  const { system, user } = process.cpuUsage(before)
  return (user + system) / 1e6
}

function least(rounds: number, run: () => void): number {
  return Math.min(...Array.from({ length: rounds }, () => seconds(run)))
}

/** Prints one row; a target is what the figure should be at most. */
function row(title: string, figure: number, unit: string, target?: number): void {
  const digits = figure < 10 ? 2 : 0
  const aim = target === undefined ? '' : `at most ${target}${figure <= target ? '' : '  MISSED'}`
  console.log(`  ${title.padEnd(46)}${figure.toFixed(digits).padStart(8)} ${unit.padEnd(4)} ${aim}`)
}

function placesOf(): Places {
  const database = openDatabase(DATABASE, 'geo.mmdb', remarks())
  if (database === undefined) throw new Error('the database does not open')
  return compilePlaces([database], { ...NO_WANTED, country: true }, COUNTRIES, remarks())
}

function steeringOf(rules: number): Steering {
  const loaded = loadRules(rules)
  if (!loaded.ok) throw new Error(loaded.problems.map(problemText).join('\n'))
  return loaded.value.world.steering
}

function megabytes(steering: Steering): number {
  const columns = Object.values(steering).filter(column => ArrayBuffer.isView(column))
  return columns.reduce((sum, { byteLength }) => sum + byteLength, 0) / 1e6
}

/** Rooms for one address, by family; loops fill them anew. */
const ROOM = { 4: new Uint8Array(4), 6: new Uint8Array(16) } as const

type Family = 4 | 6

/** Puts an address where a loop looks for it. */
type Draw = (drawn: Chance, octets: Uint8Array) => void

/** Any address of IPv4, or of 2000::/3. */
function drawAny(drawn: Chance, octets: Uint8Array): void {
  put(draw(drawn) * 2 ** 16 + (draw(drawn) >>> 16), octets)
  if (octets.length === 16) octets[0] = 0x20 | (octets[0]! & 0x1f)
}

/** One from the first network of its family to the last: the tree is deep there. */
function drawNear(drawn: Chance, octets: Uint8Array): void {
  put(drawAmong(drawn, octets.length === 4 ? 4 : 6), octets)
}

/** @param number the first six octets */
function put(number: number, octets: Uint8Array): void {
  const high = Math.floor(number / 2 ** 32)
  const low = number >>> 0
  octets[0] = high >>> 8
  octets[1] = high
  octets[2] = low >>> 24
  octets[3] = low >>> 16
  if (octets.length === 4) return
  octets[4] = low >>> 8
  octets[5] = low
}

/** Nanoseconds a look-up, without what drawing addresses costs. */
function lookUpNanos(steering: Steering, family: Family, fill: Draw): number {
  const drawn = chance(1)
  const octets = ROOM[family]
  let sum = 0
  const drawing = () => {
    for (let i = 0; i < LOOK_UPS; i += 1) {
      fill(drawn, octets)
      sum += octets[0]!
    }
  }
  const looking = () => {
    for (let i = 0; i < LOOK_UPS; i += 1) {
      fill(drawn, octets)
      sum += lookUp(steering, 0, family, octets)
    }
  }
  const [with_, without] = [least(ROUNDS, looking), least(ROUNDS, drawing)]
  if (sum === 0) throw new Error('nothing was found')
  return ((with_ - without) * 1e9) / LOOK_UPS
}

/** What `maxmind` takes to find one address and its prefix. */
function maxmindNanos(family: Family): number {
  const reader = new Reader<Response>(DATABASE)
  const drawn = chance(2)
  const texts = Array.from({ length: 20_000 }, () => {
    drawNear(drawn, ROOM[family])
    return addressText(ROOM[family])
  })
  const run = () => texts.forEach(text => void reader.getWithPrefixLength(text))
  return (least(ROUNDS, run) * 1e9) / texts.length
}

function blocksOf(steering: Steering, family: Family): number {
  let blocks = 0
  for (const _ of leavesOf(steering, 0, family)) blocks += 1
  return blocks
}

/** Seconds that gdnsd takes to read the same map as a list of networks; `undefined`: not here. */
function gdnsdSeconds(): number | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'lbdns-gdnsd-'))
  for (const name of ['zones', 'geoip', 'run', 'state']) mkdirSync(join(folder, name))
  const sites = [0, 1, 2, 3, 4, 5].map(i => `p${i}`)
  const targets = sites.map((site, i) => `${site} => 192.0.2.${i + 1}`).join(' ')
  const lines = LISTED.map(each => `${each[0]} => [${poolOf(CODES.indexOf(countryOf(each)), 0)}]`)
  const map = `datacenters => [${sites.join()}], nets => bench.nets`
  writeFileSync(join(folder, 'geoip', 'bench.nets'), `${lines.join('\n')}\n`)
  writeFileSync(
    join(folder, 'config'),
    `options => { listen => 127.0.0.1:5399, run_dir => ${join(folder, 'run')}, state_dir => ${join(folder, 'state')} }
plugins => { geoip => { maps => { m => { ${map} } }, resources => { r => { map => m, service_types => up, dcmap => { ${targets} } } } } }
`,
  )
  writeFileSync(
    join(folder, 'zones', 'example.com'),
    '@ SOA ns1 admin 1 3600 600 86400 60\n@ NS ns1\nns1 A 192.0.2.53\nwww 60 DYNA geoip!r\n',
  )
  const started = performance.now()
  const { status } = spawnSync('gdnsd', ['-c', folder, 'checkconf'])
  const took = (performance.now() - started) / 1000
  rmSync(folder, { recursive: true })
  return status === 0 ? took : undefined
}

console.log(`a database of ${NETWORKS} networks of a country each`)
const places = placesOf()
const one = steeringOf(1)
const alone = least(3, placesOf)
const baseline = least(3, () => steeringOf(0))
const whole = least(3, () => steeringOf(1))
row('read into places', alone, 's')
row('a rule over it: places and partition', whole - baseline, 's', 0.25)
row('its places', places.cells.byteLength / 1e6, 'MB')
row('its partition, jump tables and all', megabytes(one), 'MB', 10)
const walking = { ...one, jump: new Int32Array(0) }
for (const family of [4, 6] as const) {
  row(`a look-up, IPv${family}, any address`, lookUpNanos(one, family, drawAny), 'ns', 60)
  row('  walking from the root', lookUpNanos(walking, family, drawAny), 'ns')
  row('  where the networks are', lookUpNanos(one, family, drawNear), 'ns')
  row('  there, walking from the root', lookUpNanos(walking, family, drawNear), 'ns')
}
const many = steeringOf(RULES)
row(
  `${RULES} rules, loaded with all their files`,
  least(2, () => steeringOf(RULES)),
  's',
  8,
)
row(`  in memory`, megabytes(many), 'MB')
for (const family of [4, 6] as const) {
  const nanos = maxmindNanos(family)
  row(`maxmind: getWithPrefixLength, IPv${family}`, nanos, 'ns')
  row(`  one for each of our blocks would take`, (nanos * blocksOf(one, family)) / 1e9, 's')
}
const gdnsd = gdnsdSeconds()
if (gdnsd === undefined) console.log('  gdnsd: not here')
else row('gdnsd: the same map as a list, by the clock', gdnsd, 's')
