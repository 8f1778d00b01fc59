/**
 * What is built. `dist`: the two programs as they are published, in few files and with their libraries
 * inside, as most of a short run is spent on opening modules. `build`: the bench, the models, and what
 * tests start from outside a program, file by file. Types are checked by `tsc`, which writes nothing.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig, type Plugin } from 'rolldown'

/** Native, or needed as files of their own: these are what the package depends on. */
const OUTSIDE = [/^koffi$/, /^#/]

const PROGRAMS = ['server/main', 'server/loader', 'server/worker', 'probe/main', 'probe/library']
const PARTS = [
  ...['main', 'load/main', 'load/slow', 'compile/compile', 'workloads/allocating'],
  ...['peers/dgram-peer', 'peers/dns2-peer'],
].map(name => `test/bench/${name}`)

/** What is run by hand, for its figures. */
const MODELS = ['test/laws/model', 'test/probe/power']

/** The licences of all libraries that went in, each as its own file says it. */
function licences(): Plugin {
  const folders = new Set<string>()
  return {
    name: 'licences',
    moduleParsed: ({ id }) => {
      const [folder] = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id) ?? []
      if (folder !== undefined) folders.add(folder)
    },
    generateBundle() {
      const source = [...folders].sort().map(licenceIn).join('\n')
      this.emitFile({ type: 'asset', fileName: 'LICENSES.txt', source })
    },
  }
}

function licenceIn(folder: string): string {
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find(file => /^licen[cs]e/i.test(file))
  if (file === undefined) throw new Error(`${name} has no licence to bring along`)
  return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
}

function entries(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map(name => [name, `${name}.ts`]))
}

/** A part stands beside the program whose files are in it, as those look for others beside them. */
function chunkFileNames({ moduleIds }: { readonly moduleIds: readonly string[] }): string {
  const isProbe = moduleIds.some(id => /[/\\]probe[/\\](?!tell[/\\](hilbert|world))/.test(id))
  return `${isProbe ? 'probe' : 'server'}/[name]-[hash].js`
}

export default defineConfig([
  {
    input: entries(PROGRAMS),
    platform: 'node',
    external: OUTSIDE,
    plugins: [licences()],
    output: { dir: 'dist', chunkFileNames, comments: false },
  },
  {
    input: entries([...PARTS, ...MODELS, 'server/transport/batching']),
    platform: 'node',
    external: [/^[^./]/],
    output: { dir: 'build', preserveModules: true, preserveModulesRoot: '.' },
  },
])
