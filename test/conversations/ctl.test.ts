/** `lbdns ctl` as operators meet it: what each verb asks, what is said, and how it ends. */
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Reply } from '../../server/ops/control.ts'
import type { Request } from '../../server/ops/request.ts'
import { type Control, closeSockets, controlSocket } from '../kit/control.ts'
import { folder, type Ran, stopAll } from '../kit/process.ts'
import { lbdns } from '../kit/server.ts'

const ME = userInfo().username
const FOLDER = folder({
  'lbdns.yaml': 'control: lbdns.sock\nzones: [{}\n', // with a mistake that is not ctl's business
  'silent.yaml': 'control: silent.sock\n',
  'bad.yaml': 'control: []\n',
})
const FILE = join(FOLDER, 'lbdns.yaml')
const PATH = join(FOLDER, 'lbdns.sock')

let reply: (request: Request) => Reply = () => ({ ok: true, value: {} })
let server: Control
beforeAll(async () => {
  server = await controlSocket(request => reply(request), {}, PATH)
})
afterAll(async () => {
  await closeSockets()
  await stopAll()
})

const ctl = (...args: readonly string[]) => lbdns('ctl', '-c', FILE, ...args)

/** Asks, and tells what the server was asked. */
async function asking(
  value: unknown,
  ...args: readonly string[]
): Promise<Ran & { asked: unknown }> {
  reply = () => ({ ok: true, value })
  server.asked.length = 0
  const ran = await ctl(...args)
  return { ...ran, asked: server.asked.map(({ request }) => request)[0] }
}

const TOLD = {
  id: 3,
  does: 'drain fra 30 %',
  from: '2026-12-01T11:00:00Z',
  now: 'in force',
} as const
const IMPOSED = { reason: '', dry_run: false, author: ME }

describe('what a verb asks', () => {
  // biome-ignore format: table
  const TABLE: readonly (readonly [string, unknown, object, string])[] = [
    ['states',      { pools: [], overrides: [] }, { kind: 'states' },   'no pools\n'],
    ['health',      { watches: [] },         { kind: 'health' },        'nothing is checked\n'],
    ['overrides',   [],                      { kind: 'overrides' },     'no overrides\n'],
    ['dump',        { a: 1 },                { kind: 'dump' },          '{\n  "a": 1\n}\n'],
    ['reload',      { now: 'reloaded', digest: 'abc' }, { kind: 'reload' }, 'reloaded, digest abc\n'],
    ['drain fra',   TOLD,  { kind: 'drain', what: 'fra', percent: 100, ...IMPOSED },
      '3: drain fra 30 %, in force until undone\n'],
    ['drain fra/192.0.2.10 --percent 30 --at +1h30m --for 2h --reason move',
      TOLD,  { kind: 'drain', what: 'fra/192.0.2.10', percent: 30, at: { inSeconds: 5400 }, for: 7200, ...IMPOSED, reason: 'move' },
      '3: drain fra 30 %, in force until undone\n'],
    ['drain fra --percent 0.5% --at 1970-01-01T01:00:00+01:00 --dry-run',
      { does: 'drain fra', names: [] },
      { kind: 'drain', what: 'fra', percent: 0.5, at: { atMs: 0 }, ...IMPOSED, dry_run: true },
      'drain fra would move nobody\n'],
    ['undrain fra', { undone: [TOLD] },      { kind: 'undrain', what: 'fra' }, 'undone: 3, drain fra 30 %\n'],
    ['force down 2001:db8::10 --for 60',
      TOLD,  { kind: 'force', what: '2001:db8::10', to: 'down', for: 60, ...IMPOSED },
      '3: drain fra 30 %, in force until undone\n'],
    ['unforce fra', { undone: [] },          { kind: 'unforce', what: 'fra' }, 'nothing was to be undone\n'],
    ['ramp www.example.com from fra to iad over 1h --dry-run',
      { does: 'ramp', names: [] },
      { kind: 'ramp', name: 'www.example.com', from: 'fra', to: 'iad', over: 3600, ...IMPOSED, dry_run: true },
      'ramp would move nobody\n'],
    ['undo 3',      { undone: [TOLD] },      { kind: 'undo', id: 3 },   'undone: 3, drain fra 30 %\n'],
    ['push 192.0.2.10', { targets: ['fra/192.0.2.10'] },
      { kind: 'push', what: '192.0.2.10', now: 'up' }, 'taken by fra/192.0.2.10\n'],
    ['push 192.0.2.10 --check web --down --load 0 --capacity 1.5',
      { targets: ['fra/192.0.2.10'] },
      { kind: 'push', what: '192.0.2.10', check: 'web', now: 'down', load: 0, capacity: 1.5 },
      'taken by fra/192.0.2.10\n'],
    ['acme set example.com a-_9', { name: 'example.com.', tokens: 1 },
      { kind: 'acme set', name: 'example.com', token: 'a-_9' }, 'example.com. now has 1 token\n'],
    ['acme clear example.com', { name: 'example.com.', tokens: 0 },
      { kind: 'acme clear', name: 'example.com' }, 'example.com. now has no tokens\n'],
    ['acme clear example.com a', { name: 'example.com.', tokens: 2 },
      { kind: 'acme clear', name: 'example.com', token: 'a' }, 'example.com. now has 2 tokens\n'],
  ]
  test.each(TABLE)('%s', async (line, value, request, stdout) => {
    const ran = await asking(value, ...line.split(' '))
    expect(ran).toEqual({ code: 0, stdout, stderr: '', asked: { author: ME, ...request } })
  })

  test('--json: what the server told, whatever it is', async () => {
    const value = { of: ['a', 'later version'] }
    const { code, stdout } = await asking(value, 'status', '--json')
    expect([code, JSON.parse(stdout)]).toEqual([0, value])
  })

  test('--author: who asks', async () => {
    const { asked } = await asking({ watches: [] }, 'health', '--author', 'ann of ops')
    expect(asked).toEqual({ kind: 'health', author: 'ann of ops' })
  })

  // biome-ignore format: table
  const FOUND: readonly (readonly [string, readonly string[]])[] = [
    ['--socket, before the verb', ['--socket', PATH, 'health']],
    ['--socket, after it',        ['health', '--socket', PATH]],
    ['the configuration, whatever else is wrong with it', ['health', '--config', FILE]],
  ]
  test.each(FOUND)('the socket is found through %s', async (_, args) => {
    reply = () => ({ ok: true, value: { watches: [] } })
    expect(await lbdns('ctl', ...args)).toEqual({
      code: 0,
      stdout: 'nothing is checked\n',
      stderr: '',
    })
  })
})

describe('help', () => {
  const VERBS = [
    ...['status', 'states', 'health', 'explain', 'drain', 'undrain', 'force', 'unforce', 'ramp'],
    ...['overrides', 'undo', 'push', 'reload', 'dump', 'events', 'acme'],
  ]

  test('lists every verb, in a line each, on one screen', async () => {
    const { code, stdout } = await ctl('--help')
    const lines = stdout.split('\n')
    const listed = lines.slice(lines.indexOf('Commands:') + 1, lines.indexOf('', 14))
    expect([code, listed.map(line => line.split(/ +/)[1])]).toEqual([0, [...VERBS, 'help']])
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80)
    expect(lines.length).toBeLessThanOrEqual(33)
  })

  test.concurrent.each([...VERBS, 'acme set', 'acme clear'])('of %s: one screen', async verb => {
    const { code, stdout } = await ctl(...verb.split(' '), '--help')
    const lines = stdout.split('\n')
    expect([code, lines[0]?.startsWith(`Usage: lbdns ctl ${verb}`)]).toEqual([0, true])
    expect(stdout).toContain('--socket <path>')
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80)
    expect(lines.length).toBeLessThanOrEqual(25)
  })
})

describe('wrong usage: a sentence, exit code 2, and nothing is asked', () => {
  const LONG = 'x'.repeat(256)
  const NO_SPAN = '1x is not a span of time'
  const NO_TIME = '60s is no moment in time · write +10m, or a moment like 2026-12-24T06:00:00Z'

  // biome-ignore format: table
  const TABLE: readonly (readonly [string, readonly string[], string])[] = [
    ['no verb',              [],                                   'Usage: lbdns ctl'],
    ['another verb',         ['frob'],                             "error: unknown command 'frob'"],
    ['nearly a verb',        ['stats'],                            '(Did you mean one of states, status?)'],
    ['status',               ['status', 'x'],                      "error: too many arguments for 'status'"],
    ['states',               ['states', '--all'],                  "error: unknown option '--all'"],
    ['health',               ['health', 'web'],                    "error: too many arguments for 'health'"],
    ['explain what?',        ['explain'],                          "error: missing required argument 'name'"],
    ['explain a name',       ['explain', 'a..b'],                  'a..b'],
    ['explain a type',       ['explain', 'a.b', 'FOO'],            'FOO is no record type'],
    ['explain to whom',      ['explain', 'a.b', '--client', '1.2.3'], '1.2.3 is not an IP address'],
    ['drain what?',          ['drain'],                            "error: missing required argument 'what'"],
    ['drain nothing',        ['drain', ''],                        'nothing stands here · name something'],
    ['drain too long',       ['drain', LONG],                      'a text of 256 characters · write at most 255'],
    ['drain two',            ['drain', 'fra', 'iad'],              "error: too many arguments for 'drain'"],
    ['drain by nothing',     ['drain', 'fra', '--percent', '0'],   '0 is no such share · write a number above 0 and at most 100'],
    ['drain by more',        ['drain', 'fra', '--percent', '101'], '101 is no such share'],
    ['drain by a word',      ['drain', 'fra', '--percent', 'all'], 'all is no such share'],
    ['drain at',             ['drain', 'fra', '--at', '60s'],      NO_TIME],
    ['drain at, no offset',  ['drain', 'fra', '--at', '2026-12-24T06:00:00'], 'has no offset'],
    ['drain at, too far',    ['drain', 'fra', '--at', '+367d'],    'longer than a year · write at most 366d'],
    ['drain for',            ['drain', 'fra', '--for', '1x'],      NO_SPAN],
    ['drain for nothing',    ['drain', 'fra', '--for', '0s'],      '0s is no time at all · write at least 1s'],
    ['drain for what',       ['drain', 'fra', '--reason', ''],     'nothing stands here'],
    ['drain by whom',        ['drain', 'fra', '--author', ''],     'nothing stands here'],
    ['undrain what?',        ['undrain'],                          "error: missing required argument 'what'"],
    ['undrain by',           ['undrain', 'fra', '--percent', '5'], "error: unknown option '--percent'"],
    ['force what?',          ['force', 'up'],                      "error: missing required argument 'what'"],
    ['force how?',           ['force', 'fra', 'down'],             'Allowed choices are up, down.'],
    ['force for',            ['force', 'up', 'fra', '--for', '1x'], NO_SPAN],
    ['force at',             ['force', 'up', 'fra', '--at', '60s'], NO_TIME],
    ['unforce what?',        ['unforce'],                          "error: missing required argument 'what'"],
    ['unforce two',          ['unforce', 'up', 'fra'],             "error: too many arguments for 'unforce'"],
    ['ramp what?',           ['ramp'],                             "error: missing required argument 'name'"],
    ['ramp a name',          ['ramp', 'a..b', 'from', 'a', 'to', 'b', 'over', '1h'], 'a..b'],
    ['ramp, other words',    ['ramp', 'a.b', 'a', 'to', 'b', 'over', '1h', 'x'], 'a stands where from should · write www.example.com from fra to iad over 1h'],
    ['ramp, no time',        ['ramp', 'a.b', 'from', 'a', 'to', 'b'], "error: missing required argument 'over'"],
    ['ramp in no time',      ['ramp', 'a.b', 'from', 'a', 'to', 'b', 'over', '0'], '0 is no time at all'],
    ['ramp over',            ['ramp', 'a.b', 'from', 'a', 'to', 'b', 'over', '1x'], NO_SPAN],
    ['ramp at',              ['ramp', 'a.b', 'from', 'a', 'to', 'b', 'over', '1h', '--at', '60s'], NO_TIME],
    ['overrides of',         ['overrides', 'fra'],                 "error: too many arguments for 'overrides'"],
    ['undo what?',           ['undo'],                             "error: missing required argument 'id'"],
    ['undo a pool',          ['undo', 'fra'],                      'fra is no number of an override · lbdns ctl overrides lists them'],
    ['undo none',            ['undo', '0'],                        '0 is no number of an override'],
    ['push what?',           ['push'],                             "error: missing required argument 'target'"],
    ['push a load',          ['push', 'a', '--load=-1'],           '-1 is no load · write 0 or more'],
    ['push a word',          ['push', 'a', '--load', 'much'],      'much is no load'],
    ['push no capacity',     ['push', 'a', '--capacity', '0'],     '0 is no capacity · write a number above 0'],
    ['push a check',         ['push', 'a', '--check', ''],         'nothing stands here'],
    ['reload what',          ['reload', 'x'],                      "error: too many arguments for 'reload'"],
    ['dump what',            ['dump', 'x'],                        "error: too many arguments for 'dump'"],
    ['events of',            ['events', 'fra'],                    "error: too many arguments for 'events'"],
    ['acme what?',           ['acme'],                             'Usage: lbdns ctl acme'],
    ['acme frob',            ['acme', 'frob'],                     "error: unknown command 'frob'"],
    ['acme set, no token',   ['acme', 'set', 'example.com'],       "error: missing required argument 'token'"],
    ['acme set a name',      ['acme', 'set', 'a..b', 'x'],         'a..b'],
    ['acme set a token',     ['acme', 'set', 'a.b', 'x y'],        'a token has letters, digits, - and _ only'],
    ['acme clear a token',   ['acme', 'clear', 'a.b', 'x y'],      'a token has letters, digits, - and _ only'],
    ['a file and the demo',  ['status', '--demo'],                 'cannot be used with'],
    ['a socket where?',      ['status', '--socket'],               'argument missing'],
  ]
  test.concurrent.each(TABLE)('%s', async (_, args, expected) => {
    server.asked.length = 0
    const { code, stdout, stderr } = await ctl(...args)
    expect(stderr).toContain(expected)
    expect([code, stdout, server.asked]).toEqual([2, '', []])
    if (!stderr.startsWith('Usage')) expect(stderr.match(/^error: /gm)).toHaveLength(1)
  })

  test('what only the server can know is wrong usage too', async () => {
    reply = () => ({ ok: false, code: 'usage', problems: ['fra is no pool · did you mean fra1?'] })
    for (const verb of [
      'drain fra',
      'undrain fra',
      'force up fra',
      'unforce fra',
      'undo 9',
      'push fra',
    ]) {
      expect(await ctl(...verb.split(' '))).toEqual({
        code: 2,
        stdout: '',
        stderr: 'lbdns: fra is no pool · did you mean fra1?\n',
      })
    }
  })
})

describe('what cannot be done: exit code 1', () => {
  const NAME_IT = 'start lbdns run, or name what it runs with -c FILE or --socket PATH'
  const ELSE = 'name the configuration with -c FILE, or the socket with --socket PATH'
  const silent = join(FOLDER, 'silent.sock')

  // biome-ignore format: table
  const TABLE: readonly (readonly [string, readonly string[], string])[] = [
    ['no server',          ['-c', join(FOLDER, 'silent.yaml'), 'status'],
      `no server at ${silent}: there is no such socket · ${NAME_IT}`],
    ['no such folder',     ['--socket', join(FILE, 'x'), 'status'],
      `no server at ${FILE}/x: there is no such socket · ${NAME_IT}`],
    ['nobody listens',     ['--socket', FILE, 'status'],
      `no server at ${FILE}: nobody listens there · ${NAME_IT}`],
    ['a path too long',    ['--socket', `/${'x'.repeat(107)}`, 'status'],
      `/${'x'.repeat(107)} is no path of a socket`],
    ['no configuration',   ['-c', join(FOLDER, 'none.yaml'), 'status'],
      `${FOLDER}/none.yaml does not exist · ${ELSE}`],
    ['one that names none', ['-c', join(FOLDER, 'bad.yaml'), 'status'],
      `${FOLDER}/bad.yaml: control: cannot be read as a path · ${ELSE}`],
    ['no server to watch', ['--socket', silent, 'health', '--watch'],
      `no server at ${silent}: there is no such socket · ${NAME_IT}`],
    ['no server to hear',  ['--socket', silent, 'events'],
      `no server at ${silent}: there is no such socket · ${NAME_IT}`],
    ['no server to ask why', ['--socket', silent, 'explain', 'www.example.com'],
      `no server at ${silent}: there is no such socket · ${NAME_IT}`],
  ]
  test.each(TABLE)('%s', async (_, args, sentence) => {
    expect(await lbdns('ctl', ...args)).toEqual({
      code: 1,
      stdout: '',
      stderr: `lbdns: ${sentence}\n`,
    })
  })

  test('one problem is one sentence, several are counted', async () => {
    reply = () => ({ ok: false, code: 'failed', problems: ['the disk is full'] })
    expect(await ctl('reload')).toMatchObject({ code: 1, stderr: 'lbdns: the disk is full\n' })
    reply = () => ({ ok: false, code: 'failed', problems: ['a.yaml:1:1: no', 'b.zone:2:1: no'] })
    expect(await ctl('reload')).toMatchObject({
      code: 1,
      stderr: 'a.yaml:1:1: no\nb.zone:2:1: no\nlbdns: 2 problems\n',
    })
  })

  test('a server of another version, that tells what is not known here', async () => {
    for (const verb of ['status', 'states', 'health', 'overrides', 'undrain fra', 'push a']) {
      expect(await asking('something else', ...verb.split(' '))).toMatchObject({
        code: 1,
        stderr: 'lbdns: the server is of another version than this lbdns · ask with --json\n',
      })
    }
  })

  test('what others wrote cannot play with the terminal', async () => {
    const value = [{ ...TOLD, author: '\x1b[2Jann', reason: 'a\nb\x9bm' }]
    const { stdout } = await asking(value, 'overrides')
    expect(stdout).toContain('\\x1b[2Jann  a\\x0ab\\x9bm')
    const { stdout: json } = await asking(value, 'overrides', '--json')
    expect([JSON.parse(json), /[^\n -~]/.test(json)]).toEqual([value, false])
  })
})
