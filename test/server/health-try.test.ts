import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { tryOnce } from '../../server/health/try.ts'
import { authority } from '../../server/health/try-authority.ts'
import { fits } from '../../server/health/try-pattern.ts'
import { numberAt, numberIn } from '../../server/health/try-telling.ts'
import type { Trial } from '../../server/steer/trial.ts'
import {
  AMPLE_MS,
  closeAll,
  closing,
  expectOutcome,
  httpTrial,
  listening,
  nobody,
  SHORT_MS,
} from '../kit/health.ts'

const folder = mkdtempSync(join(tmpdir(), 'lbdns-try-'))
afterAll(() => rmSync(folder, { recursive: true }))
afterEach(closeAll)

describe('a file', () => {
  // biome-ignore format: table
  const TABLE: readonly (readonly [string, string, string, string, number | undefined])[] = [
    ['UP', 'UP', 'passed', 'UP', undefined],
    ['in any case, blanks around it', ' up \n\n', 'passed', 'UP', undefined],
    ['DOWN', 'Down\n', 'failed', 'DOWN', undefined],
    ['a number is a load, and up', '12.5\n', 'passed', 'load 12.5', 12.5],
    ['a load of 0 is up', '0', 'passed', 'load 0', 0],
    ['a number below 0', '-1', 'failed', 'the file says neither UP nor DOWN nor a number', undefined],
    ['nothing', '', 'failed', 'the file says neither UP nor DOWN nor a number', undefined],
    ['anything else', 'UP 3', 'failed', 'the file says neither UP nor DOWN nor a number', undefined],
    ['what stands behind 4 KiB is not read', `UP${' '.repeat(4096)}x`, 'passed', 'UP', undefined],
  ]
  test.each(TABLE)('%s', async (_, text, verdict, why, load) => {
    writeFileSync(join(folder, '192.0.2.1.state'), text)
    const path = join(folder, '{address}.state')
    const outcome = await tryOnce({ kind: 'file', path }, '192.0.2.1', AMPLE_MS)
    expect(outcome).toMatchObject({ passed: verdict === 'passed', why, load })
  })

  test.each([
    ['that is not there', 'nowhere', 'no such file'],
    ['that is a folder', 'folder', 'a folder, not a file'],
    ['that is a pipe nobody writes to', 'pipe', 'the file says neither UP nor DOWN nor a number'],
    ['without end', '/dev/zero', 'the file says neither UP nor DOWN nor a number'],
  ])('%s', async (_, name, why) => {
    if (name === 'folder') mkdirSync(join(folder, name))
    if (name === 'pipe') execFileSync('mkfifo', [join(folder, name)])
    const path = name.startsWith('/') ? name : join(folder, name)
    const outcome = await tryOnce({ kind: 'file', path }, '192.0.2.1', AMPLE_MS)
    expect(outcome).toMatchObject({ passed: false, why })
  })
})

describe('a connection', () => {
  test('is made, and is over', async () => {
    const target = await listening(createServer(socket => socket.resume()))
    closing(target.close)
    const trial = { kind: 'tcp', port: target.port } as const
    await expectOutcome(trial, target, { passed: true, why: 'connected' })
  })

  test('to a host name that the system resolves', async () => {
    const target = await listening(createServer(socket => socket.resume()))
    closing(target.close)
    const outcome = await tryOnce({ kind: 'tcp', port: target.port }, 'localhost', AMPLE_MS)
    expect(outcome.why).toBe('connected')
  })

  test('RFC 9293 §3.5.2 is refused', async () => {
    const outcome = await tryOnce({ kind: 'tcp', port: await nobody() }, '127.0.0.1', AMPLE_MS)
    expect(outcome).toMatchObject({ passed: false, why: 'connection refused' })
  })

  test.each([
    ['a port that cannot be', 70_000, '127.0.0.1'],
    ['RFC 6761 §6.4 a name that is never there', 1, 'nowhere.invalid'],
    ['a name that cannot be', 1, 'a b'],
  ])('%s', async (_, port, place) => {
    const outcome = await tryOnce({ kind: 'tcp', port }, place, AMPLE_MS)
    expect(outcome.passed).toBe(false)
    expect(outcome.why).toMatch(/^[^.\n]+(\.[^.\n]+)*$/)
  })
})

test('any octets make an outcome, whoever reads them', async () => {
  let octets = new Uint8Array(0)
  const target = await listening(createServer(socket => socket.resume().end(octets)))
  closing(target.close)
  const { port } = target
  const tls = { name: undefined, verify: 'off', ca: undefined, days: 0 } as const
  const body = { kind: 'matches', source: '^$' } as const
  const http = httpTrial(port, { status: [[0, 999]], body })
  const trials: readonly Trial[] = [
    http,
    { kind: 'tls', port, tls },
    { kind: 'grpc', port, service: '', tls: undefined },
    { kind: 'dns', port, transport: 'tcp', name: new Uint8Array(1), type: 2, rcodes: [0] },
  ]
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 60 }),
    fc
      .constantFrom('HTTP/1.1 200 OK\r\n', '\r\n', 'a: b\r\n', '\u0016\u0003\u0001')
      .map(text => Buffer.from(text)),
    fc
      .constantFrom('000000040000000000', '000001010400000001' + '88')
      .map(text => Buffer.from(text, 'hex')),
  )
  const pieces = fc.array(piece, { maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(pieces, async made => {
      octets = Uint8Array.from(made.flatMap(one => [...one]))
      for (const trial of trials) {
        const { why } = await tryOnce(trial, '127.0.0.1', AMPLE_MS)
        expect(why).not.toBe('')
      }
    }),
    { numRuns: 25 },
  )
})

test('time is over when it is over', async () => {
  const target = await listening(createServer(socket => socket.resume()))
  closing(target.close)
  const trial = { kind: 'grpc', port: target.port, service: '', tls: undefined } as const
  const { ms, why } = await tryOnce(trial, '127.0.0.1', SHORT_MS)
  expect(why).toBe(`no answer within ${SHORT_MS} ms`)
  expect(ms).toBeGreaterThan(SHORT_MS - 5)
  expect(ms).toBeLessThan(SHORT_MS + 3000)
})

describe('numbers', () => {
  // biome-ignore format: table
  const TABLE: readonly (readonly [string, number | undefined])[] = [
    ['0', 0], ['17', 17], [' 0.5\r\n', 0.5], ['.5', 0.5], ['5.', 5], ['1e3', 1000],
    ['', undefined], ['-1', undefined], ['1,5', undefined], ['0x10', undefined], ['1e999', undefined],
    ['Infinity', undefined], ['NaN', undefined], ['1 2', undefined], ['12%', undefined],
  ]
  test.each(TABLE)('%j', (text, number) => {
    expect(numberIn(text)).toBe(number)
  })

  // biome-ignore format: table
  const PATHS: readonly (readonly [string, readonly string[], string, number | undefined])[] = [
    ['the body itself', [], '7', 7],
    ['a key', ['a'], '{"a":7}', 7],
    ['a number in quotes', ['a'], '{"a":"7"}', 7],
    ['an index', ['a', '1'], '{"a":[6,7]}', 7],
    ['past the end', ['2'], '[6,7]', undefined],
    ['into a number', ['a', 'b'], '{"a":7}', undefined],
    ['into nothing', ['a', 'b'], '{"a":null}', undefined],
    ['what an object inherits is no key', ['__proto__', 'length'], '{}', undefined],
    ['below 0', ['a'], '{"a":-1}', undefined],
    ['no number', ['a'], '{"a":true}', undefined],
    ['no JSON', ['a'], '{"a":7', undefined],
    ['brackets without end', ['a'], '['.repeat(65_536), undefined],
  ]
  test.each(PATHS)('JSON: %s', (_, path, body, number) => {
    expect(numberAt({ kind: 'json', path }, { fields: {}, body })).toBe(number)
  })
})

describe('patterns', () => {
  test('take time to a limit', () => {
    const pattern = { kind: 'matches', source: '(a|a)+$' } as const
    expect(fits(pattern, `${'a'.repeat(40)}!`)).toBeUndefined()
    expect(fits(pattern, 'aaa')).toBe(true)
  })

  test('are no program, whatever stands in them', () => {
    const text = '"); process.exit(9); ("\u2028\\'
    expect(fits({ kind: 'matches', source: '[");/(\\\\]$' }, text)).toBe(true)
    expect(fits({ kind: 'matches', source: '(' }, text)).toBe(false)
  })
})

// biome-ignore format: table
test.each([
  ['192.0.2.1', 80, 80, '192.0.2.1'],
  ['192.0.2.1', 8080, 80, '192.0.2.1:8080'],
  ['2001:db8::1', 443, 443, '[2001:db8::1]'],
  ['2001:db8::1', 80, 443, '[2001:db8::1]:80'],
  ['fe80::1%eth0', 80, 80, '[fe80::1]'],
  ['www.example.org', 8080, 80, 'www.example.org:8080'],
] as const)('RFC 9110 §7.2 %s at %i', (place, port, usual, text) => {
  expect(authority(place, port, usual)).toBe(text)
})
