/**
 * The modules of the exporter: how a target is measured, by name, from a YAML file or built in. Every
 * mistake of the file comes back, with its place. Opens no file.
 */

import type { Vocabulary } from './checks/shape.ts'
import type { Mistake } from './checks/source.ts'
import type { ModuleShape } from './export-shape.ts'

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
export async function readModules(
  text: string,
  file: string,
  words: Vocabulary,
): Promise<Modules | readonly Mistake[]> {
  const { inOrder, readSource } = await import('./checks/source.ts')
  const source = readSource(text, file)
  if (!('document' in source)) return source
  const { MODULE_KEYS, modulesShape } = await import('./export-shape.ts')
  const read = modulesShape(words).safeParse(source.value ?? {}, { jitless: true })
  if (read.success) return modulesOf(read.data.modules)
  const { mistakesOf } = await import('./checks/issues.ts')
  return inOrder(mistakesOf(read.error.issues, source, MODULE_KEYS))
}

function modulesOf(given: Readonly<Record<string, ModuleShape>>): Modules {
  const rows = Object.entries(given).map(([name, { timeout, ...rest }]): [string, Module] => [
    name,
    { ...rest, countries: rest.countries, count: rest.count, timeoutSeconds: timeout },
  ])
  return Object.fromEntries(rows)
}
