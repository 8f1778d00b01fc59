/** `dns2` and `ecs` with `--all-ns`: one result for each address, and whether they agree. */
import { describe, expect, test } from 'vitest'
import { labOf } from '../../probe/lab/lab.ts'
import { program } from '../../probe/program.ts'
import { resultSchema } from '../../probe/tell/schema.ts'
import type { World } from '../../probe/world.ts'
import { ATLAS, type Serve, wireOf } from './in-process.ts'
import { labWorld, paper } from './world.ts'

const LAB: Serve = (query, transport, { address }) =>
  labOf(ATLAS, 5).serve(query, transport, address.endsWith('2') ? 1 : 0, '127.0.0.1')

const SYSTEM: World['system'] = {
  resolvers: () => [],
  nameServers: async zone => (zone === 'lab.test' ? ['ns2.lab.test', 'ns1.lab.test'] : []),
  addresses: async (host, families) => {
    const last = host === 'ns1.lab.test' ? 1 : 2
    const both = [`127.0.0.${last}`, `2001:db8::${last}`]
    return both.filter(one => families === 'both' || one.includes(':') === (families === 6))
  },
}

async function lbprobe(line: string, over: Partial<World> = {}) {
  const out = paper()
  const err = paper()
  const lab = labOf(ATLAS, 5)
  const serve: Serve = (query, transport, { address }) =>
    lab.serve(query, transport, address.endsWith('2') ? 1 : 0, '127.0.0.1')
  const world = labWorld({ out, err, system: SYSTEM, wire: wireOf(serve), ...over })
  const exit = await program(line.split(' '), world)
  return { exit, out: out.text(), err: err.text() }
}

async function results(line: string, over?: Partial<World>) {
  const { exit, out } = await lbprobe(`${line} --json`, over)
  return { exit, results: resultSchema.parse(JSON.parse(out)).results }
}

describe('every address of every name server is measured for itself', () => {
  test.each(['dns2', 'ecs'])('%s', async command => {
    const { exit, results: found } = await results(`${command} --all-ns A single.lab.test`)
    expect(found.map(({ server, host }) => [host, server])).toEqual([
      ['ns1.lab.test', '127.0.0.1#53'],
      ['ns1.lab.test', '2001:db8::1#53'],
      ['ns2.lab.test', '127.0.0.2#53'],
      ['ns2.lab.test', '2001:db8::2#53'],
    ])
    expect(exit).toBe(0)
  })

  test('-6', async () => {
    const { results: found } = await results('dns2 --all-ns -6 A single.lab.test')
    expect(found.map(({ server }) => server)).toEqual(['2001:db8::1#53', '2001:db8::2#53'])
  })

  test('a name server without an address is told', async () => {
    const addresses: World['system']['addresses'] = async host =>
      host === 'ns1.lab.test' ? ['127.0.0.1'] : []
    const { err, exit } = await lbprobe('dns2 --all-ns A single.lab.test', {
      system: { ...SYSTEM, addresses },
    })
    expect(err).toContain('warning: ns2.lab.test: no address found')
    expect(exit).toBe(0)
  })
})

describe('whether they agree', () => {
  // biome-ignore format: table
  const TABLE = [
    // at the second address partial-ecs has no ECS, mixed-ns other scopes
    ['dns2 A shuffled-list.lab.test',  0, 'shuffled-list.lab.test A: all 4 servers say the same', []],
    ['dns2 A rotating-one.lab.test',   0, 'rotating-one.lab.test A: all 4 servers say the same',  []],
    ['ecs A geo.lab.test',             0, 'geo.lab.test A: all 4 servers say the same',           []],
    ['ecs A partial-ecs.lab.test',     1, 'partial-ecs.lab.test A: the servers differ',           ['127.0.0.1', '127.0.0.2', '2001:db8::1', '2001:db8::2']],
    ['ecs A mixed-ns.lab.test',        1, 'mixed-ns.lab.test A: the servers differ',              ['127.0.0.1', '127.0.0.2', '2001:db8::1', '2001:db8::2']],
  ] as const
  test.each(TABLE)('%s', async (line, exit, said, bearing) => {
    const wish = `${line} --all-ns --fail-on ns-inconsistent --seed 7`
    const seen = await lbprobe(wish)
    expect(seen.out).toContain(`\n${said}`)
    expect(seen.exit).toBe(exit)
    const { results: found } = await results(wish)
    const bearers = found.filter(({ findings }) => findings.some(({ id }) => id === 'ECS013'))
    expect(bearers.map(({ server }) => server.replace('#53', '')).sort()).toEqual(bearing)
  })

  test('the one that refuses the name bears the finding', async () => {
    const wire = wireOf((query, transport, server) => {
      const replies = LAB(query, transport, { ...server, address: '127.0.0.1' })
      if (server.address !== '127.0.0.2') return replies
      return replies.map(sent => ({ ...sent, octets: refusing(sent.octets) }))
    })
    const { exit, results: found } = await results(
      'dns2 --all-ns A single.lab.test --fail-on ns-inconsistent',
      { wire },
    )
    const ids = found.map(({ server, findings }) => [server, findings.map(({ id }) => id)])
    expect(ids.filter(([, list]) => list?.includes('ECS013'))).toEqual([
      ['127.0.0.2#53', ['ECS013']],
    ])
    expect(exit).toBe(1)
  })
})

/** RFC 1035 §4.1.1: RCODE 5, and no records to keep. */
function refusing(octets: Uint8Array): Uint8Array {
  const reply = Uint8Array.from(octets)
  reply[3] = ((reply[3] ?? 0) & 0xf0) | 5
  return reply
}

test('a recording of it gives the same', async () => {
  const files: Record<string, string> = {}
  const disk: Partial<World> = {
    writeText: async (path, text) => {
      files[path] = text
    },
    appendText: async (path, text) => {
      files[path] = `${files[path] ?? ''}${text}`
    },
    readText: async path => files[path] ?? '',
  }
  const live = await results('ecs --all-ns A mixed-ns.lab.test --seed 7 --record r', disk)
  const again = await results('ecs --replay r', disk)
  expect(again.results).toEqual(live.results)
  expect(live.results).toHaveLength(4)
})

// biome-ignore format: table
const MISUSE = [
  ['dns2 --all-ns @192.0.2.1 A x.test', '--all-ns and servers that are named exclude each other'],
  ['ecs --all-ns -s google A x.test',   '--all-ns and servers that are named exclude each other'],
  ['diff --all-ns @192.0.2.1 A x.test', '--all-ns and servers that are named exclude each other'],
  ['dns2 --all-ns --resolver A x.test', '--all-ns and servers that are named exclude each other'],
] as const

test.each(MISUSE)('%s', async (line, said) => {
  const { exit, err } = await lbprobe(line)
  expect(err).toContain(said)
  expect(exit).toBe(2)
})

test('LBPROBE_SERVER does not name anybody against it', async () => {
  const environment = { LBPROBE_SERVER: 'google' }
  const { results: found } = await results('dns2 --all-ns A single.lab.test', { environment })
  expect(found).toHaveLength(4)
})

test('@auth and diff --all-ns ask the same addresses', async () => {
  const { err } = await lbprobe('diff --all-ns A single.lab.test')
  const auth = await lbprobe('ecs A single.lab.test')
  const all = '127.0.0.1#53, 2001:db8::1#53, 127.0.0.2#53, 2001:db8::2#53'
  expect(err).toContain(`to ${all}`)
  expect(auth.err).toContain(`to ${all}`)
})

test('whose the name servers are is told beside a verdict, and moves none', async () => {
  const host = 'ns-1.awsdns-01.org'
  const nameServers = async (zone: string) => (zone === 'lab.test' ? [host] : [])
  const system = { ...SYSTEM, nameServers, addresses: async () => ['127.0.0.1'] }
  const line = 'ecs -q A geo.lab.test --seed 7'
  const plain = await lbprobe(line, { system: { ...SYSTEM, addresses: async () => ['127.0.0.1'] } })
  const told = await lbprobe(line, { system })
  expect(told.out).toContain('known: name servers of Route 53 (awsdns-01.org)')
  expect(told.out.replace(/^ *known: .*\n/m, '')).toBe(plain.out)
})

test('--dry-run says that it is for each', async () => {
  const { out } = await lbprobe('dns2 --all-ns A single.lab.test --dry-run', {
    environment: { LBPROBE_SERVER: 'google' },
  })
  expect(out).toContain('each of all name servers')
  expect(out).toContain('20 queries to each server')
})
