/**
 * The package as it would be published: what lies in it, and that it works in an empty folder with
 * nothing but what it depends on.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import about from '../../package.json' with { type: 'json' }
import { folder, LBDNS, type Ran, run, stopAll } from '../kit/process.ts'
import { askUdp, dataOf, serveDemo } from '../kit/server.ts'

/** The folder whose `dist` is tested. */
const ROOT = join(LBDNS, '../../..')

/** An install fetches a dozen packages where the cache is empty. */
const INSTALL_MS = 120_000

/** A library in an import declaration: neither a file, nor a part of Node, nor a type alone. */
const IMPORT = /^(?:import (?!type )[^'\n]*|\} )from '((?:@[a-z-]+\/)?[a-z0-9-]+)(?:\/[^']*)?'$/gm

const here = folder()
const MODULES = join(here, 'node_modules')
const BIN = join(MODULES, '.bin')

let packed: { readonly filename: string; readonly files: readonly { readonly path: string }[] }
let installed: Ran
beforeAll(async () => {
  // Without scripts: `prepare` would build into a folder that other tests are running from.
  const pack = ['pack', ROOT, '--json', '--ignore-scripts', '--pack-destination', here]
  const { stdout, stderr, code } = await run('npm', pack)
  if (code !== 0) throw new Error(stderr)
  packed = JSON.parse(stdout)[0]
  const quiet = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund']
  installed = await run('npm', ['install', '--prefix', here, ...quiet, join(here, packed.filename)])
}, INSTALL_MS)
afterAll(stopAll)

describe('the tarball', () => {
  test('holds the two programs, their data and the papers, and nothing else', () => {
    const paths = packed.files.map(({ path }) => path)
    const allowed =
      /^(dist\/((server|probe)\/.*\.js|types\/probe\/.*\.d\.ts|lbprobe\.1|LICENSES\.txt)|data\/.*|package\.json|README\.md|LICENSE|NOTICE|CHANGELOG\.md)$/
    expect(paths.filter(path => !allowed.test(path))).toEqual([])
    expect(paths).toEqual(
      expect.arrayContaining([
        ...['package.json', 'README.md', 'LICENSE', 'NOTICE', 'CHANGELOG.md'],
        ...[
          'dist/LICENSES.txt',
          'dist/server/main.js',
          'dist/probe/main.js',
          'data/geo/countries.csv',
        ],
        ...['data/demo/lbdns.yaml', 'data/demo/example.com.zone', 'data/demo/README.md'],
      ]),
    )
  })

  test('every library that the programs import is installed, or built in with its licence', () => {
    const installed = Object.keys({ ...about.dependencies, ...about.optionalDependencies })
    const sources = ['server', 'probe'].flatMap(room =>
      readdirSync(join(ROOT, room), { recursive: true, encoding: 'utf8' })
        .filter(file => file.endsWith('.ts'))
        .map(file => readFileSync(join(ROOT, room, file), 'utf8')),
    )
    const named = sources.flatMap(text => [...text.matchAll(IMPORT)].map(([, name = '']) => name))
    const built = [...new Set(named)].filter(name => !installed.includes(name))
    expect(built).toContain('yaml')
    const licences = readFileSync(join(ROOT, 'dist/LICENSES.txt'), 'utf8')
    for (const name of built) {
      expect(licences).toMatch(
        new RegExp(`^${name} \\d+\\.\\d+\\.\\d+\\n\\n[^]{0,400}Copyright`, 'im'),
      )
    }
  })

  test('every folder of data says where it is from', () => {
    const paths = packed.files.map(({ path }) => path)
    const folders = new Set(
      paths.filter(path => /^data\/[^/]+\//.test(path)).map(path => path.split('/')[1]),
    )
    for (const name of folders) expect(paths).toContain(`data/${name}/README.md`)
  })
})

describe('installed in an empty folder', () => {
  beforeEach(context => {
    const isAlone = /ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNREFUSED|ENETUNREACH/.test(installed.stderr)
    context.skip(isAlone && process.env.CI !== 'true', 'the registry cannot be reached')
    if (installed.code !== 0) throw new Error(`npm install: ${installed.stderr}`)
  })

  test('brings what it depends on, and no more', () => {
    const names = readdirSync(MODULES).flatMap(name =>
      name.startsWith('@')
        ? readdirSync(join(MODULES, name)).map(inner => `${name}/${inner}`)
        : name,
    )
    expect(names).toEqual(expect.arrayContaining(Object.keys(about.dependencies)))
    for (const name of Object.keys(about.devDependencies)) expect(names).not.toContain(name)
  })

  test('says nothing of the machine it was built on', () => {
    const lbdns = join(MODULES, 'lbdns')
    for (const file of readdirSync(lbdns, { recursive: true, encoding: 'utf8' })) {
      if (!/\.(js|json|yaml|zone|md)$/.test(file)) continue
      const text = readFileSync(join(lbdns, file), 'latin1')
      expect(text.includes('sourceMappingURL') || text.includes(`${ROOT}/`) ? file : '').toBe('')
    }
  })

  test('`npx lbdns` and `npx lbprobe` say which version they are', async () => {
    for (const name of ['lbdns', 'lbprobe']) {
      const { code, stdout } = await run('sh', [
        '-c',
        `cd '${here}' && npx --no-install ${name} --version`,
      ])
      expect(code).toBe(0)
      expect(stdout).toBe(`${name} ${about.version}\n`)
    }
  })

  test(
    '`lbdns run --demo` serves, `lbprobe` measures it',
    async () => {
      const demo = await serveDemo(join(BIN, 'lbdns'), ['run', '--demo'])
      const to = { host: '127.0.0.1', port: 5353 }
      expect(dataOf(await askUdp(to, 'flat.example.com'))).toEqual(['192.0.2.101', '192.0.2.102'])
      // 128.32.0.0/16 is in the United States: the geo data came with the package too.
      const us = await askUdp(to, 'cdn.example.com', { subnet: '128.32.0.0/24' })
      expect(dataOf(us)).toEqual(['198.51.100.1', '198.51.100.2'])
      expect(us.scope).toBeGreaterThan(0)
      const probe = ['dns2', '@127.0.0.1:5353', 'rotating.example.com']
      const { code, stdout } = await run(join(BIN, 'lbprobe'), probe)
      expect(stdout).toContain('rotating-one')
      expect(code).toBe(0)
      expect(await demo.stop()).toBe(0)
    },
    INSTALL_MS,
  )
})
