/**
 * The published JSON Schema equals its source, documents every option, and takes the demo's file.
 * To write it anew: UPDATE_SCHEMA=1 npx vitest run test/server/config-schema.test.ts
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import * as z from 'zod'
import { configJsonSchema } from '../../server/config/publish.ts'

const FILE = new URL('../../data/schema/lbdns.config.schema.json', import.meta.url)

type Node = { readonly [key: string]: unknown }

/** Every schema of an option below `node`, with the path of its keys. */
function* options(node: unknown, path: string): Generator<readonly [string, Node]> {
  if (typeof node !== 'object' || node === null) return
  for (const [key, value] of Object.entries(node)) {
    if (key === 'properties') {
      for (const [name, option] of Object.entries(value as Node)) {
        yield [`${path}.${name}`, option as Node]
        yield* options(option, `${path}.${name}`)
      }
    } else {
      yield* options(value, path)
    }
  }
}

test('data/schema equals its source', () => {
  const text = `${JSON.stringify(configJsonSchema(), undefined, 2)}\n`
  if (process.env.UPDATE_SCHEMA) writeFileSync(FILE, text)
  expect(readFileSync(FILE, 'utf8')).toBe(text)
})

test('every option is documented', () => {
  const bare = [...options(configJsonSchema(), '')].filter(([, option]) => !option.description)
  expect(bare.map(([path]) => path)).toEqual([])
})

test('no mapping with keys of ours takes others', () => {
  const text = JSON.stringify(configJsonSchema())
  expect(text.match(/"properties":/g)?.length).toBe(
    text.match(/"additionalProperties":false/g)?.length,
  )
})

const DEMO = new URL('../../data/demo/lbdns.yaml', import.meta.url)

function rule(one: object): object {
  return { steer: { 'a.example.com': one } }
}

// biome-ignore format: table
const TABLE = [
  ['the demo as it is',    {},                     true],
  ['an unknown key',       { liste: [] },          false],
  ['no address to serve',  { listen: [] },         false],
  ['a text for a number',  { workers: 'two' },     false],
  ['branches in branches', rule({ by: { default: { by: { countries: { DE: { nearest: ['fra'] } }, default: ['fra'] } } } }), true],
  ['a key in a branch that there is not', rule({ by: { default: { by: { regions: {}, default: ['fra'] } } } }), false],
  ['a branch without a default', rule({ by: { default: { by: {} } } }), false],
  ['a service record',     rule({ pools: ['fra'], https: { alpn: ['h2'] } }), true],
] as const

for (const [rule, change, expected] of TABLE) {
  test(`an editor judges ${rule}`, () => {
    const schema = z.fromJSONSchema(JSON.parse(readFileSync(FILE, 'utf8')))
    const file = { ...parse(readFileSync(DEMO, 'utf8')), ...change }
    expect(schema.safeParse(file).success).toBe(expected)
  })
}
