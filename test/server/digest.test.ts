/**
 * The digest by which nodes of one zone are compared: every input of an answer changes it, and
 * nothing else does.
 */
import { expect, test } from 'vitest'
import type { World } from '../../server/answer/world.ts'
import { digestOf } from '../../server/digest.ts'
import { openBoard } from '../../server/steer/board.ts'
import { writeDatabase } from '../kit/mmdb.ts'
import { deskFrom, HEAD } from '../kit/world.ts'
import { ZONE_Z } from '../kit/zone-text.ts'

const YAML = `${HEAD}geo: {database: geo.mmdb}
networks: {a: [198.51.100.0/24]}
pools:
  A: {at: {lat: 50, lon: 8}, quorum: 2, spill: 1.4, targets: [{address: 192.0.2.1, weight: 3, load: 0.25, capacity: 7}, 192.0.2.2]}
  B: {at: {lat: 40, lon: -77}, targets: [192.0.2.3, 192.0.2.4]}
steer:
  www.example.com:
    ttl: {max: 30s, min: 10s}
    pick: hash
    quantum: {ipv4: 24, ipv6: 48}
    last_resort: all
    by: {networks: {a: [A, B]}, default: [B, A]}
    https: {alpn: [h2], port: 8443, ech: AEj+DQBE}
  rtt.example.com: {pick: shuffle, answers: 3, spread: pools, latency: {file: rtt.csv}, nearest: [A, B]}
`
const FILES = { 'lbdns.yaml': YAML, 'a.zone': ZONE_Z, 'rtt.csv': '11.0.0.0/8,A,10\n' }

function worldFrom(files: Readonly<Record<string, string>>): World {
  const place = { location: { latitude: 51, longitude: 9 } }
  const database = writeDatabase({ networks: [['12.0.0.0/8', place]] })
  return deskFrom({ ...files, 'geo.mmdb': database }).world
}

const digest = (files: Readonly<Record<string, string>>) => worldFrom(files).digest

const BEFORE = digest(FILES)

// biome-ignore format: table
const SAME = [
  ['the same again',        'lbdns.yaml', YAML],
  ['a comment and blanks',  'lbdns.yaml', `# a comment\n${YAML.replace('quorum: 2,', 'quorum:   2,')}`],
  ['rows in another order', 'rtt.csv',    '# nothing else\n11.0.0.0/8,A,10\n'],
] as const

test.each(SAME)('%s: the same digest', (_, file, text) => {
  expect(digest({ ...FILES, [file]: text })).toBe(BEFORE)
})

// biome-ignore format: table
const CHANGES = [
  // file           what stood there         what stands there now
  ['lbdns.yaml',    '192.0.2.4',             '192.0.2.5'],
  ['lbdns.yaml',    'weight: 3',             'weight: 2'],
  ['lbdns.yaml',    'load: 0.25',            'load: 0.26'],
  ['lbdns.yaml',    ', load: 0.25',          ''],
  ['lbdns.yaml',    'capacity: 7',           'capacity: 8'],
  ['lbdns.yaml',    'quorum: 2',             'quorum: 50%'],
  ['lbdns.yaml',    'spill: 1.4',            'spill: 1.5'],
  ['lbdns.yaml',    'max: 30s',              'max: 31s'],
  ['lbdns.yaml',    'min: 10s',              'min: 9s'],
  ['lbdns.yaml',    'pick: shuffle',         'pick: weighted'],
  ['lbdns.yaml',    'ipv4: 24',              'ipv4: 20'],
  ['lbdns.yaml',    'ipv6: 48',              'ipv6: 44'],
  ['lbdns.yaml',    'last_resort: all',      'last_resort: B'],
  ['lbdns.yaml',    '[A, B]}, default',      '[B, A]}, default'],
  ['lbdns.yaml',    'a: [198.51.100.0/24]',  'a: [198.51.101.0/24]'],
  ['lbdns.yaml',    'alpn: [h2]',            'alpn: [h3]'],
  ['lbdns.yaml',    'port: 8443',            'port: 8444'],
  ['lbdns.yaml',    'ech: AEj+DQBE',         'ech: AEj+DQBF'],
  ['lbdns.yaml',    '    https:',            '    svcb:'],
  ['lbdns.yaml',    'answers: 3',            'answers: 4'],
  ['lbdns.yaml',    'spread: pools, ',       ''],
  ['lbdns.yaml',    'rtt.example.com',       'rtu.example.com'],
  ['rtt.csv',       '11.0.0.0/8',            '11.0.0.0/9'],
  ['rtt.csv',       ',A,10',                 ',B,10'],
  ['a.zone',        'ns1 A 192.0.2.1',       'ns1 A 192.0.2.9'],
] as const

test.each(CHANGES)('another digest: %s, %s to %s', (file, before, after) => {
  const text = FILES[file].replace(before, after)
  expect(text).not.toBe(FILES[file])
  expect(digest({ ...FILES, [file]: text })).not.toBe(BEFORE)
})

test('every octet of every column counts', () => {
  const { steering, zones } = worldFrom(FILES)
  const columns = Object.entries(steering).filter(([, column]) => ArrayBuffer.isView(column))
  for (const [name, column] of columns) {
    const { buffer, byteLength, byteOffset } = column as Uint8Array
    if (byteLength === 0) continue
    const octets = new Uint8Array(buffer, byteOffset, byteLength)
    octets[byteLength - 1]! ^= 1
    expect([name, digestOf(zones, steering)]).not.toEqual([name, BEFORE])
    octets[byteLength - 1]! ^= 1
  }
  expect(digestOf(zones, steering)).toBe(BEFORE)
})

test('what is up, loaded or capped changes no digest', () => {
  const { steering, zones } = worldFrom(FILES)
  for (const column of Object.values(openBoard(steering))) column.fill(0)
  expect(digestOf(zones, steering)).toBe(BEFORE)
})

test('a number that is none counts as one, whatever its octets', () => {
  const { steering, zones } = worldFrom(FILES)
  const { fixedLoad } = steering
  const words = new Uint32Array(fixedLoad.buffer, fixedLoad.byteOffset, fixedLoad.length)
  for (const [at, load] of fixedLoad.entries()) if (Number.isNaN(load)) words[at] = 0x7fc0_0001
  expect(words).toContain(0x7fc0_0001)
  expect(digestOf(zones, steering)).toBe(BEFORE)
})
