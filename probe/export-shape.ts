/** The shape of the exporter's file of modules. Opened only where there is such a file. */

import { z } from 'zod'
import { subnet, type Vocabulary, worded } from './checks/shape.ts'

const MOST_LISTED = 100
const NAME = /^[a-z0-9_-]{1,64}$/
const NAMED = 'not a name of a module · write small letters, digits, - and _, 64 at most'

function listOf<T extends z.ZodType>(item: T): z.ZodArray<T> {
  return z.array(item).max(MOST_LISTED)
}

function moduleShape(words: Vocabulary) {
  return z.strictObject({
    command: z.enum(['ecs', 'dns2']).default('ecs'),
    types: listOf(worded(words.type)).min(1).default(['A']),
    servers: listOf(worded(words.server)).default([]),
    countries: listOf(worded(words.country)).min(1).optional(),
    subnets: listOf(subnet).default([]),
    count: z.int().min(1).max(1000).optional(),
    timeout: z.number().min(0.01).max(60).optional(),
  })
}

export function modulesShape(words: Vocabulary) {
  const name = z.string().regex(NAME, NAMED)
  return z.strictObject({ modules: z.record(name, moduleShape(words)) })
}

export type ModuleShape = z.infer<ReturnType<typeof moduleShape>>

/** Every key that such a file may have. */
export const MODULE_KEYS: readonly string[] = [
  'modules', 'command', 'types', 'servers', 'countries', 'subnets', 'count', 'timeout',
] // biome-ignore format: one line
