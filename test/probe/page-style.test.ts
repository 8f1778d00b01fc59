/**
 * Who gets colour, and who a line of progress: decided for stdout and for stderr apart, by flags, then
 * by the environment (no-color.org, force-color.org), then by what the stream is.
 */
import { describe, expect, test } from 'vitest'
import { deliver, LINES, NS1 } from './delivered.ts'
import { paper } from './world.ts'

const COLOUR = '\u001b[1m'
const WIPE = '\r\u001b[K'

type Row = readonly [
  rule: string,
  terminals: '' | 'out' | 'err' | 'out err',
  environment: Readonly<Record<string, string>>,
  flags: string,
  coloured: boolean,
  progress: boolean,
]

// biome-ignore format: table
const ROWS: readonly Row[] = [
  ['neither is a terminal',             '',        {},                               '',                              false, false],
  ['stdout alone',                      'out',     {},                               '',                              true,  false],
  ['stderr alone',                      'err',     {},                               '',                              false, true],
  ['both',                              'out err', {},                               '',                              true,  true],
  ['TERM=dumb',                         'out err', { TERM: 'dumb' },                 '',                              false, false],
  ['NO_COLOR is of colour only',        'out err', { NO_COLOR: '1' },                '',                              false, true],
  ['NO_COLOR, but empty',               'out',     { NO_COLOR: '' },                 '',                              true,  false],
  ['FORCE_COLOR in a pipe',             '',        { FORCE_COLOR: '1' },             '',                              true,  false],
  ['FORCE_COLOR in a file',             '',        { FORCE_COLOR: '1' },             '-o out.file',                   true,  false],
  ['FORCE_COLOR=0',                     'out',     { FORCE_COLOR: '0' },             '',                              false, false],
  ['FORCE_COLOR on a dumb terminal',    'out',     { FORCE_COLOR: '1', TERM: 'dumb' }, '',                            true,  false],
  ['NO_COLOR wins over FORCE_COLOR',    'out',     { NO_COLOR: '1', FORCE_COLOR: '1' }, '',                           false, false],
  ['--color always in a pipe',          '',        {},                               '--color always',                true,  false],
  ['… wins over NO_COLOR and a file',   '',        { NO_COLOR: '1' },                '--color always -o out.file',    true,  false],
  ['--color never on a terminal',       'out err', {},                               '--color never',                 false, true],
  ['… wins over FORCE_COLOR',           'out',     { FORCE_COLOR: '1' },             '--color never',                 false, false],
  ['-f pretty in a pipe',               '',        {},                               '-f pretty',                     true,  false],
  ['… in a file',                       'out',     {},                               '-f pretty -o out.file',         true,  false],
  ['… wins over NO_COLOR',              '',        { NO_COLOR: '1', TERM: 'dumb' },  '-f pretty',                     true,  false],
  ['… but not over --color never',      'out',     {},                               '-f pretty --color never',       false, false],
  ['-f plain on a terminal',            'out err', {},                               '-f plain',                      false, true],
  ['… wins over FORCE_COLOR',           'out',     { FORCE_COLOR: '1' },             '-f plain',                      false, false],
  ['a file, from a terminal',           'out err', {},                               '-o out.file',                   false, true],
  ['--short is never coloured',         'out',     { FORCE_COLOR: '1' },             '--short',                       false, false],
  ['nor is JSON',                       'out err', { FORCE_COLOR: '1' },             '-J --color always',             false, true],
  ['--progress in a pipe',              '',        {},                               '--progress',                    false, true],
  ['--no-progress on a terminal',       'out err', {},                               '--no-progress',                 true,  false],
  ['-q on a terminal',                  'out err', {},                               '-q',                            true,  false],
]

test.each(ROWS)('%s', async (_, terminals, environment, flags, coloured, progress) => {
  const [out, err] = [paper(terminals.includes('out')), paper(terminals.includes('err'))]
  const line = `dns2 A ${NS1} single.lab.test -n 3 ${flags}`.trim()
  const { files } = await deliver(line, { out, err, environment })
  const said = out.text() + (files.get('out.file') ?? '')
  expect([said.includes(COLOUR), err.text().includes(WIPE)]).toEqual([coloured, progress])
  expect(err.text()).not.toContain(COLOUR)
})

describe('lines are cut where somebody looks at a terminal', () => {
  const narrow = { ...paper(true), columns: 40 }
  // biome-ignore format: table
  const CUT = [
    ['on it',          '--color never', true],
    ['but not plain',  '-f plain',      false],
    ['nor in a file',  '-o out.file',   false],
  ] as const
  test.each(CUT)('%s', async (_, flags, cut) => {
    const out = { ...paper(true), columns: narrow.columns }
    const { files } = await deliver(`${LINES.ecs} ${flags}`, { out })
    const rows = (out.text() + (files.get('out.file') ?? '')).split('\n')
    expect(rows.some(row => /^ {2}128\.32\.0\.0\/24 .*…$/.test(row))).toBe(cut)
  })
})

test('a flag of the line wins over another format of the settings file, and over its colour', async () => {
  const settings = { 'lbprobe.config.yaml': 'json: true\ncolor: always\n' }
  const short = await deliver(`${LINES.dns2} --short`, {}, settings)
  expect(short.out).toBe('shuffled-list.lab.test A none shuffled-list\n')
  const plain = await deliver(`${LINES.dns2} -f plain`, {}, settings)
  expect([plain.exit, plain.out.includes('\u001b')]).toEqual([0, false])
  expect(JSON.parse((await deliver(LINES.dns2, {}, settings)).out)).toHaveProperty('results')
})
