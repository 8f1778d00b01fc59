/** What `lbprobe` writes to real streams: a terminal, a pipe, a disk that is full. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  describeWith,
  folder,
  freePort,
  LBPROBE,
  run,
  start,
  startReady,
  stopAll,
} from '../kit/process.ts'

let at = ''

beforeAll(async () => {
  const port = await freePort()
  const args = [LBPROBE, 'lab', '--listen', `127.0.0.1:${port}`, '--seed', '1']
  await startReady(process.execPath, args, ({ stdout }) => stdout().includes('listening'))
  at = `@127.0.0.1#${port}`
})

afterAll(stopAll)

const line = (flags: string) =>
  `${process.execPath} ${LBPROBE} dns2 A ${at} fixed-list.lab.test -n 5 --no-config ${flags}`

const BOLD = '\u001b[1m'
const WIPE = '\r\u001b[K'

describeWith(['script', 'stty'], 'on a terminal', () => {
  /** What a terminal of so many columns gets to see. */
  async function seen(command: string, environment: string, columns = 100): Promise<string> {
    const set = `unset NO_COLOR FORCE_COLOR; export ${environment}; stty rows 30 cols ${columns}`
    const terminal = start('script', ['-qefc', `${set}; ${command}`, '/dev/null'])
    await terminal.ended
    return terminal.stdout()
  }

  // biome-ignore format: table
  const ROWS = [
    ['both streams',                'TERM=xterm',               '',                 true,  true],
    ['TERM=dumb',                   'TERM=dumb',                '',                 false, false],
    ['NO_COLOR',                    'TERM=xterm NO_COLOR=1',    '',                 false, true],
    ['FORCE_COLOR, TERM=dumb',      'TERM=dumb FORCE_COLOR=1',  '',                 true,  false],
    ['--color never',               'TERM=xterm',               '--color never',    false, true],
    ['-f plain',                    'TERM=xterm',               '-f plain',         false, true],
    ['stderr elsewhere',            'TERM=xterm',               '2>/dev/null',      true,  false],
    ['stdout elsewhere',            'TERM=xterm',               '>/dev/null',       false, true],
  ] as const
  test.each(ROWS)('%s', async (_, environment, flags, colour, progress) => {
    const text = await seen(line(flags), environment)
    expect([text.includes(BOLD), text.includes(WIPE)]).toEqual([colour, progress])
  })

  test('-f pretty is on a pipe what a terminal gets', async () => {
    const text = await seen(line('-q --seed 1'), 'TERM=xterm')
    const { stdout } = await run('sh', ['-c', line('-q --seed 1 -f pretty')])
    expect(stdout).toBe(text.replaceAll('\r\n', '\n'))
  })

  test('no line is wider than it', async () => {
    const text = await seen(line('-q --color never'), 'TERM=xterm', 30)
    expect(text.split('\r\n').some(row => row.endsWith('…'))).toBe(true)
  })
})

describe.skipIf(!existsSync('/dev/full'))('a full disk', () => {
  test.each(['', '-J', '-f yaml', '--jsonl', '-f csv', '-f html'])('%s', async flags => {
    const { code, stderr } = await run('sh', ['-c', `${line(`-q ${flags}`)} > /dev/full`])
    expect([code, stderr]).toEqual([
      2,
      'lbprobe: stdout cannot be written: ENOSPC: no space left on device, write\n',
    ])
  })

  test('as -o', async () => {
    const { code, stderr } = await run('sh', ['-c', line('-q -f csv -o /dev/full')])
    const sentence =
      'lbprobe: --output /dev/full: the disk is full · name a file that can be written'
    expect([code, stderr]).toEqual([2, `${sentence}\n`])
  })
})

test('a reader that goes away is no error', async () => {
  const file = join(folder(), 'exit')
  const command = `(${line('-q --jsonl')}; echo $? > ${file}) | head -n 1`
  const { stdout, stderr } = await run('sh', ['-c', command])
  expect(JSON.parse(stdout)).toMatchObject({ schema: 'lbprobe.recording/1' })
  expect([stderr, readFileSync(file, 'utf8')]).toEqual(['', '0\n'])
})
