/** Every document has a published schema, made from its shape, and what the commands print keeps to it. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { labOf } from '../../probe/lab/lab.ts'
import { program } from '../../probe/program.ts'
import { DOCUMENT } from '../../probe/tell/documents.ts'
import {
  explainSchema, findingsSchema, subnetsSchema, watchSchema,
} from '../../probe/tell/lists-schema.ts' // biome-ignore format: list
import { mapSchemaText } from '../../probe/tell/map-schema.ts'
import { ATLAS, wireTo } from './in-process.ts'
import { labWorld, paper } from './world.ts'

/** Where a document's name is not that of its file. */
const FILE: Readonly<Record<string, string>> = { check: 'check-result', checks: 'findings' }

const pathOf = (key: string): string => `data/schema/lbprobe.${FILE[key] ?? key}.schema.json`

function published(title: string, description: string, shape: z.ZodType): string {
  const schema = z.toJSONSchema(shape, { target: 'draft-2020-12' })
  return `${JSON.stringify({ title, description, ...schema }, undefined, 2)}\n`
}

// biome-ignore format: table
const SOURCES = [
  ['map',     mapSchemaText()],
  ['watch',   published(DOCUMENT.watch, 'One line of what lbprobe watch --json prints', watchSchema)],
  ['subnets', published(DOCUMENT.subnets, 'What lbprobe subnets --json prints', subnetsSchema)],
  ['explain', published(DOCUMENT.explain, 'What lbprobe explain --json prints', explainSchema)],
  ['checks',  published(DOCUMENT.checks, 'What lbprobe explain --list --json prints', findingsSchema)],
] as const

test.each(SOURCES)('the published schema of %s is made from its source', (key, text) => {
  if (process.env.UPDATE_SCHEMA === '1') writeFileSync(pathOf(key), text)
  expect(readFileSync(pathOf(key), 'utf8')).toBe(text)
})

test.each(Object.entries(DOCUMENT))('%s: %s is published under its name', (key, name) => {
  expect(existsSync(pathOf(key))).toBe(true)
  expect(readFileSync(pathOf(key), 'utf8')).toContain(`"${name}"`)
})

async function used(words: string): Promise<string> {
  const [out, err] = [paper(), paper()]
  const wire = wireTo(labOf(ATLAS, 5))
  await program(words.split(' '), labWorld({ out, err, wire }))
  return out.text()
}

describe('what is printed keeps to what is published', () => {
  // biome-ignore format: table
  const TABLE = [
    ['map',      'map @127.0.0.1:5300 geo.lab.test --within 128.0.0.0/8 --json'],
    ['map',      'map @127.0.0.1:5300 prefix-sharding.lab.test --max-queries 600 --json'],
    ['map',      'map @127.0.0.1:5300 silence.lab.test --json'],
    ['map',      'map --json'],
    ['subnets',  'subnets --json'],
    ['subnets',  'subnets show XX --json'],
    ['explain',  'explain ECS001 --json'],
    ['checks',   'checks --json'],
    ['result',   'ecs @127.0.0.1:5300 geo.lab.test A --json'],
    ['result',   'dns2 --json'],
    ['diff',     'diff --json'],
    ['resolver', 'resolver --json'],
  ] as const
  test.each(TABLE)('%s: lbprobe %s', async (key, words) => {
    const schema = z.fromJSONSchema(JSON.parse(readFileSync(pathOf(key), 'utf8')))
    const text = await used(words)
    expect(text).not.toBe('')
    expect(schema.safeParse(JSON.parse(text)).error).toBeUndefined()
  })
})
