/**
 * The modules of the exporter: how a target is measured, by name, from a YAML file or built in. Every
 * mistake of the file is told at once, as `file:line:column: what`. Opens no file.
 */

import { type Wrong, wrong } from './plan/wrong.ts'

export type Module = {
  readonly command: 'ecs' | 'dns2'
  readonly types: readonly string[]
  /** `@` words without the `@`; empty: the zone's own name servers. */
  readonly servers: readonly string[]
  readonly countries: readonly string[] | undefined
  readonly subnets: readonly string[]
  readonly count: number | undefined
  readonly timeoutSeconds: number | undefined
}

export type Modules = Readonly<Record<string, Module>>

const PLAIN: Module = {
  command: 'ecs',
  types: ['A'],
  servers: [],
  countries: undefined,
  subnets: [],
  count: undefined,
  timeoutSeconds: undefined,
}

export const BUILT_IN: Modules = { ecs: PLAIN, dns2: { ...PLAIN, command: 'dns2' } }

/** Reads the file; zod and yaml are opened only where there is one. */
export async function readModules(text: string, file: string): Promise<Modules | Wrong> {
  const { LineCounter, parseDocument } = await import('yaml')
  const lines = new LineCounter()
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    logLevel: 'error',
  })
  const at = (offset: number): string => {
    const { line, col } = lines.linePos(offset)
    return `${file}:${line}:${col}`
  }
  const syntax = document.errors.map(({ pos, message }) => `${at(pos[0])}: ${message}`)
  if (syntax.length > 0) return wrong(syntax.join('\n'))
  const schema = await schemaOf()
  const read = schema.safeParse(document.toJS({ maxAliasCount: 0 }))
  if (read.success) return modulesOf(read.data.modules)
  const flaws = read.error.issues.map(({ path, message }) => {
    const node = nearest(path.length)
    return `${at(node)}: ${[...path, message].map(String).join(' ')}`

    function nearest(depth: number): number {
      const found = document.getIn(path.slice(0, depth), true) as { range?: [number] } | undefined
      if (depth === 0 || found?.range !== undefined) return found?.range?.[0] ?? 0
      return nearest(depth - 1)
    }
  })
  return wrong(flaws.join('\n'))
}

async function schemaOf() {
  const { z } = await import('zod')
  const texts = z.array(z.string().min(1)).max(100)
  const module = z.strictObject({
    command: z.enum(['ecs', 'dns2']).default('ecs'),
    types: texts.min(1).default(['A']),
    servers: texts.default([]),
    countries: texts.optional(),
    subnets: texts.default([]),
    count: z.int().min(1).max(1000).optional(),
    timeout: z.number().min(0.01).max(60).optional(),
  })
  const name = z.string().regex(/^[a-z0-9_-]{1,64}$/, 'a name of small letters, digits, - and _')
  return z.strictObject({ modules: z.record(name, module) })
}

type Given = {
  readonly [name: string]: {
    readonly command: Module['command']
    readonly types: readonly string[]
    readonly servers: readonly string[]
    readonly countries?: readonly string[] | undefined
    readonly subnets: readonly string[]
    readonly count?: number | undefined
    readonly timeout?: number | undefined
  }
}

function modulesOf(given: Given): Modules {
  const rows = Object.entries(given).map(([name, { timeout, ...rest }]): [string, Module] => [
    name,
    { ...rest, countries: rest.countries, count: rest.count, timeoutSeconds: timeout },
  ])
  return Object.fromEntries(rows)
}
