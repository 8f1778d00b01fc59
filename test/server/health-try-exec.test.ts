import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { type Outcome, tryOnce } from '../../server/health/try.ts'
import { AMPLE_MS, SHORT_MS } from '../kit/health.ts'
import { until } from '../kit/transport.ts'

const folder = mkdtempSync(join(tmpdir(), 'lbdns-exec-'))
afterAll(() => rmSync(folder, { recursive: true }))

type Env = readonly (readonly [string, string])[]

function run(command: readonly string[], ms = AMPLE_MS, env: Env = []): Promise<Outcome> {
  return tryOnce({ kind: 'exec', command, env }, '192.0.2.1', ms)
}

function script(text: string, ms?: number, env?: Env): Promise<Outcome> {
  return run(['/bin/sh', '-c', text], ms, env)
}

/** Whether a process runs: one that is dead and waits to be buried does not. */
function runs(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

/** The process that a script has written down. */
async function pidIn(file: string): Promise<number> {
  await until(() => existsSync(file) && readFileSync(file, 'utf8').endsWith('\n'))
  return Number(readFileSync(file, 'utf8'))
}

describe('judges a program', () => {
  // biome-ignore format: table
  const TABLE: readonly (readonly [string, string, string, string, number | undefined])[] = [
    ['exit 0', 'exit 0', 'passed', 'exit code 0', undefined],
    ['any other exit code', 'exit 3', 'failed', 'exit code 3', undefined],
    ['a signal', 'kill -SEGV $$', 'failed', 'ended by SIGSEGV', undefined],
    ['a number is the load', 'echo 0.25', 'passed', 'exit code 0', 0.25],
    ['the last line that is a bare number counts', 'echo 1; echo " 2 "; echo "load 3"; echo', 'passed', 'exit code 0', 2],
    ['a number below 0 is none', 'echo -1', 'passed', 'exit code 0', undefined],
    ['a number without an end of line', 'printf 7', 'passed', 'exit code 0', 7],
    ['what is said on standard error is not looked at', 'echo 7 >&2', 'passed', 'exit code 0', undefined],
    ['who fails tells nothing of its load', 'echo 7; exit 1', 'failed', 'exit code 1', undefined],
    ['standard input is empty', 'cat; exit 0', 'passed', 'exit code 0', undefined],
    ['64 KiB of output', 'head -c 65536 /dev/zero', 'passed', 'exit code 0', undefined],
    ['an octet more', 'head -c 65537 /dev/zero', 'failed', 'more than 64 KiB of output', undefined],
    ['output without end', 'yes', 'failed', 'more than 64 KiB of output', undefined],
    ['the environment: PATH, LBDNS_ADDRESS and what is given', 'test "$(env | cut -d= -f1 | grep -vx -e _ -e PWD -e SHLVL -e OLDPWD | sort | tr "\\n" " ")$LBDNS_ADDRESS$WHO" = "LBDNS_ADDRESS PATH WHO 192.0.2.1me"', 'passed', 'exit code 0', undefined],
  ]
  test.each(TABLE)('%s', async (_, text, verdict, why, load) => {
    const outcome = await script(text, AMPLE_MS, [['WHO', 'me']])
    expect(outcome).toMatchObject({ passed: verdict === 'passed', why, load })
  })

  test('{address} in every argument, and no shell that reads them', async () => {
    const test = 'test "$0 $1 $#" = "192.0.2.1 <192.0.2.1 192.0.2.1> 2"'
    const command = ['/bin/sh', '-c', test, '{address}', '<{address} {address}>', '$(exit 1); "']
    expect((await run(command)).why).toBe('exit code 0')
  })

  test.each([
    ['that is not there', ['/nowhere/at/all'], 'no such file'],
    ['that is a folder', [folder], 'not permitted'],
    ['of no name', [''], /./],
    ['of no command', [], /./],
    ['with an argument that cannot be', ['/bin/true', 'a\0b'], /./],
  ])('a program %s', async (_, command, why) => {
    const outcome = await run(command)
    expect(outcome.passed).toBe(false)
    expect(outcome.why).toMatch(why)
  })
})

describe('leaves nothing behind', () => {
  test('of a program that goes on: its whole group is killed', async () => {
    const file = join(folder, 'late')
    const outcome = await script(`sleep 60 & echo $! > ${file}; wait`, 1500)
    expect(outcome).toMatchObject({ passed: false, why: 'no end of the program within 1.5 s' })
    const pid = await pidIn(file)
    await until(() => !runs(pid))
  })

  test('of a program that does not want to end', async () => {
    const outcome = await script('trap "" TERM INT HUP; while :; do sleep 1; done', SHORT_MS)
    expect(outcome.why).toBe(`no end of the program within ${SHORT_MS} ms`)
  })

  test('of what a program started before it passed', async () => {
    const file = join(folder, 'passed')
    const outcome = await script(`sleep 60 & echo $! > ${file}; echo 5`)
    expect(outcome).toMatchObject({ passed: true, load: 5 })
    const pid = await pidIn(file)
    await until(() => !runs(pid))
  })
})

describe('16 programs at once', () => {
  test('another waits, on its own time', async () => {
    const busy = Array.from({ length: 16 }, () => script('sleep 60', 1500))
    const outcome = await script('exit 0', SHORT_MS)
    const patient = script('exit 0')
    expect(outcome.why).toBe(`no turn among 16 programs within ${SHORT_MS} ms`)
    for (const { why } of await Promise.all(busy)) {
      expect(why).toBe('no end of the program within 1.5 s')
    }
    expect((await patient).why).toBe('exit code 0')
  })

  test('those that cannot be started give their turn back', async () => {
    await Promise.all(Array.from({ length: 40 }, () => run(['/nowhere/at/all'])))
    await Promise.all(Array.from({ length: 40 }, () => run(['/bin/true', 'a\0b'])))
    const outcomes = await Promise.all(Array.from({ length: 40 }, () => script('exit 0')))
    expect(new Set(outcomes.map(({ why }) => why))).toEqual(new Set(['exit code 0']))
  })
})
