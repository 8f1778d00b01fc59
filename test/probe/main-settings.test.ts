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
  // biome-ignore format: table
  const TABLE = [
    ['count: [',                'lbprobe: c.yaml: Flow sequence in block collection must be sufficiently indented and end with a ]'],
    ['- count',                 'lbprobe: c.yaml: not a map of flags · write rate: 50'],
    ['dns2: 4',                 'lbprobe: c.yaml: dns2: not a map of flags'],
    ['cuont: 4',                'lbprobe: c.yaml: cuont: no such flag · as in --help, without --'],
    ['dns2: {listen: x}',       'lbprobe: c.yaml: listen: no such flag · as in --help, without --'],
    ['count: true',             'lbprobe: c.yaml: count: takes a value'],
    ['json: 1',                 'lbprobe: c.yaml: json: takes true or false'],
    ['count: [1, 2]',           'lbprobe: c.yaml: count: takes one value'],
    ['count: {a: 1}',           'lbprobe: c.yaml: count: not a word, a number, a list or true'],
    ['count: 0',                'lbprobe: --count 0: not a whole number from 1 to 10000'],
  ] as const
  test.each(TABLE)('%s', async (text, said) => {
    const { exit, err } = await dns2('--config c.yaml', { 'c.yaml': text })
    expect(err.split('\n')[0]).toContain(said)
    expect(exit).toBe(2)
  })

  test('a file that is named and is not there', async () => {
    expect(await dns2('--config c.yaml', {})).toMatchObject({
      exit: 2,
      err: 'lbprobe: c.yaml: no such file\n',
    })
  })
})
