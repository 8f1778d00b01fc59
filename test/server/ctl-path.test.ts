/** Where `lbdns ctl` finds the socket: `control:` of a file, whatever else stands in it. */
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { controlIn, controlPath } from '../../server/ctl-path.ts'
import { isWrong } from '../../server/fault.ts'
import { folder, stopAll } from '../kit/process.ts'

afterAll(stopAll)

const DEFAULT = 'lbdns.sock'
const NO_PATH = 'no path'

// biome-ignore format: table
const TABLE: readonly (readonly [string, string, string])[] = [
  ['a file that does not say',        'listen: [127.0.0.1:53]\n',                  DEFAULT],
  ['an empty file',                   '',                                          DEFAULT],
  ['a path',                          'control: run/x.sock\n',                     'run/x.sock'],
  ['in the middle, with a comment',   'a: 1\ncontrol: /run/x.sock # here\nb: 2\n', '/run/x.sock'],
  ['in quotes',                       'control: "x y.sock"\n',                     'x y.sock'],
  ['the key in quotes',               '"control": x.sock\n',                       'x.sock'],
  ['on the next line',                'control:\n  x.sock\nb: 2\n',                'x.sock'],
  ['as a block',                      'control: >-\n  x.sock\n\nb: 2\n',           'x.sock'],
  ['a file as on DOS',                'a: 1\r\ncontrol: x.sock\r\nb: 2\r\n',       'x.sock'],
  ['after a mark of UTF-8',           '\ufeffcontrol: x.sock\n',                   'x.sock'],
  ['after the head of a document',    '%YAML 1.2\n---\ncontrol: x.sock\n',         'x.sock'],
  ['a whole file in braces',          '# x\n{control: x.sock, b: [1]}\n',          'x.sock'],
  ['braces that do not say',          '{b: [1]}\n',                                DEFAULT],
  ['another key of that name',        'pools:\n  control: {targets: [a]}\n',       DEFAULT],
  ['a longer key',                    'controls: x.sock\n',                        DEFAULT],
  ['in a comment',                    '# control: x.sock\n',                       DEFAULT],
  ['mistakes before and after',       'a: [1\n  - }\ncontrol: x.sock\nb: "\n',     'x.sock'],
  ['nothing',                         'control:\nb: 2\n',                          NO_PATH],
  ['a list',                          'control: [x.sock]\n',                       NO_PATH],
  ['a number',                        'control: 5\n',                              NO_PATH],
  ['what is named elsewhere',         'a: &x x.sock\ncontrol: *x\n',               NO_PATH],
  ['brackets without end',            `control: ${'['.repeat(100_000)}\n`,         NO_PATH],
]

describe('control:', () => {
  test.each(TABLE)('%s', (_, text, expected) => {
    const path = controlIn(text)
    expect(isWrong(path) ? NO_PATH : path).toBe(expected)
  })

  test('a path is relative to the file', () => {
    const made = folder({
      'lbdns.yaml': 'control: run/x.sock\n',
      'other.yaml': 'control: /run/x.sock\n',
    })
    expect(controlPath(join(made, 'lbdns.yaml'))).toBe(join(made, 'run/x.sock'))
    expect(controlPath(join(made, 'other.yaml'))).toBe('/run/x.sock')
  })

  // biome-ignore format: table
  const WRONG: readonly (readonly [string, string, string])[] = [
    ['no file',        'none.yaml', 'none.yaml does not exist'],
    ['a folder',       '.',         ' is a folder'],
    ['what is no text', 'bad.yaml', 'bad.yaml this is no UTF-8 text'],
    ['what is no path', 'list.yaml', 'list.yaml: control: cannot be read as a path'],
  ]
  test.each(WRONG)('%s is said, and what to do', (_, name, expected) => {
    const made = folder({ 'bad.yaml': Uint8Array.of(0xff), 'list.yaml': 'control: []\n' })
    const path = controlPath(join(made, name))
    if (!isWrong(path)) throw new Error(path)
    expect(path.wrong).toContain(expected)
    expect(path.fix).toBe('name the configuration with -c FILE, or the socket with --socket PATH')
  })
})
