/**
 * The container of `data/container`, as far as that can be tried without one: what it copies, the
 * commands of its build in an empty folder, and what it runs, as a user who may do nothing.
 */
import { chmodSync, cpSync, existsSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import about from '../../package.json' with { type: 'json' }
import { understood } from '../kit/command-line.ts'
import { withoutBatches } from '../kit/engine.ts'
import { folder, freePort, LBDNS, run, startReady, stopAll } from '../kit/process.ts'
import { config, logOf, whole } from '../kit/reload.ts'
import { askUdp, dataOf, site } from '../kit/server.ts'
import { fenced } from '../kit/units.ts'
import { IS_ROOT } from '../kit/user.ts'

afterAll(stopAll)

const ROOT = join(import.meta.dirname, '../..')
const PLACE = join(ROOT, 'data/container')
const README = readFileSync(join(PLACE, 'README.md'), 'utf8')
const LINES = readFileSync(join(PLACE, 'Containerfile'), 'utf8')
  .replace(/\\\n\s*/g, '')
  .split('\n')
  .filter(line => line !== '' && !line.startsWith('#'))

/** All that an instruction says, in order. */
function all(instruction: string): string[] {
  const start = `${instruction} `
  return LINES.flatMap(line => (line.startsWith(start) ? line.slice(start.length) : []))
}

/** The words of an instruction that is written as a list. */
function words(instruction: string): string[] {
  const [list = '[]'] = all(instruction).map(text => text.slice(text.indexOf('[')))
  return JSON.parse(list)
}

/** Files and folders that come from the repository. */
const COPIED = all('COPY')
  .filter(text => !text.startsWith('--from'))
  .flatMap(text => text.split(' ').slice(0, -1))

describe('what it is made of', () => {
  test.each(COPIED)('%s is there', path => {
    expect(existsSync(join(ROOT, path))).toBe(true)
  })

  test('both stages are of one base, in a version that is named and that we run on', () => {
    const bases = all('FROM').map(text => text.replace(/ AS .*/, ''))
    expect(new Set(bases).size).toBe(1)
    const [, major, minor] = /node:(\d+)\.(\d+)\.\d+-bookworm-slim$/.exec(bases[0] ?? '') ?? []
    expect(about.engines.node).toBe('>=20.19')
    expect(Number(major)).toBe(20)
    expect(Number(minor)).toBeGreaterThanOrEqual(19)
  })

  test('whoever serves is not root, by number, and owns what it writes to', () => {
    const [user = ''] = all('USER')
    expect(user).toMatch(/^[1-9]\d*:[1-9]\d*$/)
    const [uid, gid] = user.split(':')
    const made = all('RUN').find(text => text.includes('install -d'))
    expect(made).toContain(`install -d -o ${uid} -g ${gid} /var/lib/lbdns /run/lbdns`)
    expect(all('VOLUME')).toEqual(['/var/lib/lbdns'])
    expect(README).toContain(`is ${uid} and may listen on port 53`)
  })

  test('it is told to leave as it wishes to be', () => {
    expect(all('STOPSIGNAL')).toEqual(['SIGTERM'])
    expect(all('EXPOSE')).toEqual(['53/udp 53/tcp'])
  })
})

describe('what it runs', () => {
  test('is what our own command line understands', async () => {
    const [node, script, ...none] = words('ENTRYPOINT')
    expect([node, script, none]).toEqual(['node', `/lbdns/${about.bin.lbdns}`, []])
    expect(await understood(words('CMD'))).toEqual({
      command: 'run',
      given: { file: '/etc/lbdns/lbdns.yaml', absent: 'refuse' },
    })
    const [where] = all('WORKDIR').slice(-1)
    expect(dirname(words('CMD').at(-1) ?? '')).toBe(where) // so that `check` alone finds it
  })

  test('takes the example', async () => {
    const [example = ''] = fenced(README, 'yaml')
    const zone = whole('')['example.com.zone'] ?? ''
    const where = folder({ 'lbdns.yaml': example, 'example.com.zone': String(zone) })
    const file = join(where, 'lbdns.yaml')
    const { code, stderr } = await run(process.execPath, [LBDNS, 'check', '-c', file])
    expect([code, stderr]).toEqual([0, ''])
  })
})

/** Without its libraries, which would have to be fetched. */
const BUILD = all('RUN')[1]?.split(' && ')[0] ?? ''
const RUNTIME = [...Object.keys(about.dependencies), 'koffi', '@koromix']

describe('as it would be', () => {
  const made = folder()
  const image = folder()

  beforeAll(async () => {
    expect([all('RUN')[0], BUILD]).toEqual(['npm ci --ignore-scripts', 'npm run build'])
    for (const path of COPIED) cpSync(join(ROOT, path), join(made, path), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules'), join(made, 'node_modules'))
    const { code, stderr } = await run('npm', ['run', 'build', '--prefix', made])
    if (code !== 0) throw new Error(stderr)
    for (const text of all('COPY').filter(text => text.startsWith('--from=build'))) {
      const [, from = '', to = ''] = text.split(' ')
      expect(from).toBe(to)
      const path = from.replace(/^\/lbdns\//, '')
      if (path !== 'node_modules') cpSync(join(made, path), join(image, path), { recursive: true })
    }
    for (const name of RUNTIME.filter(name => existsSync(join(ROOT, 'node_modules', name)))) {
      cpSync(join(ROOT, 'node_modules', name), join(image, 'node_modules', name), {
        recursive: true,
      })
    }
    chmodSync(image, 0o755)
  }, 120_000)

  test('it serves, is healthy, and leaves: without a capability, and with nowhere to write', async () => {
    const port = await freePort()
    const where = site(whole(config(`[127.0.0.1:${port}]`)))
    chmodSync(where, 0o755)
    const [, script = ''] = words('ENTRYPOINT')
    const main = join(image, script.replace(/^\/lbdns\//, ''))
    const [user = ''] = all('USER')
    const [uid, gid] = user.split(':')
    const poor = ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups']
    const none = ['--bounding-set=-all', '--no-new-privs']
    const line = [process.execPath, main, 'run', '-c', join(where, 'lbdns.yaml')]
    const [program = '', ...args] = IS_ROOT ? [...poor, ...none, ...line] : line
    const server = await startReady(program, args, ({ stdout }) => stdout().includes('listening'))
    expect(dataOf(await askUdp(port, 'www.example.com', { subnet: '198.51.100.0/24' }))).toEqual([
      '192.0.2.1',
    ])
    const said = logOf(server).map(({ msg }) => msg)
    const noSocket = expect.stringMatching(/lbdns\.sock: cannot be made: EACCES/)
    if (withoutBatches === undefined) expect(said).toEqual(IS_ROOT ? [noSocket] : [])
    const [, ask = ''] = words('HEALTHCHECK')
    const alive = [join(image, ask.replace(/^\/lbdns\//, '')), `127.0.0.1:${port}`]
    expect(await run(process.execPath, alive)).toEqual({ code: 0, stdout: '', stderr: '' })
    server.signal('SIGTERM')
    expect(await server.ended).toBe(0)
    expect(logOf(server).at(-1)).toMatchObject({ msg: 'left' })
    expect(await run(process.execPath, alive)).toEqual({ code: 1, stdout: '', stderr: '' })
  }, 60_000)
})
