/** The document of `check --json`: the published schema is its source's, and documents keep to it. */
import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { checkSchema, checkSchemaText } from '../../probe/tell/check.ts'
import { lbprobe, NS1 } from './checks-kit.ts'

const FILE = new URL('../../data/schema/lbprobe.check-result.schema.json', import.meta.url)

test('the published schema is made from its source', () => {
  if (process.env.UPDATE_SCHEMA === '1') writeFileSync(FILE, checkSchemaText())
  expect(readFileSync(FILE, 'utf8')).toBe(checkSchemaText())
})

describe('one document, whatever happens', () => {
  const check = (label: string) =>
    `version: 1\nchecks: [{name: ${label}.lab.test, rotation: single, ecs: {verdict: real}}]\n`
  // biome-ignore format: table
  const RUNS = [
    ['all measured',              check('single'),  '',               1, undefined],
    ['no reply',                  check('silence'), '',               9, 'no-reply'],
    ['a file that is wrong',      'checks: 1\n',    '',               2, 'usage'],
    ['a file that cannot be written', check('single'), '-o full/disk', 2, 'usage'],
  ] as const
  for (const [rule, text, flags, code, error] of RUNS) {
    test(rule, async () => {
      const words = ['check', '--json', NS1, 'x.yaml', ...flags.split(' ').filter(on => on !== '')]
      const { exit, out } = await lbprobe(words, { 'x.yaml': text })
      const document = JSON.parse(out)
      expect(checkSchema.parse(document)).toEqual(document)
      expect([exit, document.exit, document.error?.code]).toEqual([code, code, error])
    })
  }
})
