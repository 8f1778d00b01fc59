/** The units of `data/systemd`, and what their README says of them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { understood } from '../kit/command-line.ts'
import { describeWith, folder, LBDNS, run, stopAll } from '../kit/process.ts'
import { fenced, unitLines } from '../kit/units.ts'

afterAll(stopAll)

const PLACE = join(import.meta.dirname, '../../data/systemd')
const README = readFileSync(join(PLACE, 'README.md'), 'utf8')
const SERVICE = readFileSync(join(PLACE, 'lbdns.service'), 'utf8')
const SOCKET = readFileSync(join(PLACE, 'lbdns.socket'), 'utf8')
const SERVICE_LINES = unitLines(SERVICE)

/** All that a key is set to in the service, in order. */
function valuesOf(key: string): string[] {
  return SERVICE_LINES.flatMap(line => (line.key === key ? line.value : []))
}

/** Without what is installed elsewhere: `lbdns` is what was built here. */
function here(service: string): string {
  return service.replaceAll('=lbdns ', `=${process.execPath} ${LBDNS} `)
}

describe('the files', () => {
  test('are those that the README has, and no others', () => {
    const named = [...README.matchAll(/^\| `(lbdns\.\w+)` +\|/gm)].map(([, name]) => name)
    expect(['README.md', ...named].sort()).toEqual(readdirSync(PLACE).sort())
  })

  test('name tests that exist', () => {
    const named = [...README.matchAll(/`(test\/\S+\.ts)`/g)].map(([, name = '']) => name)
    expect(named.length).toBeGreaterThan(0)
    for (const name of named) expect(existsSync(join(PLACE, '../..', name))).toBe(true)
  })

  test('have no line that the README does not explain', () => {
    const keys = [...SERVICE_LINES, ...unitLines(SOCKET)].map(({ key }) => key)
    const wanting = ['Description', 'Wants', 'After', 'WantedBy', 'Also', 'KillSignal', 'ExecStart']
    const open = keys.filter(key => !wanting.includes(key) && !isExplained(key))
    expect(open).toEqual([])
  })
})

/** By its name, or by the beginning of it before an ellipsis. */
function isExplained(key: string): boolean {
  const named = [...README.matchAll(/`([A-Z]\w+)(?:(…)=?|=)/g)]
  return named.some(([, name = '', more]) => (more ? key.startsWith(name) : key === name))
}

describe('what the service runs', () => {
  test('is what our own command line understands', async () => {
    const file = '/etc/lbdns/lbdns.yaml'
    const [start = ''] = valuesOf('ExecStart')
    const [before = '', then] = valuesOf('ExecReload')
    const words = (line: string) => line.split(' ').slice(1)
    expect(start.split(' ')[0]).toBe('lbdns')
    expect(await understood(words(start))).toEqual({
      command: 'run',
      given: { file, absent: 'refuse' },
    })
    expect(await understood(words(before))).toEqual({
      command: 'check',
      given: { file, strict: false },
    })
    expect(then).toBe('/bin/kill -HUP $MAINPID')
  })

  test('has the folders that the example writes to', () => {
    const [example = ''] = fenced(README, 'yaml')
    const [, control] = /^control: (\S+)$/m.exec(example) ?? []
    const [, state] = /file: ([^\s}]+)/.exec(example) ?? []
    expect(control).toBe(`/run/${valuesOf('RuntimeDirectory')}/lbdns.sock`)
    expect(state).toBe(`/var/lib/${valuesOf('StateDirectory')}/lbdns.state`)
    expect(example).toContain(`# /etc/${valuesOf('ConfigurationDirectory')}/lbdns.yaml\n`)
  })

  test('takes the example', async () => {
    const [example = ''] = fenced(README, 'yaml')
    const zone =
      '$ORIGIN example.com.\n$TTL 60\n@ SOA ns1 host 7 7200 900 1209600 60\n@ NS ns1\nns1 A 192.0.2.1\n'
    const where = folder({ 'lbdns.yaml': example, 'example.com.zone': zone })
    const file = join(where, 'lbdns.yaml')
    const { code, stdout, stderr } = await run(process.execPath, [LBDNS, 'check', '-c', file])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain('lbdns.yaml is good')
  })

  test('is never one that V8 could not run in', () => {
    expect(valuesOf('MemoryDenyWriteExecute')).toEqual([])
    expect(README).toContain('Not there: `MemoryDenyWriteExecute=yes`')
  })
})

describeWith(['systemd-analyze'], 'systemd', () => {
  /** What it complains of, but for system calls that another version knows. */
  async function complaints(files: Readonly<Record<string, string>>): Promise<string[]> {
    const where = folder({ 'lbdns.service': here(SERVICE), 'lbdns.socket': SOCKET, ...files })
    const units = ['lbdns.service', 'lbdns.socket'].map(name => join(where, name))
    const { code, stderr } = await run('systemd-analyze', ['verify', '--man=no', ...units])
    const told = stderr.split('\n').filter(line => line.includes('lbdns'))
    return [...told.filter(line => !line.includes('Failed to parse system call')), `${code}`]
  }

  test('has no complaint', async () => {
    expect(await complaints({})).toEqual(['0'])
  })

  test('would have one', async () => {
    const told = await complaints({ 'lbdns.socket': `${SOCKET}[Socket]\nListenDatgram=53\n` })
    expect(told[0]).toMatch(/lbdns\.socket:\d+: Unknown key.*'ListenDatgram'/)
  })

  const DROP_INS = fenced(README, 'ini')
  test.each(DROP_INS.map((text, at) => [at, text]))('nor of drop-in %i', async (_, text) => {
    const unit = `${text}`.startsWith('[Socket]') ? 'lbdns.socket' : 'lbdns.service'
    expect(await complaints({ [`${unit}.d/override.conf`]: `${text}` })).toEqual(['0'])
  })

  test('says how exposed it is what the README says', async () => {
    const where = folder({ 'lbdns.service': here(SERVICE) })
    const args = ['security', '--offline=true', join(where, 'lbdns.service')]
    const { stdout } = await run('systemd-analyze', args)
    const [, exposure] = /exposure level for lbdns.service: (\S+)/.exec(stdout) ?? []
    const [, told] = /`systemd-analyze security` says ([\d.]+)/.exec(README) ?? []
    // Other versions weigh in another way.
    expect(Math.abs(Number(exposure) - Number(told))).toBeLessThanOrEqual(0.5)
  })
})
