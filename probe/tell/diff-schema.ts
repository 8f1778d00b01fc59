/**
 * The shape of `lbprobe.diff/1`. The published JSON Schema is made from this; what is here once stays:
 * later versions add keys, they do not change any.
 */

import { z } from 'zod'
import { DOCUMENT } from './documents.ts'
import { cutShort, type Frozen, finding, query } from './schema.ts'

const count = z.int().min(0)

const server = z.object({
  server: z.string().describe('address#port'),
  host: z.string().optional().describe('name of the name server, where it was looked up'),
  queries: count,
  replies: count,
  silence: z.string().optional().describe('why it never answered: timeout, unreachable, …'),
  rcodes: z.array(z.string()).describe('to queries without a client subnet'),
  authority: z.enum(['always', 'never', 'sometimes']).describe('the AA flag'),
  option: z.enum(['exact', 'missing', 'sometimes', 'mismatch', 'refused', 'unasked']),
  clients: z.array(
    z.object({
      subnet: z.string().optional().describe('absent: asked without the option'),
      region: z.string().optional(),
      scopes: z.array(count.max(128)),
      answers: z.array(z.array(z.string())).describe('the distinct sets, each sorted'),
      rotates: z.boolean(),
      replies: count,
    }),
  ),
  ttl: z
    .object({ min: count, max: count, policy: z.enum(['constant', 'varies', 'counts-down']) })
    .optional()
    .describe('seconds'),
  serials: z.array(count).describe('of its SOA, in the order first seen'),
  instances: z.array(z.string()).describe('NSID'),
})

const difference = z.object({
  aspect: z.enum(['reply', 'authority', 'option', 'scope', 'answers', 'ttl', 'serial']),
  client: z.string().optional().describe('a subnet; empty: without the option; absent: all'),
  camps: z
    .array(z.object({ value: z.string(), servers: z.array(z.string()) }))
    .describe('the most servers first'),
  odd: z.array(z.string()).describe('servers outside the majority; empty where there is none'),
  p: z.number().min(0).max(1).optional().describe('that chance alone would part them so'),
})

const result = z.object({
  name: z.string(),
  type: z.string(),
  zone: z.string().optional().describe('whose serials were compared'),
  verdict: z.enum(['same', 'different', 'unclear']),
  sentence: z.string(),
  servers: z.array(server),
  differences: z.array(difference),
  odd: z.array(z.string()).describe('servers apart from the majority, most often first'),
  findings: z.array(finding),
  queries: count,
  seed: z.int(),
})

export const diffSchema = z.object({
  schema: z.literal(DOCUMENT.diff),
  tool: z.object({ name: z.string(), version: z.string() }),
  plan: z.record(z.string(), z.unknown()).optional().describe('absent where the run never began'),
  results: z.array(result),
  missing: z.array(z.string()).optional().describe('name servers without an address'),
  queries: z.array(query),
  partial: cutShort.optional(),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
})

export type DiffDocument = Frozen<z.infer<typeof diffSchema>>

/** The published form, two spaces deep, with a line end. */
export function diffSchemaText(): string {
  const schema = z.toJSONSchema(diffSchema, { target: 'draft-2020-12' })
  const about = { title: DOCUMENT.diff, description: 'What lbprobe diff --json prints' }
  return `${JSON.stringify({ ...about, ...schema }, undefined, 2)}\n`
}
