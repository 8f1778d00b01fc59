/** The result document: the published schema is its source's, and every document keeps to it. */
import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Observation } from '../../probe/judge/observation.ts'
import { judgeRotation } from '../../probe/judge/rotation.ts'
import { resultText } from '../../probe/tell/result.ts'
import { resultSchema, schemaText } from '../../probe/tell/schema.ts'
import { measure, observe, panel, pool, REGIONS, regionOf, type Server } from './judge-simulate.ts'

const FILE = new URL('../../data/schema/lbprobe.result.schema.json', import.meta.url)
const tool = { name: 'lbprobe', version: '0.1.0' }
const error = { code: 'no-reply', message: 'no reply from any server' }

function readBack(text: string): unknown {
  return JSON.parse(text)
}

test('the published schema is made from its source', () => {
  if (process.env.UPDATE_SCHEMA === '1') writeFileSync(FILE, schemaText())
  expect(readFileSync(FILE, 'utf8')).toBe(schemaText())
})

describe('documents keep to lbprobe.result/1', () => {
  const geo: Server = ({ network }) => ({
    answers: [pool(1, 250)[REGIONS[regionOf(network)]] ?? ''],
    scope: 6,
  })
  const servers: readonly (readonly [string, Server])[] = [
    ['tailored', geo],
    ['one address', () => ({ answers: ['192.0.2.1'], scope: 0 })],
    ['nothing there', () => ({ answers: [], scope: 0, rcode: 'NXDOMAIN' })],
    ['refused', () => ({ rcode: 'REFUSED' })],
    ['silent', () => ({ error: 'timeout', rcode: undefined, edns: false })],
  ]
  for (const [title, server] of servers) {
    test(title, () => {
      const judgement = measure(server, { permutations: 499 })
      const observations = [observe(panel()[0], server({ ...asked }), {})]
      const plan = { command: 'ecs', seed: 1 }
      const text = resultText({ tool, plan, judgements: [judgement], observations })
      expect(resultSchema.parse(readBack(text))).toEqual(readBack(text))
    })
  }

  test('dns2', () => {
    const observations = rotating(20)
    const about = { name: 'www.example.com', type: 'A', seed: 1 }
    const judgements = [judgeRotation(observations, about)]
    const text = resultText({ tool, plan: {}, judgements, observations })
    expect(resultSchema.parse(readBack(text))).toEqual(readBack(text))
  })

  test('a run that never began', () => {
    const text = resultText({ tool, judgements: [], observations: [], error })
    expect(readBack(text)).toEqual({
      schema: 'lbprobe.result/1',
      tool,
      results: [],
      queries: [],
      error,
    })
    expect(resultSchema.safeParse(readBack(text)).success).toBe(true)
  })

  test('a code that is not ours is no document', () => {
    const [one] = [judgeRotation(rotating(20), { name: 'www.example.com', type: 'A', seed: 1 })]
    const document = readBack(resultText({ tool, judgements: [one], observations: [] }))
    const changed = JSON.parse(JSON.stringify(document).replace('rotating-one', 'spinning'))
    expect(resultSchema.safeParse(changed).success).toBe(false)
  })
})

const asked = { network: panel()[0], chance: Uint32Array.of(1, 2, 3, 4), turn: 0, round: 1 }

function rotating(count: number): readonly Observation[] {
  return Array.from({ length: count }, (_, at) =>
    observe(undefined, { answers: [`192.0.2.${at % 4}`] }, { sequence: at, at: 20 * at }),
  )
}
