/** `lbprobe resolver` through forwarders good and bad in front of a lab, without sockets. */
import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { labOf } from '../../probe/lab/lab.ts'
import { resolverSchema, resolverSchemaText } from '../../probe/tell/resolver-schema.ts'
import { forwarder, WAYS, type Way } from './forwarder.ts'
import { ATLAS, type Serve } from './in-process.ts'
import { using } from './using.ts'

const FILE = new URL('../../data/schema/lbprobe.resolver.schema.json', import.meta.url)

test('the published schema is made from its source', () => {
  if (process.env.UPDATE_SCHEMA === '1') writeFileSync(FILE, resolverSchemaText())
  expect(readFileSync(FILE, 'utf8')).toBe(resolverSchemaText())
})

const ZONE = '--zone whoami.lab.test'

function through(way: Way): Serve {
  return forwarder(labOf(ATLAS, 1), way)
}

async function result(
  way: Way,
  flags = '',
): Promise<ReturnType<typeof resolverSchema.parse>['results'][number]> {
  const line = `resolver --json @192.0.2.53 ${ZONE}${flags}`
  const { out } = await using(line, through(way))
  const [found] = resolverSchema.parse(JSON.parse(out)).results
  if (found === undefined) throw new Error(out)
  return found
}

describe('what a resolver does with client subnets', () => {
  // biome-ignore format: table
  const ROWS = [
    ['honest',                                  'forwards',    'intact',  { echo: 'exact', scope: 'shown', ipv6: 'as-sent', shorter: 'as-sent', private: 'as-sent', hostBits: 'cleared', nobody: 'kept', cache: 'by-scope' }],
    ['without cache',                           'forwards',    'intact',  { cache: 'by-subnet' }],
    ['cache ignores the subnet',                'forwards',    'intact',  { cache: 'ignores-subnet' }],
    ['truncates to /20',                        'truncates',   'altered', { shorter: 'as-sent', ipv6: 'truncated' }],
    ['substitutes, echoes its own',             'substitutes', 'altered', { echo: 'mismatch' }],
    ['substitutes, echoes the client',          'substitutes', 'altered', { echo: 'exact' }],
    ['strips',                                  'strips',      'altered', { echo: 'missing', ipv6: 'stripped', hostBits: 'stripped' }],
    ['strips, scope 0',                         'strips',      'altered', { echo: 'exact' }],
    ['strips, echoes',                          'echoes-only', 'altered', { echo: 'exact' }],
    ['refuses',                                 'refuses',     'altered', { ipv6: 'refused', nobody: 'refused', hostBits: 'refused' }],
    ['refuses long, private and documentation', 'forwards',    'intact',  { private: 'refused', documentation: 'refused' }],
    ['hides the scope',                         'forwards',    'altered', { scope: 'hidden' }],
    ['gives no option back',                    'forwards',    'altered', { echo: 'missing', scope: 'hidden' }],
    ['another scope',                           'forwards',    'altered', { scope: 'changed' }],
    ['passes stray bits on',                    'forwards',    'intact',  { hostBits: 'passed' }],
    ['adds the client for SOURCE 0',            'forwards',    'intact',  { nobody: 'client-added' }],
    ['names itself for SOURCE 0',               'forwards',    'intact',  { nobody: 'own-address' }],
  ] as const
  test.each(ROWS)('%s: %s', async (name, verdict, path, ways) => {
    expect(await result(WAYS[name])).toMatchObject({ verdict, path, ways, zone: 'whoami.lab.test' })
  })

  test('to which length it truncates', async () => {
    expect((await result(WAYS['truncates to /20'])).lengths).toEqual([20])
  })

  test('which network it puts in place', async () => {
    const { substitutes, egress } = await result(WAYS['substitutes, echoes the client'])
    expect([substitutes, egress]).toEqual([['194.107.180.0/24'], ['127.0.0.1']])
  })

  test('--allow-long-prefix: /25 and /32 are sent too', async () => {
    const { ways } = await result(
      WAYS['refuses long, private and documentation'],
      ' --allow-long-prefix',
    )
    expect(ways.longer).toBe('refused')
    expect((await result(WAYS.honest, ' --allow-long-prefix')).ways.longer).toBe('truncated')
  })
})

test('no prefix longer than /24 and /56 leaves unasked', async () => {
  const { out } = await using(`resolver --json @192.0.2.53 ${ZONE}`, through(WAYS.honest))
  const { queries } = resolverSchema.parse(JSON.parse(out))
  for (const { sent } of queries)
    expect(sent?.source ?? 0).toBeLessThanOrEqual(sent?.family === 2 ? 56 : 24)
})

test('every canary but those of the cache has a name of its own', async () => {
  const { out } = await using(`resolver --json @192.0.2.53 ${ZONE}`, through(WAYS.honest))
  const names = resolverSchema.parse(JSON.parse(out)).queries.map(({ name }) => name)
  expect(names.length - new Set(names).size).toBe(2)
})

describe('what is reported of public resolvers stands beside what is seen', () => {
  // biome-ignore format: table
  const ROWS = [
    ['@google',       'honest',                         'Google Public DNS: as reported of it (forwards)'],
    ['@cloudflare',   'honest',                         'Cloudflare: unlike reports of it (strips)'],
    ['@192.0.2.53',   'substitutes, echoes the client', 'the same is reported of OpenDNS, AdGuard DNS, DNSPod, AliDNS, NextDNS'],
    ['@192.0.2.53',   'strips',                         'the same is reported of Quad9, Cloudflare'],
  ] as const
  test.each(ROWS)('%s %s', async (server, name, expected) => {
    const { out } = await using(`resolver ${server} ${ZONE}`, through(WAYS[name]))
    expect(out).toContain(expected)
  })
})

describe('exit', () => {
  // biome-ignore format: table
  const EXITS = [
    ['0 measured',                                `@192.0.2.53 ${ZONE}`,                          'strips', 0],
    ['0 the expectation holds',                   `@192.0.2.53 ${ZONE} --expect strips`,          'strips', 0],
    ['1 it does not',                             `@192.0.2.53 ${ZONE} --expect forwards`,        'strips', 1],
    ['3 unknown: the zone does not reflect',      '@192.0.2.53 --zone single.lab.test --expect forwards', 'honest', 3],
    ['0 unknown, and nothing expected',           '@192.0.2.53 --zone single.lab.test',           'honest', 0],
    ['2 a name',                                  `@192.0.2.53 www.lab.test ${ZONE}`,             'honest', 2],
    ['2 @auth',                                   `@auth ${ZONE}`,                                'honest', 2],
    ['2 a verdict that is none',                  `@192.0.2.53 ${ZONE} --expect frob`,            'honest', 2],
    ['2 on this machine, without a zone',         '@127.0.0.1:5300',                              'honest', 2],
  ] as const
  test.each(EXITS)('%s', async (_, line, name, expected) => {
    const used = await using(`resolver ${line}`, through(WAYS[name]))
    expect(used.exit, used.err + used.out).toBe(expected)
    const { out } = await using(`resolver --json ${line}`, through(WAYS[name]))
    expect(resolverSchema.parse(JSON.parse(out)).error === undefined).toBe(expected !== 2)
  })

  test('9 no reply', async () => {
    const { exit, out } = await using(`resolver --json @192.0.2.53 ${ZONE}`, () => [])
    expect(exit).toBe(9)
    expect(resolverSchema.parse(JSON.parse(out))).toMatchObject({ error: { code: 'no-reply' } })
  })
})

test('through a resolver on this machine nothing is sent to public zones unasked', async () => {
  const deaf: Serve = () => {
    throw new Error('sent')
  }
  const { exit, err } = await using('resolver @127.0.0.1:5300', deaf)
  expect(exit).toBe(2)
  expect(err).toContain('--zone')
})

test('the public zones in their order where none is named', async () => {
  const { out } = await using('resolver --json @192.0.2.53', through(WAYS.honest))
  const names = resolverSchema.parse(JSON.parse(out)).queries.map(({ name }) => name)
  expect(names).toEqual(['o-o.myaddr.l.google.com', 'whoami.ds.akahelp.net'])
})

test('--short one line a resolver', async () => {
  const { out } = await using(
    `resolver --short @192.0.2.53 @192.0.2.54 ${ZONE}`,
    through(WAYS.strips),
  )
  expect(out).toBe('192.0.2.53#53 strips altered\n192.0.2.54#53 strips altered\n')
})
