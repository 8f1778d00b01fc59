/** `lbprobe ecs` through resolvers good and bad: what is believed, and what leaves. Without sockets. */
import { describe, expect, test } from 'vitest'
import { labOf } from '../../probe/lab/lab.ts'
import { mapSchema } from '../../probe/tell/map-schema.ts'
import { resultSchema } from '../../probe/tell/schema.ts'
import { forwarder, WAYS, type Way } from './forwarder.ts'
import { ATLAS, type Serve } from './in-process.ts'
import { using } from './using.ts'
import { absent } from './world.ts'

const NAMES: string[] = []

/** Notes the names that leave. */
function through(way: Way): Serve {
  NAMES.length = 0
  const serve = forwarder(labOf(ATLAS, 1), way)
  return (query, transport, server) => {
    NAMES.push(nameIn(query))
    return serve(query, transport, server)
  }
}

function nameIn(query: Uint8Array): string {
  const labels: string[] = []
  for (let at = 12; (query[at] ?? 0) > 0; at += (query[at] ?? 0) + 1) {
    labels.push(Buffer.from(query.subarray(at + 1, at + 1 + (query[at] ?? 0))).toString())
  }
  return labels.join('.').toLowerCase()
}

const VIA = '@192.0.2.53 --calibrate whoami.lab.test'

async function result(line: string, way: Way) {
  const { out } = await using(`ecs --json A ${line}`, through(way))
  const [found] = resultSchema.parse(JSON.parse(out)).results
  const about = found?.findings.find(({ id }) => id === 'ECS018')
  return { code: found?.verdict.code, level: about?.level, message: about?.message ?? '' }
}

describe('a verdict through a resolver', () => {
  // biome-ignore format: table
  const ROWS = [
    ['honest, no cache: as at the authority, and no ECS018', 'without cache',                  'geo',   undefined],
    ['it strips',                                            'strips',                         'path',  'passes no client subnet on'],
    ['it strips and echoes',                                 'strips, echoes',                 'path',  'its echo proves nothing'],
    ['it asks for another network, and echoes the client',   'substitutes, echoes the client', 'path',  '194.107.180.0/24'],
    ['it truncates',                                         'truncates to /20',               'path',  '/20'],
    ['it hides scopes: no lying scope of the authority',     'hides the scope',                'path',  'hides the scope'],
    ['it gives no option back',                              'gives no option back',           'path',  'returns no option'],
    ['it refuses',                                           'refuses',                        'refused', 'REFUSED'],
  ] as const
  test.each(ROWS)('%s', async (_, name, code, reason) => {
    const found = await result(`${VIA} geo-rotating.lab.test`, WAYS[name])
    expect(found.code).toBe(code)
    if (reason === undefined) expect(found.level).toBeUndefined()
    else expect([found.level, found.message]).toEqual(['warning', expect.stringContaining(reason)])
  })

  test('what is said names the reason', async () => {
    const { out } = await using(`ecs A ${VIA} geo.lab.test`, through(WAYS['strips, echoes']))
    expect(out).toContain(
      'what comes through it does not count: the resolver passes no client subnet on',
    )
  })

  test('the zone does not reflect: the verdict stands, with its ECS018', async () => {
    const line = '@192.0.2.53 --calibrate single.lab.test geo-rotating.lab.test'
    const found = await result(line, WAYS['without cache'])
    expect([found.code, found.level]).toEqual(['geo', 'info'])
    expect(found.message).toContain('no zone that reflects')
  })

  test('--no-calibrate: the verdict stands, with its ECS018, and nothing else is asked', async () => {
    const found = await result(
      '@192.0.2.53 --no-calibrate geo-rotating.lab.test',
      WAYS['without cache'],
    )
    expect([found.code, found.level]).toEqual(['geo', 'info'])
    expect(new Set(NAMES)).toEqual(new Set(['geo-rotating.lab.test']))
  })
})

describe('what calibration showed stands beside the result', () => {
  const calibration = async (line: string, way: Way) => {
    const { out } = await using(`ecs --json A ${line} geo.lab.test`, through(way))
    return resultSchema.parse(JSON.parse(out)).results.map(one => one.calibration)
  }
  const server = '192.0.2.53#53'

  // biome-ignore format: table
  const ROWS = [
    ['honest',                 VIA,                             'without cache', { server, path: 'intact', reason: "passes the client's subnet on as it was sent and shows the scope of the answer" }],
    ['it strips',              VIA,                             'strips',        { server, path: 'altered', reason: 'passes no client subnet on' }],
    ['no zone that reflects',  '@192.0.2.53 --calibrate single.lab.test', 'without cache', { server, reason: 'no zone that reflects client subnets could be asked through it' }],
    ['none was tried',         '@192.0.2.53 --no-calibrate',    'without cache', undefined],
  ] as const
  test.each(ROWS)('%s', async (_, line, way, expected) => {
    expect(await calibration(line, WAYS[way])).toEqual([expected])
  })

  test('on a page: one line where it is intact, the finding where it is not', async () => {
    const page = async (way: Way) => {
      const { out } = await using(`ecs A ${VIA} geo.lab.test`, through(way))
      return out.split('\n').filter(line => /through: |ECS018/.test(line))
    }
    expect(await page(WAYS['without cache'])).toEqual([
      `  through: ${server} passes the client's subnet on as it was sent and shows the scope of the answer`,
    ])
    expect(await page(WAYS.strips)).toEqual([expect.stringContaining('ECS018 warning: ')])
  })

  test('a recording keeps it', async () => {
    const live = await using(`ecs --jsonl A ${VIA} geo.lab.test`, through(WAYS.strips))
    const readText = async (path: string) => (path === 'r.jsonl' ? live.out : absent(path))
    const again = await using('ecs -J --replay r.jsonl', () => [], { readText })
    const [result] = resultSchema.parse(JSON.parse(again.out)).results
    expect(result?.calibration).toMatchObject({ server, path: 'altered' })
  })
})

describe('what leaves', () => {
  test('through a resolver elsewhere the public zones, in their order', async () => {
    await result('@192.0.2.53 single.lab.test', WAYS.honest)
    expect([...new Set(NAMES)].slice(0, 3)).toEqual([
      'single.lab.test',
      'o-o.myaddr.l.google.com',
      'whoami.ds.akahelp.net',
    ])
  })

  test('through one on this machine nothing but the name', async () => {
    const found = await result('@127.0.0.1:5300 geo-rotating.lab.test', WAYS['without cache'])
    expect(new Set(NAMES)).toEqual(new Set(['geo-rotating.lab.test']))
    expect(found.level).toBe('info')
  })

  test('through one on this machine the zone that is named', async () => {
    const found = await result(
      '@127.0.0.1:5300 --calibrate whoami.lab.test geo-rotating.lab.test',
      WAYS.strips,
    )
    expect([found.code, found.level]).toEqual(['path', 'warning'])
  })

  test('no canary to a server that is an authority itself', async () => {
    const lab = labOf(ATLAS, 1)
    const serve: Serve = (query, transport) => {
      NAMES.push(nameIn(query))
      return lab.serve(query, transport, 0)
    }
    NAMES.length = 0
    await using(`ecs A @192.0.2.53 geo.lab.test`, serve)
    expect(new Set(NAMES)).toEqual(new Set(['geo.lab.test']))
  })

  test('four canaries for a run of several names', async () => {
    await result(`${VIA} single.lab.test static.lab.test`, WAYS.honest)
    expect(NAMES.filter(name => name.endsWith('whoami.lab.test')).length).toBe(4)
  })
})

test('a zone that is no name', async () => {
  const { exit } = await using('ecs A @192.0.2.53 --calibrate a..b geo.lab.test', () => [])
  expect(exit).toBe(2)
})

describe('a map through a resolver', () => {
  // biome-ignore format: table
  const ROWS = [
    ['it passes client subnets on', 'without cache',   'intact',  undefined],
    ['it strips and echoes',        'strips, echoes',  'altered', 'its echo proves nothing'],
    ['it hides scopes',             'hides the scope', 'altered', 'hides the scope'],
  ] as const
  test.each(ROWS)('%s', async (_, name, path, reason) => {
    const line = `map --json ${VIA} geo.lab.test --within 128.0.0.0/6 --rate 1000`
    const { out } = await using(line, through(WAYS[name]))
    const { calibration, findings } = mapSchema.parse(JSON.parse(out))
    expect(calibration?.path).toBe(path)
    const about = findings?.find(({ id }) => id === 'ECS018')?.message
    if (reason === undefined) expect(about).toBeUndefined()
    else expect(about).toContain(reason)
  })
})
