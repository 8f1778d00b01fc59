/**
 * The shape of the result document, `lbprobe.result/1`. The published JSON Schema is made from this;
 * what is here once stays: later versions add keys, they do not change any.
 */
import { z } from 'zod'
import { FINDING_IDS } from '../judge/finding.ts'
import { PURPOSES, TRANSPORTS } from '../judge/observation.ts'
import { ECS_ANSWER, ROTATION_ANSWER } from '../judge/verdict.ts'
import { DOCUMENT } from './documents.ts'

const count = z.int().min(0)
const share = z.number().min(0).max(1)
const counts = z.record(z.string(), count)
const codes = [...new Set([...Object.keys(ECS_ANSWER), ...Object.keys(ROTATION_ANSWER)])]

const rotation = z.object({
  kind: z.literal('rotation'),
  queries: count,
  replies: count.describe('replies that could be used'),
  empty: count.describe('replies without a record of the type asked'),
  rcode: z.string().optional(),
  atLeast: count.describe('distinct addresses seen'),
  probably: count.optional().describe("Chao's estimate of the pool"),
  unseen: share.describe('share that an address not seen may have, 95 %'),
  perAnswer: z.object({ min: count, max: count }),
  orders: count,
  orderChanges: count,
  first: z.array(z.object({ address: z.string(), count })),
  uniform: share.optional().describe('p: equal shares, this uneven'),
  cyclic: share.optional().describe('p: random order, this regular'),
  constant: share.optional().describe('p: a fair choice of two, this constant'),
  drift: share.optional().describe('p: random order, equal answers side by side like this'),
  instance: share.optional().describe('p: random instances, going with the answers like this'),
  ttl: z.object({ min: count, max: count }).optional().describe('seconds'),
  countsDown: z.boolean(),
  authoritative: z.boolean(),
})

const test = z.object({
  effect: z.number().min(-1).max(1).describe('mean distance between less mean distance within'),
  p: share,
  arrangements: z.number().min(1).describe('how many p was counted over'),
  exact: z.boolean(),
})

const ecs = z.object({
  kind: z.literal('ecs'),
  queries: count,
  subnets: count,
  rounds: count,
  seed: z.int(),
  limit: share.describe('p-value that a level must stay under'),
  subnet: test.optional().describe('does the answer depend on the subnet'),
  region: test
    .extend({ within: share, across: share, attainable: share })
    .optional()
    .describe('does that go with the region'),
  scopes: counts.describe('replies by SCOPE PREFIX-LENGTH'),
  missable: share.describe('steered share of networks that such a panel misses once in twenty'),
  verified: z.object({ blocks: count, samples: count, detectable: share.optional() }),
  fragmentation: z.number().min(1).optional(),
  failures: counts,
})

export const finding = z.object({
  id: z.enum(FINDING_IDS),
  level: z.enum(['error', 'warning', 'note', 'info']),
  message: z.string(),
  where: z.string().optional(),
})

const verdict = z.object({
  answer: z.enum(['real', 'fake', 'none', 'unclear']),
  code: z.enum(codes),
  modifiers: z.array(z.string()),
  evidence: z.discriminatedUnion('kind', [rotation, ecs]),
})

/** What canaries through a resolver showed; also of a unit of a recording. */
export const calibration = z.object({
  path: z
    .enum(['intact', 'altered'])
    .optional()
    .describe('whether what is measured through it counts; absent: not known'),
  server: z.string().describe('address#port of the resolver'),
  reason: z.string().describe('what it does, in a sentence'),
})

const result = z.object({
  name: z.string().describe('without trailing dot; the root is "."'),
  type: z.string(),
  server: z.string().describe('address#port, or tls://, https:// or json:// and where'),
  host: z.string().optional().describe('its host name, where all name servers were measured'),
  nameServers: z.array(z.string()).optional().describe("host names by the zone's NS records"),
  verdict,
  sentence: z.string(),
  groups: z.array(
    z.object({
      letter: z.string(),
      answers: z.array(z.string()),
      subnets: z.array(z.string()),
      regions: z.array(z.string()),
    }),
  ),
  scopes: z.array(
    z.object({
      subnet: z.string(),
      region: z.string().optional(),
      group: z.string().optional(),
      answers: z.array(z.string()),
      sets: count,
      scopes: z.array(count.max(128)),
      echo: z.enum(['exact', 'missing', 'partial', 'mismatch', 'unanswered']),
    }),
  ),
  findings: z.array(finding),
  calibration: calibration.optional().describe('absent where no resolver was tried'),
  tally: z.object({
    queries: count,
    replies: count,
    timeouts: count,
    rcodes: counts,
    servers: z.array(z.string()),
    silent: z.array(z.string()),
  }),
})

const octet = count.max(255)

export const query = z.object({
  seq: count.describe('order of sending, from 0, for each name and type'),
  t: z.number().describe('milliseconds since the measurement began'),
  name: z.string(),
  type: z.string(),
  server: z.string(),
  transport: z.enum(TRANSPORTS),
  round: count,
  purpose: z.enum(PURPOSES),
  nsid: z.string().optional(),
  subnet: z.string().optional(),
  sent: z
    .object({
      family: z.int(),
      source: octet,
      address: z.string(),
      malformed: z.string().optional().describe('what was wrong with the option on purpose'),
    })
    .optional(),
  got: z.object({ family: z.int(), source: octet, scope: octet, address: z.string() }).optional(),
  rcode: z.string().optional(),
  flags: z.object({ aa: z.boolean(), tc: z.boolean(), ra: z.boolean() }),
  ttl: count.optional(),
  answers: z.array(z.string()),
  chain: z.array(z.string()),
  referral: z.string().optional().describe('the zone that the reply refers elsewhere for'),
  rtt_ms: z.number().min(0),
  error: z.string().optional(),
  oddities: z.array(z.string()),
})

export const cutShort = z
  .object({
    reason: z.enum(['interrupted', 'deadline', 'budget', 'refused']),
    message: z.string(),
  })
  .describe('why less was seen than was wanted; absent where all was')

export const resultSchema = z.object({
  schema: z.literal(DOCUMENT.result),
  tool: z.object({ name: z.string(), version: z.string() }),
  plan: z.record(z.string(), z.unknown()).optional().describe('absent where the run never began'),
  results: z.array(result),
  queries: z.array(query),
  partial: cutShort.optional(),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
})

export type ResultDocument = Frozen<z.infer<typeof resultSchema>>

export type Frozen<T> = T extends object ? { readonly [Key in keyof T]: Frozen<T[Key]> } : T

/** The published form, two spaces deep, with a line end. */
export function schemaText(): string {
  const schema = z.toJSONSchema(resultSchema, { target: 'draft-2020-12' })
  const described = { title: DOCUMENT.result, description: 'What lbprobe --json prints', ...schema }
  return `${JSON.stringify(described, undefined, 2)}\n`
}
