/**
 * The shape of `lbprobe.resolver/1`. The published JSON Schema is made from this; what is here once
 * stays: later versions add keys, they do not change any.
 */

import { z } from 'zod'
import { RESOLVER_VERDICTS } from '../judge/calibrate.ts'
import { DOCUMENT } from './documents.ts'
import { cutShort, type Frozen, query } from './schema.ts'

const fate = z.enum([
  'as-sent', 'truncated', 'replaced', 'stripped', 'refused', 'failed', 'silent', 'unseen',
]) // biome-ignore format: list
const fates = z.enum([...fate.options, 'mixed'])
const echo = z.enum(['unsent', 'exact', 'missing', 'mismatch'])
const bits = z.int().min(0).max(255)

const ways = z.object({
  echo: z.enum([...echo.options, 'mixed']).optional(),
  scope: z.enum(['shown', 'hidden', 'changed']).optional(),
  ipv6: fate.optional(),
  shorter: fates.optional().describe('/20 and /16'),
  longer: fates.optional().describe('/25 and /32; only with --allow-long-prefix'),
  private: fate.optional().describe('RFC 1918'),
  documentation: fate.optional().describe('RFC 5737'),
  hostBits: z.enum(['cleared', 'passed', 'refused', 'stripped']).optional(),
  nobody: z
    .enum(['kept', 'own-address', 'client-added', 'refused'])
    .optional()
    .describe('SOURCE 0, RFC 7871 §7.1.2'),
  cache: z.enum(['by-scope', 'by-subnet', 'ignores-subnet']).optional(),
})

const canary = z.object({
  kind: z.string(),
  sent: z.string().optional().describe('absent: without the option'),
  fate,
  told: z.string().optional().describe('what the authority was told'),
  egress: z.string().optional().describe('the address it was asked from'),
  echo,
  scope: z.object({ given: bits.optional(), got: bits.optional() }),
  reply: z.string().describe('reply code, or why there is none'),
})

const result = z.object({
  server: z.string().describe('address#port'),
  zone: z.string().optional().describe('that reflected; absent where none did'),
  verdict: z.enum(RESOLVER_VERDICTS),
  steadiness: z.enum(['steady', 'mixed']),
  sentence: z.string(),
  ways: ways.describe('absent keys: not tried, or nothing can be said'),
  lengths: z.array(bits).describe('prefix lengths it shortens to'),
  substitutes: z.array(z.string()).describe('networks it puts in place'),
  egress: z.array(z.string()),
  path: z
    .enum(['intact', 'altered'])
    .optional()
    .describe('whether what is measured through it counts; absent: not known'),
  known: z.object({
    service: z.string().optional(),
    reported: z.array(z.enum(RESOLVER_VERDICTS)),
    like: z.array(z.string()),
  }),
  canaries: z.array(canary),
})

export const resolverSchema = z.object({
  schema: z.literal(DOCUMENT.resolver),
  tool: z.object({ name: z.string(), version: z.string() }),
  plan: z.record(z.string(), z.unknown()).optional().describe('absent where the run never began'),
  results: z.array(result),
  queries: z.array(query),
  partial: cutShort.optional(),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
})

export type ResolverDocument = Frozen<z.infer<typeof resolverSchema>>

/** The published form, two spaces deep, with a line end. */
export function resolverSchemaText(): string {
  const schema = z.toJSONSchema(resolverSchema, { target: 'draft-2020-12' })
  const about = { title: DOCUMENT.resolver, description: 'What lbprobe resolver --json prints' }
  return `${JSON.stringify({ ...about, ...schema }, undefined, 2)}\n`
}
