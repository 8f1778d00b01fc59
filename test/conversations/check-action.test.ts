/**
 * check as CI runs it: the script lines of the composite action in a job like GitHub's, the one-liner
 * for other CIs, and the exit codes that only a process has. `npx` here runs the program that was built.
 */
import { chmodSync, cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import {
  folder, freePort, LBPROBE, type Ran, run, start, startReady, stopAll, until,
} from '../kit/process.ts' // biome-ignore format: list
import { readXml } from '../kit/xml.ts'

const HERE = resolve('.github/actions/lbprobe')

type Step = {
  readonly shell: string
  readonly run: string
  readonly env: Readonly<Record<string, string>>
}
type Input = { readonly default: string }
type Action = {
  readonly inputs: Readonly<Record<string, Input>>
  readonly outputs: Readonly<Record<string, { readonly value: string }>>
  readonly runs: { readonly using: string; readonly steps: readonly Step[] }
}

const ACTION: Action = parse(readFileSync(join(HERE, 'action.yml'), 'utf8'))

let port = 0

beforeAll(async () => {
  port = await freePort()
  const words = [LBPROBE, 'lab', '--listen', `127.0.0.1:${port}`, '--seed', '1']
  await startReady(process.execPath, words, lab => lab.stdout().includes('listening'))
})
afterAll(stopAll)

type Job = Ran & { readonly folder: string; readonly file: (name: string) => string }

/** A scratch job with the checks in it, as the runner sets one up. */
function jobWith(checks: string): string {
  const made = folder({
    'lbprobe.yaml': `version: 1
defaults: {servers: ["127.0.0.1:${port}"]}
checks:
${checks}`,
    'bin/npx': `#!/bin/bash
echo "$*" > npx.log
while [ "$1" != lbprobe ]; do shift; done
shift
exec '${process.execPath}' '${LBPROBE}' "$@"
`,
    'output.txt': '',
    'summary.md': '',
  })
  chmodSync(join(made, 'bin/npx'), 0o755)
  return made
}

/** Runs a script as `shell: bash` does, in the folder of a job. */
async function inJob(
  where: string,
  script: string,
  env: Readonly<Record<string, string>>,
): Promise<Job> {
  writeFileSync(join(where, 'script.sh'), script)
  const variables = Object.entries({
    ...{ GITHUB_ACTIONS: 'true', CI: 'true', RUNNER_TEMP: where },
    ...{ GITHUB_OUTPUT: join(where, 'output.txt') },
    ...{ GITHUB_STEP_SUMMARY: join(where, 'summary.md') },
    ...{ PATH: `${join(where, 'bin')}:${process.env.PATH}` },
    ...env,
  }).map(([name, value]) => `${name}=${value}`)
  const shell = ['bash', '--noprofile', '--norc', '-eo', 'pipefail', 'script.sh']
  const ran = await run('env', ['-C', where, ...variables, ...shell])
  return { ...ran, folder: where, file: name => readFileSync(join(where, name), 'utf8') }
}

/** The steps of the action with these inputs. */
async function action(checks: string, inputs: Readonly<Record<string, string>> = {}): Promise<Job> {
  const [step, ...more] = ACTION.runs.steps
  if (step === undefined || more.length > 0) throw new Error('the action has another shape')
  const given = (text: string): string => {
    const name = /^\$\{\{ inputs\.([a-z]+) \}\}$/.exec(text)?.[1] ?? ''
    return inputs[name] ?? ACTION.inputs[name]?.default ?? expect.fail(text)
  }
  const env = Object.entries(step.env).map(([key, text]) => [key, given(text)])
  return inJob(jobWith(checks), step.run, Object.fromEntries(env))
}

describe('the composite action', () => {
  test('is one that GitHub takes: composite, each script with its shell, nothing spliced in', () => {
    expect(ACTION.runs.using).toBe('composite')
    for (const step of ACTION.runs.steps) {
      expect(step.shell).toBe('bash')
      expect(step.run).not.toContain('${{')
    }
    expect(Object.keys(ACTION.inputs)).toEqual(['file', 'args', 'version'])
  })

  test('all holds: 0, a summary, and where the reports lie', async () => {
    const job = await action('  - {name: single.lab.test, rotation: single}\n')
    expect(job.code, job.stderr).toBe(0)
    expect(job.stdout).not.toContain('::error')
    expect(job.file('summary.md')).toContain('| holds | single.lab.test A | rotation |')
    expect(job.file('npx.log')).toMatch(
      /^--yes --package lbdns@latest lbprobe check lbprobe\.yaml /,
    )
    const output = Object.fromEntries(
      job
        .file('output.txt')
        .trim()
        .split('\n')
        .map(line => line.split('=')),
    )
    expect(output).toEqual({
      'exit-code': '0',
      junit: join(job.folder, 'lbprobe.xml'),
      sarif: join(job.folder, 'lbprobe.sarif'),
    })
    for (const [name, { value }] of Object.entries(ACTION.outputs)) {
      expect(value).toBe(`\${{ steps.check.outputs.${name} }}`)
    }
  })

  test('one fails: 1, an annotation at its line, and reports all the same', async () => {
    const job = await action('  - name: single.lab.test\n    rotation: shuffled-list\n')
    expect(job.code).toBe(1)
    expect(job.stdout).toContain(
      '::error file=lbprobe.yaml,line=5,col=15,title=single.lab.test A%3A rotation::expected shuffled-list · seen single\n',
    )
    expect(job.file('output.txt')).toContain('exit-code=1\n')
    expect(job.file('summary.md')).toContain('| **fails** | single.lab.test A |')
    const tree = readXml(job.file('lbprobe.xml').replace(/^<\?xml.*\?>\n/, ''))
    expect(tree.attributes).toMatchObject({ tests: '1', failures: '1' })
    const [sarif] = JSON.parse(job.file('lbprobe.sarif')).runs
    expect(sarif.results[0].locations[0].physicalLocation.region.startLine).toBe(5)
  })

  test('a file that is wrong: 2, annotated where it is', async () => {
    const job = await action('  - {name: single.lab.test, rotation: spinning}\n')
    expect(job.code).toBe(2)
    expect(job.stdout).toContain('::error file=lbprobe.yaml,line=4,col=')
  })

  test('args and files are words, and never run', async () => {
    const inputs = { file: 'lbprobe.yaml\n$(touch hacked)', args: '--lenient ; touch hacked' }
    const job = await action('  - {name: single.lab.test, rotation: single}\n', inputs)
    expect(job.code).toBe(2)
    expect(job.stderr).toContain('touch')
    expect(existsSync(join(job.folder, 'hacked'))).toBe(false)
  })

  test('args come through', async () => {
    const cached = '  - {name: cached.lab.test, rotation: single}\n'
    expect((await action(cached)).code).toBe(3)
    expect((await action(cached, { args: '--lenient' })).code).toBe(0)
    expect((await action(cached, { args: '  --strict\n' })).code).toBe(1)
  })
})

test('the one-liner for other CIs, as its README has it', async () => {
  const readme = readFileSync(join(HERE, 'README.md'), 'utf8')
  const [, line = ''] = /```sh\n(.*)\n```/.exec(readme) ?? []
  const job = await inJob(jobWith('  - {name: single.lab.test, rotation: single}\n'), line, {})
  expect(job.code, job.stderr).toBe(0)
  expect(job.file('lbprobe.xml')).toContain('tests="1" failures="0"')
})

describe('exit codes that only a process has', () => {
  test('10 our own fault: the data it comes with is not there', async () => {
    const made = folder({
      'lbprobe.yaml': 'version: 1\nchecks: [{name: a.example, rotation: single}]\n',
    })
    cpSync(dirname(dirname(LBPROBE)), join(made, 'dist'), { recursive: true })
    cpSync('package.json', join(made, 'package.json'))
    const words = [join(made, 'dist/probe/main.js'), 'check', join(made, 'lbprobe.yaml')]
    const { code, stderr } = await run(process.execPath, words)
    expect(code).toBe(10)
    expect(stderr).toContain('internal error')
  })

  test('130 Ctrl-C: the summary is still told', async () => {
    const where = jobWith(
      '  - {name: single.lab.test, rotation: single}\n  - {name: silence.lab.test, ecs: {verdict: geo}}\n',
    )
    const words = [LBPROBE, 'check', '--verbose', '--timeout', '30', join(where, 'lbprobe.yaml')]
    const check = start(process.execPath, words)
    await until('the silent name is asked', () => check.stderr().includes('silence.lab.test'))
    check.signal('SIGINT')
    expect(await check.ended).toBe(130)
    expect(check.stdout()).toContain('1 assertion: 1 holds')
    expect(check.stderr()).toContain('interrupted')
  })
})
