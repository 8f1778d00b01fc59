/** The probe as a library: the examples run against the lab, and a stranger's TypeScript knows its types. */
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { folder, LBDNS, LBPROBE, run, start, stopAll, until } from '../kit/process.ts'

const ROOT = join(LBDNS, '../../..')

let server: string
beforeAll(async () => {
  const lab = start(process.execPath, [LBPROBE, 'lab', '--listen', '127.0.0.1:0', '--seed', '1'])
  await until('the lab listens', () => lab.stdout().includes('listening on'))
  server = /listening on @(\S+?),? /.exec(lab.stdout())?.[1] ?? ''
})
afterAll(stopAll)

const example = (file: string, ...words: readonly string[]) =>
  run(process.execPath, [join(ROOT, 'data/examples', file), ...words])

test('geo.mjs', async () => {
  const { stdout, stderr, code } = await example('geo.mjs', 'geo.lab.test', server)
  expect(stderr).toBe('')
  expect(code).toBe(0)
  const [first, ...groups] = stdout.trim().split('\n')
  expect(first).toBe('geo.lab.test: real (geo)')
  expect(groups.map(line => line.slice(0, 2)).sort()).toEqual(['BR', 'DE', 'JP', 'US'])
})

test('rotation.mjs', async () => {
  const names = ['rotating-cyclic.lab.test', 'fixed-list.lab.test', 'shuffled-list.lab.test']
  const { stdout } = await example('rotation.mjs', server, ...names)
  expect(stdout.trim().split('\n')).toEqual([
    'rotating-cyclic.lab.test rotating-one cyclic',
    'fixed-list.lab.test fixed-list',
    'shuffled-list.lab.test shuffled-list',
  ])
})

test('what cannot be asked is said', async () => {
  const { code, stderr } = await example('geo.mjs', 'not a name', server)
  expect(code).toBe(1)
  expect(stderr).toContain('RangeError: "not a name" is not a domain name')
})

test('its types are those of a stranger’s compiler, which finds a mistake', async () => {
  const source = `import { probe, verdict, type Judgement } from 'lbdns/probe'
const one: Judgement = verdict(await probe('www.example.com', { kind: 'dns2', count: 20 }))
const answer: 'real' | 'fake' | 'none' | 'unclear' = one.verdict.answer
const scopes: readonly number[] = one.scopes.flatMap(({ scopes }) => scopes)
export { answer, scopes }
`
  const where = folder({ 'good.mts': source, 'bad.mts': source.replace('20', "'20'") })
  mkdirSync(join(where, 'node_modules'))
  symlinkSync(ROOT, join(where, 'node_modules/lbdns'))
  const strict = [
    '--ignoreConfig',
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2023',
  ]
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  const check = (file: string) => run(process.execPath, [tsc, ...strict, join(where, file)])
  expect((await check('good.mts')).stdout).toBe('')
  expect((await check('bad.mts')).stdout).toContain(
    "Type 'string' is not assignable to type 'number'",
  )
}, 60_000)
