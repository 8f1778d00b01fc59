/** What the commands of `lbdns` say, and how they end: exit codes of design section 7. */
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import about from '../../package.json' with { type: 'json' }
import { withoutBatches } from '../kit/engine.ts'
import { writeDatabase } from '../kit/mmdb.ts'
import { freePort, LBDNS, run, stopAll } from '../kit/process.ts'
import { askChaos, askUdp, lbdns, put, serveSite, site } from '../kit/server.ts'

const ZONE = (origin: string, serial: number) =>
  `$ORIGIN ${origin}\n@ 300 SOA ns1 hostmaster ${serial} 7200 900 1209600 60\n@ 300 NS ns1\nns1 300 A 192.0.2.251\n`

const CONFIG = (port: number) => `listen: [127.0.0.1:${port}]
zones: [example.com.zone, example.net.zone]
geo: {database: places.mmdb}
pools:
  us: {targets: [192.0.2.1, 192.0.2.2, "2001:db8::1"]}
  de: {targets: [198.51.100.1, "2001:db8:1::1"]}
steer:
  www.example.com: {ttl: 60s, by: {countries: {US: [us]}, default: [de]}}
  api.example.com: {ttl: 30s, pick: rotate, pools: [us]}
`

/** Made on 2023-11-14: 1,700,000,000 seconds after the epoch. */
const PLACES = writeDatabase({
  networks: [
    ['17.0.0.0/8', { country: { iso_code: 'US' } }],
    ['2600::/12', { country: { iso_code: 'US' } }],
  ],
})

/** A folder that is good, on a port that is free. */
function good(port: number) {
  return {
    'lbdns.yaml': CONFIG(port),
    'example.com.zone': ZONE('example.com.', 2026010107),
    'example.net.zone': ZONE('example.net.', 4294967295),
    'places.mmdb': PLACES,
  }
}

let port = 0
let folder = ''
let file = ''
beforeAll(async () => {
  port = await freePort()
  folder = site(good(port))
  file = join(folder, 'lbdns.yaml')
})
afterAll(stopAll)

describe('lbdns', () => {
  test('--version: the version of the package', async () => {
    expect(await lbdns('--version')).toEqual({
      code: 0,
      stdout: `lbdns ${about.version}\n`,
      stderr: '',
    })
  })

  // biome-ignore format: table
  const HELP: readonly (readonly [string[], RegExp])[] = [
    [['--help'],            /^Usage: lbdns .*\brun\b.*\bcheck\b.*\bexplain\b.*\bmap\b/s],
    [['help'],              /^Usage: lbdns /],
    [['run', '--help'],     /^Usage: lbdns run .*--config.*--demo/s],
    [['check', '--help'],   /^Usage: lbdns check .*--strict/s],
    [['explain', '--help'], /^Usage: lbdns explain .*<name> \[type\].*--client.*--json/s],
    [['map', '--help'],     /^Usage: lbdns map .*<name>.*-4.*-6.*--json.*--csv/s],
  ]
  test.concurrent.each(HELP)(
    '%j tells what there is, and is no mistake',
    async (args, expected) => {
      const { code, stdout, stderr } = await lbdns(...args)
      expect([code, stderr]).toEqual([0, ''])
      expect(stdout).toMatch(expected)
    },
  )

  // biome-ignore format: table
  const MISUSED: readonly (readonly [string, string[], string])[] = [
    ['no command',               [],                                     'Usage: lbdns'],
    ['unknown command',          ['frob'],                               "unknown command 'frob'"],
    ['close to a command',       ['chek'],                               'Did you mean check?'],
    ['unknown option',           ['run', '--frob'],                      "unknown option '--frob'"],
    ['too many arguments',       ['check', 'x'],                         'too many arguments'],
    ['an option without value',  ['check', '-c'],                        'argument missing'],
    ['a file and the demo',      ['check', '-c', 'x', '--demo'],         'cannot be used with'],
    ['explain what?',            ['explain'],                            "missing required argument 'name'"],
    ['explain: no such name',    ['explain', 'a..example'],              'a..example'],
    ['explain: no such type',    ['explain', 'a.example', 'FOO'],        'FOO is no record type'],
    ['explain: no client',       ['explain', 'a.example', '--client', '300.1.1.1'],
                                                                         '300.1.1.1 is not an IP address'],
    ['explain: a length too big', ['explain', 'a.example', '--client', '8.8.8.8/33'],
                                                                         'write /0 to /32'],
    ['explain: a resolver is one address', ['explain', 'a.example', '--source', '192.0.2.0/24'],
                                                                         '192.0.2.0/24'],
    ['map of what?',             ['map'],                                "missing required argument 'name'"],
    ['map: two formats',         ['map', 'a.example', '--json', '--csv'], 'cannot be used with'],
  ]
  test.concurrent.each(MISUSED)('wrong usage: %s', async (_, args, expected) => {
    const { code, stdout, stderr } = await lbdns(...args)
    expect(stderr).toContain(expected)
    expect([code, stdout]).toEqual([2, ''])
  })
})

/** One worker a core, where there are batches. */
const UDP =
  withoutBatches !== undefined
    ? '1 worker, through node:dgram'
    : `${availableParallelism()} worker${availableParallelism() === 1 ? '' : 's'}, in batches`

describe('lbdns run', () => {
  test('says what it serves, from which data, and where', async () => {
    const server = await serveSite(folder)
    const digest = await askChaos(port, 'map.lbdns')
    expect(digest).toMatch(/^[0-9a-f]{32}$/)
    expect(server.stdout()).toBe(`lbdns ${about.version}
  zones      example.com. serial 2026010107, example.net. serial 4294967295: 6 names, 6 RRsets
  steered    www.example.com., api.example.com.
  geo data   places.mmdb, made 2023-11-14
  digest     ${digest}
  udp        ${UDP}
  listening  127.0.0.1:${port} (UDP and TCP)
`)
    expect(await server.stop()).toBe(0)
    const log = server
      .stderr()
      .trim()
      .split('\n')
      .map(line => JSON.parse(line).msg)
    const noted = withoutBatches === undefined ? [] : [expect.stringMatching(/^UDP goes through/)]
    expect(log).toEqual([...noted, 'draining', 'left'])
  })

  test('two nodes of one zone have one digest, wherever their files lie', async () => {
    const ports = [await freePort(), await freePort(), await freePort()] as const
    const other = CONFIG(ports[2]).replace('198.51.100.1', '198.51.100.2')
    const sites = [site(good(ports[0])), site(good(ports[1])), site(good(ports[2]))] as const
    put(sites[2], { 'lbdns.yaml': other })
    const nodes = await Promise.all(sites.map(serveSite))
    const digests = await Promise.all(ports.map(at => askChaos(at, 'map.lbdns')))
    expect(digests[1]).toBe(digests[0])
    expect(digests[2]).not.toBe(digests[0])
    await Promise.all(nodes.map(node => node.stop()))
  })

  test('a signal while it starts up neither ends nor confuses it', async () => {
    const server = await serveSite(folder)
    server.signal('SIGHUP')
    server.signal('SIGHUP')
    expect((await askUdp(port, 'api.example.com')).rcode).toBe('NOERROR')
    expect(await server.stop()).toBe(0)
  })
})

describe('lbdns check', () => {
  test('a good file: one line', async () => {
    expect(await lbdns('check', '-c', file)).toEqual({
      code: 0,
      stdout: `${file} is good: 2 zones, 2 steered names, no warnings\n`,
      stderr: '',
    })
  })

  test('a good file, and --strict', async () => {
    expect((await lbdns('check', '-c', file, '--strict')).code).toBe(0)
  })

  test('a warning is told and refuses nothing, unless --strict', async () => {
    const warned = site(good(port))
    put(warned, { 'lbdns.yaml': `${CONFIG(port)}networks: {office: [203.0.113.0/24]}\n` })
    const at = join(warned, 'lbdns.yaml')
    const told = `warning: ${at}:10:12: nothing uses network office · name it under by.networks, or take it out\n`
    expect(await lbdns('check', '-c', at)).toEqual({
      code: 0,
      stdout: `${at} is good: 2 zones, 2 steered names, 1 warning\n`,
      stderr: told,
    })
    expect(await lbdns('check', '-c', at, '--strict')).toEqual({
      code: 1,
      stdout: '',
      stderr: `${told}lbdns: 1 warning, and --strict\n`,
    })
  })

  test('the demo is good', async () => {
    expect((await lbdns('check', '--demo', '--strict')).code).toBe(0)
  })

  test('it serves nothing: a running server is in nobody’s way', async () => {
    const server = await serveSite(folder)
    expect((await lbdns('check', '-c', file)).code).toBe(0)
    expect(await server.stop()).toBe(0)
  })
})

describe('output that nobody reads', () => {
  test('`| head` is no error, and ends the work', async () => {
    const command = `{ '${process.execPath}' '${LBDNS}' map --demo cdn.example.com; echo $? >&2; }`
    const { stdout, stderr } = await run('sh', ['-c', `${command} | head -2`])
    expect(stdout.split('\n')).toHaveLength(3)
    expect(stderr).toBe('0\n')
  })

  test('a full disk is one', async () => {
    const command = `'${process.execPath}' '${LBDNS}' map -c '${file}' www.example.com >/dev/full`
    const { code, stderr } = await run('sh', ['-c', command])
    expect(stderr).toContain('ENOSPC')
    expect(code).toBe(70)
  })

  test('warnings that nobody reads', async () => {
    const command = `'${process.execPath}' '${LBDNS}' check -c '${file}' 2>&-`
    expect((await run('sh', ['-c', command])).code).toBe(0)
  })
})
