/**
 * What a change moves, before it goes live, and what another server's files become: the commands as
 * an operator and a pipeline use them.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeDatabase } from '../kit/mmdb.ts'
import { folder, stopAll } from '../kit/process.ts'
import { lbdns } from '../kit/server.ts'

afterAll(stopAll)

const ZONE = `$ORIGIN example.com.
$TTL 60
@ SOA ns1 hostmaster 7 7200 900 1209600 60
@ NS ns1
ns1 A 192.0.2.251
`
/** Germany has a /8, the United States three, so of what is announced Germany has a quarter. */
const places = (germany: string) =>
  writeDatabase({
    networks: [
      [germany, { country: { iso_code: 'DE' } }],
      ['20.0.0.0/8', { country: { iso_code: 'US' } }],
      ['21.0.0.0/8', { country: { iso_code: 'US' } }],
      ['22.0.0.0/8', { country: { iso_code: 'US' } }],
    ],
  })
const yaml = (germany: string) => `listen: [127.0.0.1:5353]
zones: [example.com.zone]
geo: {database: places.mmdb}
pools: {fra: {targets: [192.0.2.1]}, iad: {targets: [192.0.2.2]}}
steer:
  www.example.com: {by: {countries: {DE: [${germany}], US: [iad, fra]}, default: [iad]}}
  api.example.com: {pools: [fra]}
`

let at = ''
beforeAll(() => {
  at = folder({
    'old.yaml': yaml('fra'),
    'new.yaml': yaml('iad'),
    'example.com.zone': ZONE,
    'places.mmdb': places('53.0.0.0/8'),
    'moved.mmdb': places('54.0.0.0/8'),
    'queries.log':
      '53.0.0.0/24 www.example.com\n20.1.0.0/24 www.example.com # twice\n20.1.0.0/24 www.example.com\n20.9.9.0/24 api.example.com\n',
    'broken.log': '53.0.0.0/24\n53.0.0.1/24 www.example.com\n',
  })
})

const diff = (...args: readonly string[]) =>
  lbdns('diff', ...args.map(arg => (/\.(yaml|mmdb|log)$/.test(arg) ? join(at, arg) : arg)))

describe('lbdns diff', () => {
  test('nothing changed is said plainly', async () => {
    const { code, stdout } = await diff('old.yaml', 'old.yaml', '--max-move', '0')
    expect(code).toBe(0)
    expect(stdout).toContain('www.example.com.: unchanged')
  })

  test("one country's branch moves: exactly that country's share", async () => {
    const { code, stdout } = await diff('old.yaml', 'new.yaml', '--json')
    expect(code).toBe(0)
    const { names } = JSON.parse(stdout)
    const www = names.find(({ name }: { name: string }) => name === 'www.example.com.')
    // One /8 of four that are announced, and of 256 that there are.
    expect(www.moves.flows).toHaveLength(1)
    expect(www.moves.flows[0]).toMatchObject({ from: ['fra'], to: ['iad'] })
    expect(www.moves.moved.ipv4).toEqual({ clients: 1 / 4, space: 1 / 256 })
  })

  test.each([
    ['25%', 0],
    ['0.24', 1],
  ])('--max-move %s', async (most, expected) => {
    const { code, stderr } = await diff('old.yaml', 'new.yaml', '--max-move', most)
    expect(code).toBe(expected)
    expect(stderr.includes('www.example.com')).toBe(expected === 1)
  })

  test('a database of its own for each side', async () => {
    const { stdout } = await diff(
      'old.yaml',
      'old.yaml',
      '--new-mmdb',
      'moved.mmdb',
      '--name',
      'www.example.com',
    )
    expect(stdout).toContain('fra → iad')
    expect(stdout).toContain('iad → fra')
    expect(stdout).not.toContain('api.example.com')
  })

  test('a log counts queries: one of three for www moves', async () => {
    const { code, stdout } = await diff(
      'old.yaml',
      'new.yaml',
      '--log',
      'queries.log',
      '--max-move',
      '33%',
    )
    expect(stdout).toMatch(/33\.3 %/)
    expect(code).toBe(1)
  })

  test('a log that cannot be read is told line by line', async () => {
    const { code, stderr } = await diff('old.yaml', 'new.yaml', '--log', 'broken.log')
    expect(code).toBe(1)
    expect(stderr).toContain('broken.log:1:1: ')
    expect(stderr).toContain('broken.log:2:1: 53.0.0.1/24 has bits set past /24')
  })

  test.each([['110%'], ['-1'], ['much'], ['']])('--max-move %j is wrong usage', async most => {
    expect((await diff('old.yaml', 'new.yaml', `--max-move=${most}`)).code).toBe(2)
  })

  test('a configuration that is not there', async () => {
    const { code, stderr } = await diff('old.yaml', 'none.yaml')
    expect([code, stderr]).toEqual([1, expect.stringContaining('none.yaml: does not exist')])
  })
})

describe('lbdns import', () => {
  const OCTODNS = `---
www:
  type: A
  ttl: 60
  value: 192.0.2.1
  dynamic:
    pools:
      eu: {values: [{value: 192.0.2.10}]}
      us: {values: [{value: 192.0.2.20}]}
    rules:
      - geos: [EU]
        pool: eu
      - pool: us
`

  test('all files into a folder, and a report; what was written is good', async () => {
    const from = folder({ 'example.com.yaml': OCTODNS })
    const out = join(folder(), 'made')
    const done = await lbdns('import', 'octodns', join(from, 'example.com.yaml'), '--out', out)
    expect([done.code, done.stderr]).toEqual([0, ''])
    expect(done.stdout).toMatch(/\d+ unsupported, \d+ changed, \d+ exact/)
    const checked = await lbdns('check', '-c', join(out, 'lbdns.yaml'))
    expect([checked.code, checked.stderr.includes('Problem')]).toEqual([0, false])
    const { stdout } = await lbdns(
      'explain',
      '-c',
      join(out, 'lbdns.yaml'),
      'www.example.com',
      '--client',
      'DE',
    )
    expect(stdout).toMatch(/www\.example\.com\.\t60\tIN\tA\t192\.0\.2\.10/)
  })

  test('nothing is written over', async () => {
    const from = folder({ 'example.com.yaml': OCTODNS })
    const out = folder({ 'lbdns.yaml': 'mine' })
    const { code, stderr } = await lbdns(
      'import',
      'octodns',
      join(from, 'example.com.yaml'),
      '--out',
      out,
    )
    expect([code, stderr]).toEqual([1, expect.stringContaining('lbdns.yaml exists')])
    expect(readFileSync(join(out, 'lbdns.yaml'), 'utf8')).toBe('mine')
  })

  test('without --out: the configuration to stdout, the rest to stderr', async () => {
    const from = folder({ 'example.com.yaml': OCTODNS })
    const { code, stdout, stderr } = await lbdns(
      'import',
      'octodns',
      join(from, 'example.com.yaml'),
    )
    expect(code).toBe(0)
    expect(stdout).toContain('steer:')
    expect(stderr).toContain('--out FOLDER')
  })

  test('a format there is not is wrong usage, a file there is not a problem', async () => {
    expect((await lbdns('import', 'bind', 'named.conf')).code).toBe(2)
    const { code, stderr } = await lbdns('import', 'gdnsd', join(at, 'none'))
    expect([code, stderr]).toEqual([1, expect.stringContaining('none does not exist')])
  })
})

describe('lbdns map in figures and drawn', () => {
  test('--summary, for a person and for a program', async () => {
    const { stdout } = await lbdns(
      'map',
      '-c',
      join(at, 'old.yaml'),
      'www.example.com',
      '--summary',
      '--json',
      '-4',
    )
    const [ipv4] = JSON.parse(stdout).families
    const fra = ipv4.rankings.find(
      ({ ranking }: { ranking: unknown }) => JSON.stringify(ranking) === '[["fra"]]',
    )
    expect([fra.space, fra.clients]).toEqual([1 / 256, 1 / 4])
  })

  test('the picture in data/demo is the one that is drawn', async () => {
    const { stdout } = await lbdns('map', '--demo', 'www.example.com', '--svg')
    expect(stdout).toBe(readFileSync('data/demo/map-www.svg', 'utf8'))
  })

  test('--svg is one document that asks for nothing', async () => {
    const { code, stdout } = await lbdns(
      'map',
      '-c',
      join(at, 'old.yaml'),
      'www.example.com',
      '--svg',
    )
    expect(code).toBe(0)
    expect(stdout.startsWith('<svg ')).toBe(true)
    expect(stdout.replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(
      /https?:|<image|<script|url\((?!#)/,
    )
  })
})

test('explain: a client that cannot be read, and a pool that is not there', async () => {
  const explain = (...args: readonly string[]) =>
    lbdns('explain', '-c', join(at, 'old.yaml'), 'www.example.com', ...args)
  expect(await explain('--client', 'UK')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('did you mean GB?'),
  })
  expect(await explain('--down', 'frb')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('did you mean fra?'),
  })
  const twice = await Promise.all([explain('--seed', '7'), explain('--seed', '7')])
  expect(twice[0].stdout).toBe(twice[1].stdout)
})
