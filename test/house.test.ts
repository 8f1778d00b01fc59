/**
 * The house keeps its own law: who may import whom, how long a file may be, and what a pure room
 * may not touch. Design section 2 says why; this file says so to whoever breaks it.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'

/** Which rooms a room may look into. Its own files always. */
const LAW: Readonly<Record<string, readonly string[]>> = {
  'server/fault': [],
  'server/dns': ['server/fault'],
  'server/zone': ['server/fault', 'server/dns'],
  'server/geo': ['server/fault', 'server/dns'],
  'server/steer': ['server/fault', 'server/dns', 'server/geo'],
  'server/config': ['server/fault', 'server/dns', 'server/geo', 'server/steer'],
  'server/guard': ['server/fault', 'server/dns', 'server/geo', 'server/steer'],
  'server/answer': [
    'server/fault',
    'server/dns',
    'server/zone',
    'server/geo',
    'server/steer',
    'server/guard',
  ],
  'server/tell': [
    'server/fault',
    'server/dns',
    'server/zone',
    'server/geo',
    'server/steer',
    'server/answer',
    'probe/tell/hilbert',
    'probe/tell/world',
  ],
  'server/import': [
    'server/fault',
    'server/dns',
    'server/zone',
    'server/geo',
    'server/steer',
    'server/config',
  ],
  'server/transport': ['server/fault', 'server/dns', 'server/answer'],
  'server/health': ['server/fault', 'server/dns', 'server/steer', 'server/config'],
  'server/ops': [
    'server/fault',
    'server/dns',
    'server/geo',
    'server/steer',
    'server/config',
    'server/guard',
    'server/answer',
    'server/tell/control',
  ],
  'server/process': ['server'],
  'probe/plan': [],
  'probe/judge': [],
  'probe/checks': ['probe/plan', 'probe/judge'],
  'probe/ask': ['probe/plan'],
  'probe/tell': ['probe/judge'],
  'probe/lab': ['probe/plan'],
  'probe/options': ['probe/plan', 'probe/ask', 'probe/judge', 'probe/words'],
  'probe/commands': ['probe'],
  'probe/process': ['probe'],
}

/** Rooms that read no clock, draw no chance, open no file and no socket. */
const PURE = [
  'server/fault',
  'server/dns',
  'server/zone',
  'server/geo',
  'server/steer',
  'server/config',
  'server/guard',
  'server/answer',
  'server/tell',
  'server/import',
  'probe/plan',
  'probe/judge',
  'probe/checks',
  'probe/tell',
]

/** Packages a pure room may use: they compute, and touch nothing. */
const PURE_PACKAGES = ['yaml', 'zod', 'ip-address', 'maxmind', 'd3-geo', 'topojson-client']

const FILES = sources('server').concat(sources('probe'))

function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts'))
    .map(file => join(folder, file))
    .sort()
}

/** The room a file lies in: its folder, or the process for files beside the rooms. */
function roomOf(file: string): string {
  const [program = '', room = '', inner] = file.split('/')
  if (inner !== undefined) return `${program}/${room}`
  return file === 'server/fault.ts' ? 'server/fault' : `${program}/process`
}

function importsOf(text: string): string[] {
  return [
    ...text.matchAll(
      /^(?:import|export)\b[^'"]*?from '([^']+)'|\bimport\('([^']+)'\)|^import '([^']+)'/gm,
    ),
  ].map(match => match[1] ?? match[2] ?? match[3] ?? '')
}

/** Code without comments and without what stands in quotes: what the compiler sees as code. */
function bare(text: string): string {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\/\/.*$/gm, '')
    .replace(/'(?:[^'\\\n]|\\.)*'/g, "''")
}

describe.each(FILES)('%s', file => {
  const text = readFileSync(file, 'utf8')
  const room = roomOf(file)
  const pure = PURE.includes(room)

  test('is in a room of the house', () => {
    expect(Object.keys(LAW)).toContain(room)
  })

  test('imports one way', () => {
    const law = LAW[room] ?? []
    for (const specifier of importsOf(text)) {
      if (!specifier.startsWith('.')) {
        const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
        if (pure) expect(PURE_PACKAGES, `${specifier} in a pure room`).toContain(name)
        continue
      }
      const target = normalize(join(dirname(file), specifier))
      const whole = target.replace(/\.ts$/, '')
      const allowed = [room, ...law]
      const met = allowed.some(
        one => whole === one || whole.startsWith(`${one}/`) || roomOf(target) === one,
      )
      expect(met, `${file} may not import ${target}`).toBe(true)
    }
  })

  test('is one sitting long', () => {
    expect(text.split('\n').length - 1).toBeLessThanOrEqual(300)
  })

  test('says at its head what it knows', () => {
    expect(text.replace(/^#!.*\n/, '').startsWith('/**')).toBe(true)
  })

  test('has no escape from types and nothing left to do', () => {
    expect(bare(text)).not.toMatch(/\bany\b\s*[;,)=>[\]|&]|\bas any\b|: any\b|<any>/)
    expect(text).not.toMatch(/\b(TODO|FIXME|XXX|HACK)\b|@ts-(ignore|nocheck|expect-error)/)
    expect(bare(text)).not.toMatch(/^export default\b/m)
  })

  if (!pure) return
  test('touches no clock, chance, file or socket', () => {
    expect(bare(text)).not.toMatch(
      /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bperformance\b|\bsetTimeout\b|\bsetInterval\b|\bprocess\.|\bBuffer\b|\bconsole\b/,
    )
  })
})

test('the top level is the house and the files tools need', () => {
  const allowed =
    /^(server|probe|data|test|node_modules|dist|build|\.git|\.ci|\.github)$|^(README|CHANGELOG|CONTRIBUTING)\.md$|^(LICENSE|NOTICE|package\.json|package-lock\.json|biome\.json|(vitest|rolldown)\.config\.ts|\.gitignore|\.npmrc|\.editorconfig)$|^tsconfig(\.pure)?\.json$/
  for (const name of readdirSync('.')) expect(name).toMatch(allowed)
})

test('every folder of data has a README', () => {
  for (const folder of readdirSync('data', { withFileTypes: true })) {
    if (folder.isDirectory()) expect(readdirSync(join('data', folder.name))).toContain('README.md')
  }
})
