/** Whom a line, the environment and the settings file name, seen in what `--dry-run` would ask. */
import { describe, expect, test } from 'vitest'
import { program } from '../../probe/program.ts'
import { absent, labWorld, paper } from './world.ts'

type Given = { readonly environment?: Readonly<Record<string, string>>; readonly file?: string }

async function planned(line: string, { environment = {}, file }: Given = {}) {
  const out = paper()
  const err = paper()
  const readText = async (path: string): Promise<string> =>
    path === 'lbprobe.config.yaml' && file !== undefined ? file : absent(path)
  const world = labWorld({ out, err, environment, readText })
  const exit = await program([...line.split(' '), '--dry-run'], world)
  const rows = out
    .text()
    .split('\n')
    .filter(row => /^x\.test +A /.test(row))
  const asked = rows.map(row => row.split(/ {2,}/)[2] ?? '')
  return { exit, asked, said: err.text(), out: out.text() }
}

const AUTH = "the zone's name servers"
const SYSTEM = "the system's resolver"
const IN = (LBPROBE_SERVER: string): Given => ({ environment: { LBPROBE_SERVER } })

describe('whom it asks', () => {
  // biome-ignore format: table
  const TABLE: readonly (readonly [rule: string, line: string, given: Given, asked: readonly string[]])[] = [
    ['nobody named',                          'dns2 A x.test',                                         {}, [AUTH]],
    ['-s',                                    'dns2 A x.test -s 192.0.2.1',                            {}, ['192.0.2.1#53']],
    ['-s with an @',                          'dns2 A x.test -s @192.0.2.1#5353',                      {}, ['192.0.2.1#5353']],
    ['--server= and -sX',                     'dns2 A x.test --server=192.0.2.1 -s192.0.2.2',          {}, ['192.0.2.1#53', '192.0.2.2#53']],
    ['both ways, in the order given',         'dns2 -s 192.0.2.3 A @192.0.2.1 x.test -s 192.0.2.2',    {}, ['192.0.2.3#53', '192.0.2.1#53', '192.0.2.2#53']],
    ['both ways, counted once',               'dns2 @192.0.2.1 -s 192.0.2.2 A x.test -s 192.0.2.1',    {}, ['192.0.2.1#53', '192.0.2.2#53']],
    ['a resolver by its word',                'dns2 A x.test -s google',                               {}, ['8.8.8.8#53']],
    ['--auth',                                'dns2 -A A x.test',                                      {}, [AUTH]],
    ['--auth and @auth are the same',         'dns2 --auth @auth A x.test',                            {}, [AUTH]],
    ['--resolver',                            'dns2 --resolver A x.test',                              {}, [SYSTEM]],
    ['ecs too',                               'ecs -s 192.0.2.1 A x.test',                             {}, ['192.0.2.1#53']],
    ['LBPROBE_SERVER',                        'dns2 A x.test',                                         IN('192.0.2.1, @google'), ['192.0.2.1#53', '8.8.8.8#53']],
    ['… empty',                               'dns2 A x.test',                                         IN(''), [AUTH]],
    ['the line wins over it',                 'dns2 A x.test @192.0.2.2',                              IN('192.0.2.1'), ['192.0.2.2#53']],
    ['… even where it is wrong',              'dns2 A x.test @192.0.2.2',                              IN('quic://192.0.2.1'), ['192.0.2.2#53']],
    ['--auth wins over it',                   'dns2 -A A x.test',                                      IN('192.0.2.1'), [AUTH]],
    ['the settings file',                     'dns2 A x.test',                                         { file: 'server: [192.0.2.1, google]' }, ['192.0.2.1#53', '8.8.8.8#53']],
    ['… says system',                         'dns2 A x.test',                                         { file: 'server: system' }, [SYSTEM]],
    ['… of this command',                     'dns2 A x.test',                                         { file: 'dns2: {resolver: true}' }, [SYSTEM]],
    ['the line wins over it too',             'dns2 A x.test -s 192.0.2.2',                            { file: 'server: 192.0.2.1' }, ['192.0.2.2#53']],
    ['a flag wins over what is no such flag', 'dns2 --resolver A x.test',                              { file: 'server: 192.0.2.1' }, [SYSTEM]],
    ['--auth wins over it',                   'dns2 -A A x.test',                                      { file: 'server: 192.0.2.1' }, [AUTH]],
    ['the environment wins over the file',    'dns2 A x.test',                                         { ...IN('192.0.2.1'), file: 'server: 192.0.2.2' }, ['192.0.2.1#53']],
  ]
  test.each(TABLE)('%s', async (_, line, given, asked) => {
    expect(await planned(line, given)).toMatchObject({ exit: 0, asked, said: '' })
  })
})

describe('what it says of', () => {
  // biome-ignore format: table
  const TABLE: readonly (readonly [line: string, given: Given, said: string])[] = [
    ['dns2 A x.test --auth --resolver',              {},                            '--auth and --resolver exclude each other · take one of them'],
    ['dns2 A x.test --auth @192.0.2.1',              {},                            '--auth and @192.0.2.1 exclude each other · leave out one of them'],
    ['dns2 A x.test --resolver -s google',           {},                            '--resolver and @google exclude each other · leave out one of them'],
    ['dns2 A x.test -s quic://192.0.2.1',            {},                            '@quic://192.0.2.1: quic:// is not supported'],
    ['dns2 A x.test',                                IN('192.0.2.1,ftp://a'),       'LBPROBE_SERVER: @ftp://a: ftp:// is not known'],
    ['dns2 A x.test',                                { file: 'server: ftp://a' },   'the settings file: @ftp://a: ftp:// is not known'],
    ['dns2 A x.test',                                { file: 'dns2: {auth: true, resolver: true}' }, '--auth and --resolver exclude each other'],
    ['resolver --auth',                              {},                            "unknown option '--auth'"],
  ]
  test.each(TABLE)('%s', async (line, given, said) => {
    const seen = await planned(line, given)
    expect(seen.said).toContain(said)
    expect(seen.exit).toBe(2)
  })
})

test('with --json there is a document all the same', async () => {
  const { out, exit } = await planned('dns2 A x.test --json --auth --resolver')
  expect(JSON.parse(out)).toMatchObject({ schema: 'lbprobe.result/1', error: { code: 'usage' } })
  expect(exit).toBe(2)
})

test('lab asks nobody, whatever LBPROBE_SERVER says', async () => {
  const seen = await planned('explain geo', IN('ftp://a'))
  expect(seen.said).not.toContain('LBPROBE_SERVER')
})
