/** A file of lines: that it grows no further than it may, and what becomes of lines where it cannot be
 *  written. */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { type Problem, problemText } from '../../server/fault.ts'
import { LogFile, type LogFileOptions } from '../../server/ops/log-file.ts'
import { folder, start, stopAll } from '../kit/process.ts'
import { until } from '../kit/transport.ts'

const opened: LogFile[] = []
afterEach(() => Promise.all(opened.splice(0).map(file => file.stop())))
afterAll(stopAll)

/** A log in a folder of its own, and what was warned of. */
function log(options: Partial<LogFileOptions> = {}) {
  const path = options.path ?? join(folder(), 'query.log')
  const warnings: string[] = []
  const warn = (problem: Problem) => void warnings.push(problemText(problem))
  const whole = { path, maxSize: 1e6, keep: 3, ...options }
  const file = new LogFile(whole, warn)
  opened.push(file)
  /** Adds lines, and waits until each is written or lost. */
  const add = async (...lines: readonly string[]) => {
    const { dropped, written } = file.counts
    for (const line of lines) file.add(`${line}\n`)
    await until(
      () => file.counts.dropped + file.counts.written === dropped + written + lines.length,
    )
  }
  return { add, file, options: whole, path, warnings }
}

const textOf = (path: string) => readFileSync(path, 'latin1')

describe('lines', () => {
  test('are added to those that are there, in order', async () => {
    const { add, file, path } = log()
    writeFileSync(path, 'old\n')
    await add('a', 'b')
    await add('c')
    expect(textOf(path)).toBe('old\na\nb\nc\n')
    expect(file.counts).toEqual({ written: 3, dropped: 0 })
  })

  test('are all there when it stops, and those that are added later too', async () => {
    const { file, path } = log({ maxSize: 1e7 })
    const lines = Array.from({ length: 20_000 }, (_, i) => `${i} ${'x'.repeat(50)}\n`)
    for (const line of lines) file.add(line)
    await file.stop()
    expect(textOf(path)).toBe(lines.join(''))
    file.add('late\n')
    await file.stop()
    expect(textOf(path).endsWith('\nlate\n')).toBe(true)
  })

  test('the first one begins a line, whatever was left behind', async () => {
    const { add, path } = log()
    writeFileSync(path, '{"time":"20')
    await add('a', 'b')
    expect(textOf(path)).toBe('{"time":"20\na\nb\n')
  })

  test.skipIf(process.platform === 'win32')('others may not read the file', async () => {
    const { add, path } = log()
    await add('a')
    expect(statSync(path).mode & 0o007).toBe(0)
  })
})

describe('a full file', () => {
  /** Ten octets each. */
  const lines = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => String(from + i).padStart(9, '0'))
  const textOfLines = (from: number, to: number) =>
    lines(from, to)
      .map(line => `${line}\n`)
      .join('')

  test('is renamed, and those before it; only so many are kept', async () => {
    const { add, file, path } = log({ maxSize: 40, keep: 2 })
    await add(...lines(0, 4))
    expect(readdirSync(join(path, '..'))).toEqual(['query.log'])
    await add(...lines(4, 5))
    expect([textOf(path), textOf(`${path}.1`)]).toEqual([textOfLines(4, 5), textOfLines(0, 4)])
    await add(...lines(5, 18))
    expect(readdirSync(join(path, '..'))).toEqual(['query.log', 'query.log.1', 'query.log.2'])
    expect([path, `${path}.1`, `${path}.2`].map(textOf)).toEqual([
      textOfLines(16, 18),
      textOfLines(12, 16),
      textOfLines(8, 12),
    ])
    expect(file.counts).toEqual({ written: 18, dropped: 0 })
  })

  test('none is larger than it may be, and no line is split', async () => {
    const { add, path } = log({ maxSize: 1_000, keep: 100 })
    const sizes = Array.from({ length: 500 }, (_, i) => `${i}`.padEnd(1 + ((i * 37) % 90), '.'))
    await add(...sizes)
    const names = readdirSync(join(path, '..')).toSorted((a, b) => numberOf(b) - numberOf(a))
    const texts = names.map(name => textOf(join(path, '..', name)))
    expect(Math.max(...texts.map(text => text.length))).toBeLessThanOrEqual(1_000)
    // Lines have at most 91 octets: every file but the last has less room than that left.
    expect(Math.min(...texts.slice(0, -1).map(text => text.length))).toBeGreaterThan(909)
    expect(texts.join('')).toBe(sizes.map(line => `${line}\n`).join(''))
  })

  const numberOf = (name: string) => Number(/\d+$/.exec(name)?.[0] ?? 0)

  test('a line longer than a file may be has one to itself', async () => {
    const { add, path } = log({ maxSize: 20, keep: 5 })
    await add('a', 'b'.repeat(50), 'c')
    expect([path, `${path}.1`, `${path}.2`].map(textOf)).toEqual([
      'c\n',
      `${'b'.repeat(50)}\n`,
      'a\n',
    ])
  })

  test('a file that was full before is renamed first', async () => {
    const { add, path } = log({ maxSize: 40 })
    writeFileSync(path, textOfLines(0, 5))
    await add('a')
    expect([textOf(path), textOf(`${path}.1`)]).toEqual(['a\n', textOfLines(0, 5)])
  })

  test('one that cannot be renamed does not grow', async () => {
    const { add, path, file, warnings } = log({ maxSize: 40, keep: 1 })
    mkdirSync(`${path}.1`)
    await add(...lines(0, 4))
    await add(...lines(4, 6))
    expect(textOf(path)).toBe(textOfLines(0, 4))
    expect(file.counts).toEqual({ written: 4, dropped: 2 })
    expect(warnings).toEqual([
      expect.stringMatching(/query\.log: cannot be written: EISDIR.* rename/),
    ])
    rmdirSync(`${path}.1`)
    await add(...lines(6, 7))
    expect([textOf(path), textOf(`${path}.1`)]).toEqual([textOfLines(6, 7), textOfLines(0, 4)])
  })
})

describe('somebody else', () => {
  test('renames the file: the next line is in a new one', async () => {
    const { add, path } = log()
    await add('a')
    renameSync(path, `${path}-20261224`)
    await add('b')
    expect([textOf(`${path}-20261224`), textOf(path)]).toEqual(['a\n', 'b\n'])
  })

  test('renames it and makes a new one, as logrotate does with `create`', async () => {
    const { add, path } = log()
    await add('a')
    renameSync(path, `${path}.1`)
    writeFileSync(path, '')
    await add('b')
    expect([textOf(`${path}.1`), textOf(path)]).toEqual(['a\n', 'b\n'])
  })

  test('copies it and cuts it, as logrotate does with `copytruncate`', async () => {
    const { add, path } = log({ maxSize: 12 })
    await add('aaaa', 'bbbb')
    truncateSync(path)
    await add('cccc', 'dddd')
    expect([textOf(path), existsSync(`${path}.1`)]).toEqual(['cccc\ndddd\n', false])
  })

  test('removes it, and it is there again', async () => {
    const { add, path } = log()
    await add('a')
    unlinkSync(path)
    await add('b')
    expect(textOf(path)).toBe('b\n')
  })

  test('says where it is now: what comes from then on is there', async () => {
    const { add, file, options, path } = log()
    await add('a')
    file.reopen({ ...options, path: `${path}.other` })
    await until(() => existsSync(`${path}.other`)) // before there is a line
    await add('b')
    expect([textOf(path), textOf(`${path}.other`)]).toEqual(['a\n', 'b\n'])
  })
})

/** A disk with no room at all. */
const FULL = '/dev/full'

describe('what cannot be written', () => {
  test('to a folder that is not there: lost, said once, and on it goes when it is', async () => {
    const path = join(folder(), 'later', 'query.log')
    const { add, file, warnings } = log({ path })
    await add('a')
    await add('b', 'c')
    expect(warnings).toEqual([
      expect.stringMatching(
        /query\.log: cannot be written: ENOENT.* · lines are lost until it can$/,
      ),
    ])
    expect(file.counts).toEqual({ written: 0, dropped: 3 })
    mkdirSync(join(path, '..'))
    await add('d')
    expect(textOf(path)).toBe('d\n')
    expect([warnings.length, file.counts]).toEqual([1, { written: 1, dropped: 3 }])
  })

  test.skipIf(process.getuid?.() === 0)('to a folder that may not be written', async () => {
    const made = folder()
    chmodSync(made, 0o500)
    const { add, warnings } = log({ path: join(made, 'query.log') })
    await add('a')
    chmodSync(made, 0o700)
    expect(warnings).toEqual([expect.stringContaining('cannot be written: EACCES')])
  })

  test('is said when it is to be opened, and again after another try', async () => {
    const { file, options, warnings } = log({ path: join(folder(), 'none', 'query.log') })
    file.reopen(options)
    await until(() => warnings.length === 1)
    file.reopen(options)
    await until(() => warnings.length === 2)
    expect(file.counts).toEqual({ written: 0, dropped: 0 })
  })

  test('to a folder by that name', async () => {
    const { add, warnings } = log({ path: folder() })
    await add('a')
    expect(warnings).toEqual([expect.stringContaining('cannot be written: EISDIR')])
  })

  test.skipIf(!existsSync(FULL))('to a full disk: lost, said once', async () => {
    const path = join(folder(), 'query.log')
    symlinkSync(FULL, path)
    const { add, file, warnings } = log({ path })
    await add('a')
    await add('b')
    expect(file.counts).toEqual({ written: 0, dropped: 2 })
    expect(warnings).toEqual([expect.stringContaining('cannot be written: ENOSPC')])
    unlinkSync(path)
    await add('c')
    expect([textOf(path), file.counts.written]).toEqual(['c\n', 1])
  })

  test('because a disk hangs: a bound is kept, lines are lost, and what waited is written', async () => {
    const path = join(folder(), 'query.log')
    execFileSync('mkfifo', [path]) // holds 64 KiB that nobody reads
    const { file, warnings } = log({ path })
    const line = `${'x'.repeat(1023)}\n`
    for (let i = 0; i < 10_000; i += 1) file.add(line)
    expect(file.counts).toEqual({ written: 0, dropped: 10_000 - 4096 })
    expect(warnings).toEqual([
      expect.stringContaining('lines are lost: more come than are written'),
    ])
    expect(file.hasRoom).toBe(false)
    const began = performance.now()
    await file.stop()
    expect(performance.now() - began).toBeLessThan(5_000)
    expect(file.counts.written).toBeLessThan(4096)
    const reader = start('cat', [path])
    await until(() => file.counts.written === 4096, 10_000)
    await file.stop()
    expect(await reader.ended).toBe(0)
    expect(reader.stdout()).toBe(line.repeat(4096))
  })
})
