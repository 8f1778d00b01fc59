/**
 * The shape of `lbprobe.map/1`. The published JSON Schema is made from this; what is here once stays:
 * later versions add keys, they do not change any.
 */

import { z } from 'zod'
import { DOCUMENT } from './documents.ts'
import { calibration, finding } from './schema.ts'

const count = z.int().min(0)
const share = z.number().min(0).max(1)

const group = z.object({
  letter: z.string(),
  answers: z.array(z.string()),
  sets: count.describe('more than one where it rotates'),
  share: share.describe('of what was seen'),
  blocks: count,
})

const leaf = z.object({
  prefix: z.string(),
  scope: count.max(128),
  groups: z.array(z.string()).describe('letters; more than one where the block is mixed'),
  tried: count.describe('networks asked for in it'),
})

const judged = z.object({
  name: z.string(),
  type: z.string(),
  server: z.string().describe('address#port'),
  kind: z.enum(['partition', 'untrue', 'same', 'sampled', 'no-ecs', 'unanswered']),
  sentence: z.string(),
  partial: z.string().optional().describe('how much was seen, where that is not all'),
  stop: z.enum(['budget', 'refused', 'silent', 'interrupted', 'deadline']).optional(),
  coverage: share,
  missable: share.optional().describe('share of networks that such a sample misses once in 20'),
  queries: z.object({ asked: count, unanswered: count }),
  replies: z.object({ blocks: count, samples: count, repeats: count }),
  groups: z.array(group),
  scopes: z.record(z.string(), count).describe('blocks by SCOPE PREFIX-LENGTH'),
  fragmentation: z.number().optional(),
  samples: count,
  leastSamples: count.optional(),
  overlaps: z.array(z.object({ outer: z.string(), inner: z.string() })),
  mixed: z.array(z.string()),
  oracle: z.looseObject({ clients: count, orders: count }),
  findings: z.array(finding),
  calibration: calibration.optional(),
})

export const mapSchema = z.object({
  schema: z.literal(DOCUMENT.map),
  tool: z.object({ name: z.string(), version: z.string() }),
  plan: z.record(z.string(), z.unknown()).optional().describe('absent where the run never began'),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
  ...judged.partial().shape,
  leaves: z.array(leaf),
})

/** The published form, two spaces deep, with a line end. */
export function mapSchemaText(): string {
  const schema = z.toJSONSchema(mapSchema, { target: 'draft-2020-12' })
  const about = { title: DOCUMENT.map, description: 'What lbprobe map --json prints' }
  return `${JSON.stringify({ ...about, ...schema }, undefined, 2)}\n`
}
