/** The exporter over HTTP, against the lab in process: what is exposed, what is refused, and reloading. */
import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { probeText } from '../../probe/export-metrics.ts'
import { BUILT_IN, readModules } from '../../probe/export-modules.ts'
import { type Exporter, openExporter, type Settings } from '../../probe/export-server.ts'
import { labOf } from '../../probe/lab/lab.ts'
import { mistakeLines } from '../../probe/mistakes.ts'
import { program } from '../../probe/program.ts'
import { vocabulary } from '../../probe/vocabulary.ts'
import type { World } from '../../probe/world.ts'
import { families, valuesIn } from '../kit/exposition.ts'
import { lint } from '../kit/promlint.ts'
import { ATLAS, wireTo } from './in-process.ts'
import { absent, labWorld, paper } from './world.ts'

const NS1 = '127.0.0.1:5300'
const open: Exporter[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

function world(over: Partial<World> = {}): World & { readonly said: string[] } {
  const said: string[] = []
  const stream = { ...paper(), write: (text: string): void => void said.push(text) }
  const system = { resolvers: () => [], nameServers: async () => [], addresses: async () => [] }
  const rest = { system, regions: async () => () => 'US', readText: async () => '' }
  return { ...labWorld({ out: stream, err: stream, ...rest, ...over }), said }
}

async function started(over: Partial<Settings> = {}): Promise<string> {
  const settings = {
    world: world(),
    targets: undefined,
    concurrent: 4,
    modules: () => BUILT_IN,
    ...over,
  }
  const made = await openExporter({ address: '127.0.0.1', port: 0 }, settings)
  open.push(made)
  return `http://${made.place}`
}

async function get(url: string): Promise<{ status: number; text: string }> {
  const reply = await fetch(url)
  return { status: reply.status, text: await reply.text() }
}

describe('/probe', () => {
  test('ecs: verdict, scopes and success, and promtool would find nothing', async () => {
    const at = await started()
    const { status, text } = await get(`${at}/probe?target=geo.lab.test&server=${NS1}`)
    expect(status).toBe(200)
    expect(lint(families(text))).toEqual([])
    const values = valuesIn(text)
    const verdict =
      'lbprobe_verdict{answer="real",kind="ecs",name="geo.lab.test",type="A",verdict="geo"}'
    expect([values.get('probe_success'), values.get(verdict)]).toEqual([1, 1])
    expect([...values.keys()].filter(key => key.startsWith('lbprobe_scope'))).toHaveLength(4)
    expect(values.get('lbprobe_addresses{name="geo.lab.test",type="A"}')).toBe(12)
    expect(text).not.toMatch(/\d+\.\d+\.\d+\.\d+/)
  })

  test('dns2', async () => {
    const at = await started()
    const { text } = await get(`${at}/probe?target=single.lab.test&module=dns2&server=${NS1}`)
    expect(text).toContain('kind="dns2",verdict="single"')
  })

  test('silence is no success, and no error of the exporter', async () => {
    const at = await started()
    const { status, text } = await get(`${at}/probe?target=silence.lab.test&server=${NS1}`)
    expect([status, valuesIn(text).get('probe_success')]).toEqual([200, 0])
  })

  // biome-ignore format: table
  const REFUSED = [
    ['no target',                    '',                                     'no target'],
    ['no name',                      'target=a..b',                          'not a domain name'],
    ['longer than any name',         `target=${'a.'.repeat(130)}`,           'too long'],
    ['an unknown module',            'target=geo.lab.test&module=frob',      'known: ecs, dns2'],
    ['a module of every object',     'target=geo.lab.test&module=toString',  'no such module'],
    ['a server that is none',        'target=geo.lab.test&server=a%20b',     'not an address or a host name'],
  ] as const
  for (const [rule, query, expected] of REFUSED) {
    test(`400 ${rule}`, async () => {
      const { status, text } = await get(`${await started()}/probe?${query}`)
      expect([status, text]).toEqual([400, expect.stringContaining(expected)])
    })
  }

  test('400 a target that is not allowed', async () => {
    const at = await started({ targets: new Set(['single.lab.test']) })
    expect((await get(`${at}/probe?target=geo.lab.test&server=${NS1}`)).status).toBe(400)
    expect((await get(`${at}/probe?target=Single.Lab.Test.&server=${NS1}`)).status).toBe(200)
  })

  test('503 above the bound, and the scrape timeout ends a probe', async () => {
    const deaf = { ...wireTo(labOf(ATLAS, 5)), datagram: () => new Promise<never>(() => {}) }
    const at = await started({ world: world({ wire: deaf }), concurrent: 1 })
    const url = `${at}/probe?target=geo.lab.test&server=${NS1}`
    const headers = { 'x-prometheus-scrape-timeout-seconds': '2' }
    const first = fetch(url, { headers })
    await expect.poll(async () => (await get(url)).status).toBe(503)
    const reply = await first
    const text = await reply.text()
    const values = valuesIn(text)
    expect([reply.status, values.get('probe_success')]).toEqual([200, 0])
    expect(values.get('lbprobe_probe_cut_short')).toBe(1)
    expect(lint(families(text))).toEqual([])
  })

  test('as the example has Prometheus scrape it: a target becomes a parameter', async () => {
    const at = new URL(await started())
    const file = new URL('../../data/examples/prometheus.yaml', import.meta.url)
    const [job] = parse(readFileSync(file, 'utf8')).scrape_configs
    const labels = relabelled(job.relabel_configs, { __address__: 'geo.lab.test' })
    expect(labels).toMatchObject({ instance: 'geo.lab.test', __address__: '127.0.0.1:9876' })
    const asked = new URLSearchParams({ module: job.params.module[0], server: NS1 })
    asked.set('target', labels.__param_target ?? '')
    const { status, text } = await get(`${at.origin}${job.metrics_path}?${asked}`)
    expect([status, valuesIn(text).get('probe_success')]).toEqual([200, 1])
    expect(valuesIn(text).get('lbprobe_probe_cut_short')).toBe(0)
  })
})

type Rule = {
  readonly source_labels?: readonly string[]
  readonly target_label: string
  readonly replacement?: string
}

/** Prometheus's `replace`, whose default replacement is the whole of the source. */
function relabelled(
  rules: readonly Rule[],
  given: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const labels: Record<string, string> = { ...given }
  for (const { source_labels = [], target_label, replacement } of rules) {
    labels[target_label] = replacement ?? source_labels.map(label => labels[label] ?? '').join(';')
  }
  return labels
}

describe('the process', () => {
  test('/metrics: own counts, lint clean; /-/healthy; /; 404; 405', async () => {
    const at = await started()
    await get(`${at}/probe?target=single.lab.test&module=dns2&server=${NS1}`)
    const { text } = await get(`${at}/metrics`)
    expect(lint(families(text))).toEqual([])
    expect(valuesIn(text).get('lbprobe_queries_total{rcode="NOERROR"}')).toBe(20)
    expect(valuesIn(text).get('lbprobe_probes_total{outcome="measured"}')).toBe(1)
    expect((await get(`${at}/-/healthy`)).text).toBe('healthy\n')
    expect((await get(`${at}/`)).text).toContain('module=dns2')
    expect((await get(`${at}/frob`)).status).toBe(404)
    expect((await fetch(`${at}/metrics`, { method: 'POST' })).status).toBe(405)
    const head = await fetch(`${at}/-/healthy`, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
  })

  test('nothing measured: two metrics only', async () => {
    const text = await probeText({ measured: undefined, seconds: 0.5 })
    expect([...valuesIn(text)]).toEqual([
      ['probe_success', 0],
      ['probe_duration_seconds', 0.5],
    ])
  })
})

const words = await vocabulary(labWorld())

describe('modules', () => {
  test('are read, with defaults', async () => {
    const text = 'modules:\n  fast:\n    command: dns2\n    count: 5\n'
    const read = await readModules(text, 'm.yaml', words)
    expect(read).toMatchObject({ fast: { command: 'dns2', count: 5, types: ['A'] } })
  })

  // § stands where the mistake is said to be
  const HEAD = 'modules:\n  a:\n    '
  // biome-ignore format: table
  const WRONG = [
    ['no modules',                '§',                                   'modules is missing · add modules: with a name and its keys below'],
    ['no YAML',                   'modules: [\n§',                       'YAML: flow sequence in block collection must be sufficiently indented and end with a ] · look at the line above it too; odd text goes in quotes'],
    ['another key at the top',    'modules: {}\n§module: {}',            'module is not known here · did you mean modules?'],
    ['modules that are a word',   'modules: §5',                         'expected a mapping, found 5 · write key: value'],
    ['a name with a space',       'modules:\n  §a b: {}',                'not a name of a module · write small letters, digits, - and _, 64 at most'],
    ['a module that is a list',   'modules:\n  a: §[ecs]',               'expected a mapping, found a list · write key: value'],
    ['an unknown key',            `${HEAD}§tiemout: 1`,                  'tiemout is not known here · did you mean timeout?'],
    ['a key like no other',       `${HEAD}§xyzzy: 1`,                    'xyzzy is not known here · known: modules, command, types, servers, countries, subnets, count, timeout'],
    ['command: no such',          `${HEAD}command: §frob`,               '"frob" cannot stand here · one of ecs, dns2'],
    ['types: a word',             `${HEAD}types: §A`,                    'expected a list, found "A" · write [A]'],
    ['types: none',               `${HEAD}types: §[]`,                   'the list is too short · 1 at least'],
    ['types: no such',            `${HEAD}types: [A, §FOO]`,             'FOO is no record type · write A, AAAA or another'],
    ['servers: a number',         `${HEAD}servers: [§53]`,               'expected text, found 53 · write "53"'],
    ['servers: no port',          `${HEAD}servers: [§192.0.2.1#x]`,      '@192.0.2.1#x: "x" is not a port · write 1 to 65535'],
    ['countries: no such',        `${HEAD}countries: [DE, §XX]`,         'XX has no subnets here · known: '],
    ['countries: none',           `${HEAD}countries: §[]`,               'the list is too short · 1 at least'],
    ['subnets: no address',       `${HEAD}subnets: [§300.0.0.0/8]`,      '300.0.0.0/8: not an address · write a prefix such as 198.51.100.0/24'],
    ['subnets: too long',         `${HEAD}subnets: [§192.0.2.0/25]`,     '192.0.2.0/25: longer than /24 says too much about one client · shorten it to /24'],
    ['count: nothing',            `${HEAD}count: §0`,                    '0 is too small · 1 at least'],
    ['count: too many',           `${HEAD}count: §1001`,                 '1001 is too big · 1000 at most'],
    ['count: half',               `${HEAD}count: §1.5`,                  'expected a whole number, found 1.5 · write it in digits'],
    ['timeout: a word',           `${HEAD}timeout: §2s`,                 'expected a number, found "2s" · write it in digits'],
    ['timeout: too short',        `${HEAD}timeout: §0`,                  '0 is too small · 0.01 at least'],
    ['timeout: too long',         `${HEAD}timeout: §61`,                 '61 is too big · 60 at most'],
  ] as const
  for (const [rule, marked, expected] of WRONG) {
    test(`are refused with their place: ${rule}`, async () => {
      const before = marked.slice(0, marked.indexOf('§')).split('\n')
      const place = `m.yaml:${before.length}:${(before.at(-1) ?? '').length + 1}`
      expect(await linesOf(marked.replace('§', ''))).toEqual([
        expect.stringContaining(`${place}: ${expected}`),
      ])
    })
  }

  test('all mistakes at once, as one reads', async () => {
    const lines = await linesOf(
      `${HEAD}count: 0\n    typs: [A]\n  b: {command: frob, timeout: 0}\n`,
    )
    expect(lines.map(line => line.split(': ')[0])).toEqual([
      'm.yaml:3:12',
      'm.yaml:4:5',
      'm.yaml:5:16',
      'm.yaml:5:31',
    ])
  })
})

async function linesOf(text: string): Promise<readonly string[]> {
  const read = await readModules(text, 'm.yaml', words)
  return Array.isArray(read) ? mistakeLines(read) : ['accepted']
}

describe('the command', () => {
  // biome-ignore format: table
  const EXITS = [
    ['not on this machine only',    'exporter --listen 0.0.0.0:0',          '--allow-remote'],
    ['no address',                  'exporter --listen localhost:x',        '--listen localhost:x'],
    ['no number',                   'exporter --concurrent 0',              '--concurrent 0'],
    ['no name',                     'exporter --target a..b',               'a..b'],
  ] as const
  for (const [rule, line, expected] of EXITS) {
    test(`2 ${rule}`, async () => {
      const over = world()
      expect(await program(line.split(' '), over)).toBe(2)
      expect(over.said.join('')).toContain(expected)
    })
  }

  test('SIGHUP reads the modules again, a bad file keeps the old ones; an end on request', async () => {
    const stop = new AbortController()
    let hangup = (): void => undefined
    let file = 'modules: {one: {}}'
    const live = {
      now: () => 0,
      terminal: () => undefined,
      onHangup: (again: () => void) => {
        hangup = again
      },
    }
    const over = world({
      readText: path => (path === 'm.yaml' ? Promise.resolve(file) : absent(path)),
      interrupt: stop.signal,
      live: async () => live,
    })
    const ended = program(['exporter', '--listen', '127.0.0.1:0', '--modules', 'm.yaml'], over)
    await expect.poll(() => over.said.join('')).toContain('listening on')
    const [, at = ''] = /listening on (\S+)/.exec(over.said.join('')) ?? []
    file = 'modules: {two: {}}'
    const again = async (): Promise<string> => {
      hangup()
      return (await get(at)).text
    }
    await expect.poll(again).toContain('module=two')
    file = 'modules: 5'
    hangup()
    await expect.poll(() => over.said.join('')).toContain('stay as they were')
    expect((await get(at)).text).toContain('module=two')
    stop.abort()
    expect(await ended).toBe(0)
  })
})
