/** The settings file: which one is read, what wins, and what is wrong with it in words. */
import { describe, expect, test } from 'vitest'
import { program } from '../../probe/program.ts'
import { labWorld, paper } from './world.ts'

const NS1 = '@127.0.0.1:5300'

type Files = Readonly<Record<string, string>>

async function dns2(
  words: string,
  files: Files,
  environment: Readonly<Record<string, string>> = {},
) {
  const out = paper()
  const err = paper()
  const readText = async (path: string): Promise<string> => {
    const text = files[path]
    if (text === undefined) throw Object.assign(new Error('absent'), { code: 'ENOENT' })
    return text
  }
  const world = labWorld({ out, err, environment, readText })
  const line = `dns2 -q ${NS1} A single.lab.test --dry-run ${words}`
  const exit = await program(line.trim().split(' '), world)
  return { exit, out: out.text(), err: err.text() }
}

describe('which file is read', () => {
  const FOUR = 'count: 4'
  // biome-ignore format: table
  const TABLE: readonly (readonly [string, string, Files, Readonly<Record<string, string>>, number])[] = [
    ['none: the default',                    '',                        {},                                                {},                            20],
    ['the one here',                         '',                        { 'lbprobe.config.yaml': FOUR },                   {},                            4],
    ['JSON too',                             '',                        { 'lbprobe.config.json': '{"count": 4}' },         {},                            4],
    ['the one at home',                      '',                        { '/h/.config/lbprobe/config.yaml': FOUR },        { HOME: '/h' },                4],
    ['XDG base directories',                 '',                        { '/x/lbprobe/config.yaml': FOUR },                { HOME: '/h', XDG_CONFIG_HOME: '/x' }, 4],
    ['here before home',                     '',                        { 'lbprobe.config.yaml': 'count: 3', '/h/.config/lbprobe/config.yaml': FOUR }, { HOME: '/h' }, 3],
    ['the one that the environment names',   '',                        { 'e.yaml': FOUR, 'lbprobe.config.yaml': '' },     { LBPROBE_CONFIG: 'e.yaml' },  4],
    ['the one that the line names',          '--config l.yaml',         { 'l.yaml': 'count: 5', 'e.yaml': FOUR },          { LBPROBE_CONFIG: 'e.yaml' },  5],
    ['none is wanted',                       '--no-config',             { 'lbprobe.config.yaml': FOUR },                   {},                            20],
    ['the line wins',                        '-n 7',                    { 'lbprobe.config.yaml': FOUR },                   {},                            7],
    ['a command\'s own wins',                '',                        { 'lbprobe.config.yaml': 'count: 2\ndns2: {count: 6}\necs: {count: 5}' }, {},         6],
    ['an empty file',                        '',                        { 'lbprobe.config.yaml': '# nothing' },            {},                            20],
    ['a flag that this command has not',     '',                        { 'lbprobe.config.yaml': 'listen: x\ncount: 9' },  {},                            9],
  ]
  test.each(TABLE)('%s', async (_, words, files, environment, count) => {
    const { exit, out, err } = await dns2(words, files, environment)
    expect(err).toBe('')
    expect(exit).toBe(0)
    expect(out).toContain(`${count} queries in a row`)
  })
})

describe('what is wrong with it', () => {
  // § stands where the mistake is said to be
  // biome-ignore format: table
  const TABLE = [
    ['no YAML',                   'count: [1,\n§',          'YAML: flow sequence in block collection must be sufficiently indented and end with a ] · look at the line above it too; odd text goes in quotes'],
    ['a flag twice',              'count: 4\n§count: 5',    'YAML: map keys must be unique · keep one of the two'],
    ['a list of flags',           '§- count',               'not a map of flags · write a flag and its value, such as rate: 50'],
    ['a command that is a word',  'dns2: §4',               'not a map of flags · write a flag and its value, such as rate: 50'],
    ['a flag mistyped',           '§cuont: 4',              'cuont: no such flag · did you mean count?'],
    ['a command mistyped',        'rate: 5\n§resovler: {}', 'resovler: no such flag · did you mean resolver?'],
    ['nothing like any flag',     '§xyzzyplugh: 4',         'xyzzyplugh: no such flag · as in --help, without --'],
    ["another command's flag",    'dns2: {§listen: x}',     'listen: dns2 has no such flag · did you mean list?'],
    ['below another command',     'ecs:\n  §frobnicate: 1', 'frobnicate: ecs has no such flag · as in --help, without --'],
    ['another file',              '§config: other.yaml',    'config: a settings file names no other · take it out'],
    ['true for a value',          'count: §true',           'count: takes a value · write count: <number>'],
    ['a value for true',          'json: §1',               'json: takes true or false · write json: true'],
    ['a list for one',            'count: §[1, 2]',         'count: takes one value · keep one of the list'],
    ['a map for a value',         'count: §{a: 1}',         'count: not a word, a number, a list or true · write count: <number>'],
  ] as const
  test.each(TABLE)('%s', async (_, marked, said) => {
    const before = marked.slice(0, marked.indexOf('§')).split('\n')
    const place = `c.yaml:${before.length}:${(before.at(-1) ?? '').length + 1}`
    const { exit, err } = await dns2('--config c.yaml', { 'c.yaml': marked.replace('§', '') })
    expect(err).toBe(`${place}: ${said}\n`)
    expect(exit).toBe(2)
  })

  test('all of it at once, as one reads, and nothing is set', async () => {
    const text = 'json: 1\ndns2:\n  cuont: 4\n  count: [1, 2]\nwatch: x\n'
    const { exit, out, err } = await dns2('--config c.yaml', { 'c.yaml': text })
    const places = err.split('\n').map(line => line.split(': ')[0])
    expect(places).toEqual(['c.yaml:1:7', 'c.yaml:3:3', 'c.yaml:4:10', 'c.yaml:5:8', ''])
    expect([exit, out]).toEqual([2, ''])
  })

  test('with -J, as the error of a document too', async () => {
    const { exit, out } = await dns2('--config c.yaml -J', { 'c.yaml': 'cuont: 4' })
    const message = 'c.yaml:1:1: cuont: no such flag · did you mean count?'
    expect(JSON.parse(out)).toMatchObject({ results: [], error: { code: 'usage', message } })
    expect(exit).toBe(2)
  })

  test('a value out of range is told as the flag is', async () => {
    const { exit, err } = await dns2('--config c.yaml', { 'c.yaml': 'count: 0' })
    expect(err).toContain('lbprobe: --count 0: not a whole number from 1 to 10000')
    expect(exit).toBe(2)
  })

  test('a file that is named and is not there', async () => {
    expect(await dns2('--config c.yaml', {})).toMatchObject({
      exit: 2,
      err: 'lbprobe: c.yaml: no such file · name another with --config, or none: --no-config\n',
    })
  })
})
