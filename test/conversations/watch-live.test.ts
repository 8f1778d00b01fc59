/** `lbprobe watch` on a real terminal that is resized and interrupted, and without one. */
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import {
  describeWith,
  folder,
  freePort,
  LBPROBE,
  putFiles,
  start,
  startReady,
  stopAll,
  until,
} from '../kit/process.ts'

afterAll(stopAll)

async function lab(): Promise<string> {
  const port = await freePort()
  const args = [LBPROBE, 'lab', '--listen', `127.0.0.1:${port}`, '--seed', '1']
  await startReady(process.execPath, args, ({ stdout }) => stdout().includes('listening'))
  return `@127.0.0.1#${port}`
}

/** ECMA-48: a control sequence. */
const ESCAPE = new RegExp(`${'\x1b'}\\[[0-9;?]*[a-zA-Z]`, 'g')

/** What a terminal would show of the picture drawn last. */
function lastScreen(drawn: string): string[] {
  const [screen = ''] = drawn.split('\x1b[H').slice(-1)
  const [lines = ''] = screen.split('\x1b[J')
  return lines.replaceAll(ESCAPE, '').replaceAll('\r', '').split('\n')
}

describeWith(['script', 'stty'], 'on a terminal', () => {
  test('a table as large as the terminal, through a resize; Ctrl-C gives it back', async () => {
    const at = await lab()
    const where = folder()
    const once = (file: string, then: string) =>
      `(while [ ! -e ${join(where, file)} ]; do sleep 0.05; done; ${then}) &`
    const resize = once('resize', 'stty -F /dev/tty rows 10 cols 40')
    const interrupt = once('interrupt', 'kill -INT $$')
    const command = `${process.execPath} ${LBPROBE} watch -i 0.2 A ${at} geo.lab.test`
    const line = `export TERM=xterm NO_COLOR=; stty rows 30 cols 100; ${resize} ${interrupt} exec ${command}`
    const terminal = start('script', ['-qefc', line, '/dev/null'])
    const screen = () => lastScreen(terminal.stdout())
    await until(
      'a verdict is shown',
      () => screen()[0]?.startsWith('real  geo  geo.lab.test A') === true,
    )
    expect(screen()).toHaveLength(30)
    expect(screen().every(text => text.length <= 100)).toBe(true)
    expect(screen().some(text => /^5 subnets +DE +B +\/16 .*B{4}/.test(text))).toBe(true)
    expect(terminal.stdout()).toContain('\x1b[?1049h')

    putFiles(where, { resize: '' })
    await until('it has the new size', () => screen().length === 10)
    await until('it is narrow', () => screen().every(text => text.length <= 40))
    expect(screen().some(text => text.startsWith('5 subnets'))).toBe(true)

    putFiles(where, { interrupt: '' })
    expect(await terminal.ended).toBe(130)
    const [, after = ''] = terminal.stdout().split('\x1b[?7h\x1b[?25h\x1b[?1049l')
    expect(after).toContain('geo.lab.test A')
    expect(after).toContain('verdict: real geo')
  })
})

describeWith(['script'], 'on a terminal that cannot move its cursor', () => {
  test('a line for each change, and nothing else', async () => {
    const command = `${process.execPath} ${LBPROBE} watch -i 0.1 --until verdict=geo A ${await lab()} geo.lab.test`
    const line = `export TERM=dumb NO_COLOR=; exec ${command}`
    const terminal = start('script', ['-qefc', line, '/dev/null'])
    expect(await terminal.ended).toBe(0)
    expect(terminal.stdout()).toContain('geo.lab.test A: verdict: real geo')
    expect(terminal.stdout()).not.toContain('\x1b')
  })
})

describe('without one', () => {
  test('a line for each change, no escape codes; --until ends it', async () => {
    const args = [
      LBPROBE,
      'watch',
      '-i',
      '0.1',
      '--until',
      'verdict=geo',
      'A',
      await lab(),
      'geo.lab.test',
    ]
    const watching = start(process.execPath, args)
    expect(await watching.ended).toBe(0)
    expect(watching.stdout()).toMatch(
      /^\S+Z geo\.lab\.test A: 4 groups of clients: A BR · B DE · C JP · D US$/m,
    )
    expect(watching.stdout()).not.toContain('\x1b')
  })

  // biome-ignore format: table
  const ENDS = [
    ['--until not met',        ['--for', '0.5s', '--until', 'change'],  'geo.lab.test',     1],
    ['--for alone',            ['--for', '0.5s'],                       'geo.lab.test',     0],
    ['no reply at all',        ['--for', '0.5s', '--timeout', '0.1'],   'silence.lab.test', 9],
    ['--once',                 ['--once'],                              'geo.lab.test',     0],
    ['--once, no reply',       ['--once', '--timeout', '0.1'],          'silence.lab.test', 9],
    ['no such condition',      ['--until', 'soon'],                     'geo.lab.test',     2],
    ['no such interval',       ['-i', 'often'],                         'geo.lab.test',     2],
  ] as const
  test.each(ENDS)('%s', async (_, flags, name, expected) => {
    const args = [LBPROBE, 'watch', '-i', '0.1', ...flags, 'A', await lab(), name]
    const watching = start(process.execPath, args)
    expect(await watching.ended, watching.stderr()).toBe(expected)
  })

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s ends it with a summary', async signal => {
    const args = [LBPROBE, 'watch', '-i', '0.1', 'A', await lab(), 'geo.lab.test']
    const watching = start(process.execPath, args)
    await until('it has learned', () => watching.stdout().includes('verdict: real geo'))
    watching.signal(signal)
    expect(await watching.ended).toBe(130)
    expect(watching.stdout()).toMatch(/^real {2}geo {2}geo\.lab\.test A {2}\d+ passes in /m)
  })
})
