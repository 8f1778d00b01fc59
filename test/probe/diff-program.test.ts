/** `lbprobe diff` against labs without sockets: who differs in what, exit codes, one document. */
import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type Lab, labOf } from '../../probe/lab/lab.ts'
import { diffSchema, diffSchemaText } from '../../probe/tell/diff-schema.ts'
import { ATLAS, type Serve } from './in-process.ts'
import { type Used, using } from './using.ts'

const FILE = new URL('../../data/schema/lbprobe.diff.schema.json', import.meta.url)

test('the published schema is made from its source', () => {
  if (process.env.UPDATE_SCHEMA === '1') writeFileSync(FILE, diffSchemaText())
  expect(readFileSync(FILE, 'utf8')).toBe(diffSchemaText())
})

const THREE = '@192.0.2.1 @192.0.2.2 @192.0.2.3'

/** Labs by the last octet of their address; the listener is what the lab sees of it. */
function labs(seeds: Readonly<Record<string, number>>, listeners: readonly string[] = []): Serve {
  const known = new Map<string, Lab>(
    Object.entries(seeds).map(([octet, seed]) => [octet, labOf(ATLAS, seed)]),
  )
  return (query, transport, { address }) => {
    const octet = address.split('.').at(-1) ?? ''
    return known.get(octet)?.serve(query, transport, listeners.includes(octet) ? 1 : 0) ?? []
  }
}

type Result = {
  readonly verdict: string
  readonly odd: readonly string[]
  readonly differences: readonly { readonly aspect: string; readonly odd: readonly string[] }[]
  readonly findings: readonly { readonly id: string; readonly where?: string }[]
  readonly servers: readonly { readonly silence?: string }[]
}

async function results(line: string, serve: Serve): Promise<[Used, readonly Result[]]> {
  const used = await using(`diff --json ${line}`, serve)
  return [used, diffSchema.parse(JSON.parse(used.out)).results as readonly Result[]]
}

function aspects({ differences }: Result): readonly string[] {
  return [...new Set(differences.map(({ aspect }) => aspect))]
}

describe('labs of different seeds hand out one pool in their own time: the same', () => {
  // biome-ignore format: table
  const SAME = [
    'shuffled-list', 'cyclic-list', 'rotating-one', 'rotating-cyclic', 'rotating-subset', 'weighted',
    'geo', 'geo-rotating', 'scope-theatre', 'prefix-sharding', 'single', 'empty', 'no-name', 'alias', 'no-ecs',
  ]
  test.each(SAME)('%s', async label => {
    for (const seed of [10, 20, 30]) {
      const serve = labs({ 1: seed, 2: seed + 1, 3: seed + 2 })
      const [used, [result]] = await results(`${THREE} A ${label}.lab.test --seed ${seed}`, serve)
      expect([used.exit, result?.verdict, result?.differences]).toEqual([0, 'same', []])
    }
  })
})

describe('the odd one out', () => {
  test('has never heard of client subnets', async () => {
    const serve = labs({ 1: 1, 2: 2, 3: 3 }, ['2'])
    const [used, [result]] = await results(`${THREE} A partial-ecs.lab.test`, serve)
    expect(used.exit).toBe(1)
    expect(result?.odd).toEqual(['192.0.2.2#53'])
    expect(result === undefined ? [] : aspects(result)).toEqual(['option', 'answers'])
    expect(result?.findings.map(({ id, where }) => [id, where])).toEqual([
      ['ECS013', '192.0.2.2#53'],
      ['ECS013', '192.0.2.2#53'],
    ])
  })

  /** The third server answers another name of the lab under this one. */
  const swapped = (label: string, other: string): Serve => {
    const serve = labs({ 1: 1, 2: 2, 3: 3 })
    return (query, transport, server) => {
      if (!server.address.endsWith('.3')) return serve(query, transport, server)
      return answeredFor(query, label, other, asked => serve(asked, transport, server))
    }
  }

  // biome-ignore format: table
  const ODD = [
    ['other scopes, same answers',     'geo',          'geo-unaggregated', ['scope']],
    ['no option, same answers',        'geo',          'no-echo',          ['option']],
    ['one fixed address of a pool',    'rotating-one', 'single',           ['answers']],
    ['another pool',                   'rotating-one', 'rotating-subset',  ['answers']],
    ['other weights',                  'weighted',     'single',           ['answers']],
    ['no such name',                   'single',       'no-name',          ['reply', 'answers']],
    ['no data',                        'single',       'empty',            ['answers']],
    ['refuses the option',             'single',       'refused',          ['option']],
    ['another TTL, counting down',     'single',       'cached',           ['authority', 'answers', 'ttl']],
  ] as const
  test.each(ODD)('%s', async (_, label, other, expected) => {
    const [used, [result]] = await results(`${THREE} A ${label}.lab.test`, swapped(label, other))
    expect(used.exit).toBe(1)
    expect(result?.odd).toEqual(['192.0.2.3#53'])
    expect(result === undefined ? [] : aspects(result)).toEqual(
      expect.arrayContaining([...expected]),
    )
  })
})

/** Asks for another label of the same zone and puts the asked one back into the reply. */
function answeredFor(
  query: Uint8Array,
  label: string,
  other: string,
  serve: (query: Uint8Array) => ReturnType<Serve>,
): ReturnType<Serve> {
  const length = query[12] ?? 0
  const asked = Buffer.from(query.subarray(13, 13 + length))
    .toString()
    .toLowerCase()
  if (asked !== label) return serve(query)
  const renamed = Buffer.concat([
    query.subarray(0, 12), Buffer.of(other.length), Buffer.from(other), query.subarray(13 + length),
  ]) // biome-ignore format: one line
  return serve(renamed).map(sent => ({
    ...sent,
    octets: putBack(sent.octets, query.subarray(12, 13 + length), other),
  }))
}

/** The codec of the lab writes owners in full: each occurrence is put back. */
function putBack(octets: Uint8Array, asked: Uint8Array, other: string): Buffer {
  const wire = Buffer.concat([Buffer.of(other.length), Buffer.from(other)])
  let rest = Buffer.from(octets)
  const parts: Buffer[] = []
  for (let at = rest.indexOf(wire); at >= 0; at = rest.indexOf(wire)) {
    parts.push(rest.subarray(0, at), Buffer.from(asked))
    rest = rest.subarray(at + wire.length)
  }
  return Buffer.concat([...parts, rest])
}

describe('exit', () => {
  const serve = labs({ 1: 1, 2: 2 })
  // biome-ignore format: table
  const EXITS = [
    ['0 the same',                       '@192.0.2.1 @192.0.2.2 A geo.lab.test',              0],
    ['0 the same beside a silent one',   '@192.0.2.1 @192.0.2.2 @192.0.2.9 A geo.lab.test',   0],
    ['2 one server',                     '@192.0.2.1 A geo.lab.test',                         2],
    ['2 one server, named twice',        '@192.0.2.1 @192.0.2.1#53 A geo.lab.test',           2],
    ['2 --all-ns and a server',          '--all-ns @192.0.2.1 A geo.lab.test',                2],
    ['2 no name',                        '@192.0.2.1 @192.0.2.2',                             2],
    ['2 no name servers',                'A geo.lab.test',                                    2],
    ['2 too few queries',                `${THREE} A geo.lab.test --max-queries 20 --country DE,US`, 2],
    ['3 only one answers',               '@192.0.2.1 @192.0.2.9 A geo.lab.test',              3],
    ['9 none answers',                   '@192.0.2.8 @192.0.2.9 A geo.lab.test',              9],
  ] as const
  test.each(EXITS)('%s', async (_, line, expected) => {
    const used = await using(`diff ${line}`, serve)
    expect(used.exit, used.err + used.out).toBe(expected)
    const { out } = await using(`diff --json ${line}`, serve)
    expect(diffSchema.parse(JSON.parse(out)).error === undefined).toBe(
      expected < 2 || expected === 3,
    )
  })

  test('--exit-zero where servers differ', async () => {
    const line = 'diff --exit-zero @192.0.2.1 @192.0.2.2 A partial-ecs.lab.test'
    expect((await using(line, labs({ 1: 1, 2: 2 }, ['2']))).exit).toBe(0)
  })

  test('130 an interrupt, and what was seen is still told', async () => {
    const stop = new AbortController()
    let asked = 0
    const stopping: Serve = (query, transport, server) => {
      asked += 1
      if (asked > 30) stop.abort()
      return serve(query, transport, server)
    }
    const line = 'diff --json @192.0.2.1 @192.0.2.2 A geo.lab.test'
    const { exit, out } = await using(line, stopping, { interrupt: stop.signal })
    expect(exit).toBe(130)
    expect(diffSchema.parse(JSON.parse(out))).toMatchObject({
      results: [{ name: 'geo.lab.test', verdict: 'same' }],
      error: { code: 'interrupted' },
    })
  })
})

describe('--all-ns', () => {
  const system = {
    resolvers: () => [],
    nameServers: async (zone: string) =>
      zone === 'lab.test' ? ['ns2.lab.test', 'ns1.lab.test', 'gone.lab.test'] : [],
    addresses: async (host: string) => {
      if (host === 'gone.lab.test') throw new Error('ENOTFOUND')
      return host === 'ns1.lab.test' ? ['192.0.2.1', '2001:db8::9'] : ['192.0.2.2']
    },
  }

  test('every address of every name server, and those without', async () => {
    const { exit, out } = await using(
      'diff --json --all-ns A geo.lab.test', labs({ 1: 1, 2: 2 }), { system },
    ) // biome-ignore format: one line
    expect(exit).toBe(0)
    expect(JSON.parse(out)).toMatchObject({
      results: [
        {
          zone: 'lab.test',
          servers: [
            { server: '192.0.2.1#53', host: 'ns1.lab.test' },
            { server: '2001:db8::9#53', host: 'ns1.lab.test', silence: 'timeout' },
            { server: '192.0.2.2#53', host: 'ns2.lab.test' },
          ],
        },
      ],
      missing: ['gone.lab.test'],
    })
  })

  test('is said to a person', async () => {
    const { out } = await using('diff A geo.lab.test', labs({ 1: 1, 2: 2 }), { system })
    expect(out).toContain('both servers say the same; 1 server does not answer')
    expect(out).toContain('gone.lab.test has no address')
  })
})

test('no more than --max-queries, all servers alike', async () => {
  const line = `${THREE} A rotating-one.lab.test --max-queries 100`
  const [used] = await results(line, labs({ 1: 1, 2: 2, 3: 3 }))
  const queries = JSON.parse(used.out).queries as { readonly server: string }[]
  expect(queries.length).toBeLessThanOrEqual(100)
  const counts = ['1', '2', '3'].map(
    octet => queries.filter(({ server }) => server === `192.0.2.${octet}#53`).length,
  )
  expect(new Set(counts).size).toBe(1)
})

test('each client is asked for at all servers before the next: none is far behind', async () => {
  const [used] = await results(`${THREE} A geo.lab.test`, labs({ 1: 1, 2: 2, 3: 3 }))
  const { queries } = JSON.parse(used.out) as { queries: { seq: number; subnet?: string }[] }
  for (let at = 0; at + 2 < queries.length; at += 3) {
    expect(new Set(queries.slice(at, at + 3).map(({ subnet }) => subnet)).size).toBe(1)
  }
})

test('-q no plan line, --short one line', async () => {
  const line = 'diff -q --short @192.0.2.1 @192.0.2.2 A partial-ecs.lab.test'
  const { out, err } = await using(line, labs({ 1: 1, 2: 2 }, ['2']))
  expect([out, err]).toEqual(['partial-ecs.lab.test A different option answers\n', ''])
})

test('--dry-run sends nothing', async () => {
  const deaf: Serve = () => {
    throw new Error('sent')
  }
  const { exit, out } = await using('diff --dry-run @192.0.2.1 @192.0.2.2 A geo.lab.test', deaf)
  expect([exit, out]).toEqual([
    0,
    'plan: geo.lab.test A · 8 subnets and none, up to 8 rounds at 2 servers, 152 queries at most · ' +
      'to 192.0.2.1#53, 192.0.2.2#53 · 20 a second each · seed 42\n',
  ])
})
