/**
 * The shape of a recording, `lbprobe.recording/1`: one of these is each line. Recordings come from
 * a disk, so every line is checked before anything is judged by it.
 */
import { z } from 'zod'
import { FAILURES, type Observation, PURPOSES, TRANSPORTS } from '../judge/observation.ts'
import type { Partial } from '../judge/partial.ts'
import { DOCUMENT } from './documents.ts'
import type { MapRecorded } from './recording.ts'
import { calibration } from './schema.ts'

const count = z.int().min(0)
const octet = count.max(255)
const hex = z.string().regex(/^([0-9a-f]{2})*$/)

const seed = count.max(0xffffffff)

const unitOptions = z.object({
  command: z.enum(['dns2', 'ecs']),
  seed,
  alpha: z.number().min(0).max(1),
  samples: count.describe('in each block announced'),
  panel: z.array(z.string()).describe('client subnets, in the order of the report'),
})

const mapOptions = z.object({
  command: z.literal('map'),
  seed,
  samples: count.max(1000).describe('in each block, beside the first'),
  orders: count.min(1).max(100).describe('of clients, for the cache oracle'),
  special: z.enum(['skipped', 'asked']).describe('blocks that are nobody’s'),
  sources: z.array(count.max(128)).min(1).describe('SOURCE lengths, the usual one first'),
  space: z.array(z.string()).min(1).describe('prefixes that are gone through'),
  draws: count.max(1_000_000).describe('networks drawn where scopes never widen'),
  width: count.min(1).max(1000).describe('pieces gone through at once'),
}) satisfies z.ZodType<MapRecorded>

export const headShape = z.object({
  schema: z.literal(DOCUMENT.recording),
  tool: z.object({ name: z.string(), version: z.string() }),
  began: z.iso.datetime().describe('when the run began'),
  options: z.discriminatedUnion('command', [unitOptions, mapOptions]),
  plan: z.record(z.string(), z.unknown()),
})

export const unitShape = z.object({
  unit: count.describe('number, from 0'),
  name: z.string().describe('as wished for, without trailing dot'),
  type: z.string(),
  chain: z.array(z.string()).describe('aliases followed; the last was asked for'),
  servers: z.array(z.string()).describe('address#port'),
  nameServers: z.array(z.string()).optional().describe("host names by the zone's NS records"),
  host: z.string().optional().describe('of its one server, with --all-ns'),
  after: z
    .enum(['nothing', 'silence'])
    .describe('silence: asked instead of servers that were silent'),
  trust: calibration.optional().describe('what trying a resolver showed'),
  limit: count.optional().describe('most queries of a map, those of earlier runs included'),
})

const OBSERVATION = {
  sequence: count.describe('order of sending, from 0, in its unit'),
  at: z.number(),
  name: z.string(),
  type: z.string(),
  server: z.string(),
  transport: z.enum(TRANSPORTS),
  round: count,
  purpose: z.enum(PURPOSES),
  sent: z
    .object({
      text: z.string(),
      family: z.union([z.literal(1), z.literal(2)]),
      source: octet,
      address: hex,
      region: z.string().optional(),
      malformed: z.string().optional().describe('what was wrong on purpose'),
    })
    .optional(),
  error: z.enum(FAILURES).optional(),
  rcode: z.string().optional(),
  flags: z.object({ aa: z.boolean(), tc: z.boolean(), ra: z.boolean() }),
  echo: z.object({ family: z.int(), source: octet, scope: octet, address: hex }).optional(),
  edns: z.boolean(),
  answers: z.array(z.string()),
  chain: z.array(z.string()),
  ttl: count.optional(),
  soa: z.boolean(),
  referral: z.string().optional(),
  instance: z.string().optional(),
  milliseconds: z.number().min(0),
  oddities: z.array(z.string()),
} satisfies Readonly<Record<keyof Observation, z.ZodType>>

export const observationShape = z.object({
  of: count.describe('the number of its unit'),
  ...OBSERVATION,
})

const partial = z.discriminatedUnion('reason', [
  z.object({ reason: z.literal('interrupted') }),
  z.object({ reason: z.literal('deadline'), seconds: z.number() }),
  z.object({ reason: z.literal('budget'), queries: count, name: z.string() }),
  z.object({ reason: z.literal('refused'), server: z.string(), replies: count }),
]) satisfies z.ZodType<Partial>

/** With --jsonl; who replays a recording judges it anew. */
export const resultShape = z.object({
  result: z.record(z.string(), z.unknown()).describe('of the lines before, as in lbprobe.result/1'),
})

const error = z.object({ code: z.string(), message: z.string() })

export const endShape = z.discriminatedUnion('end', [
  z.object({ end: z.literal('done'), error: error.optional() }),
  z.object({ end: z.literal('partial'), partial, error: error.optional() }),
])

export const failedShape = z.object({
  end: z.literal('failed').describe('the only line of a run that never began'),
  error,
})

/** An observation as the judge has it: what is absent is `undefined`. */
export function observationFrom(read: z.infer<typeof observationShape>): Observation {
  const { of: _, referral, sent, ...seen } = read
  const { echo, error, instance, rcode, ttl } = seen
  return {
    ...seen,
    ...{ echo, error, instance, rcode, ttl },
    sent: sent === undefined ? undefined : sentFrom(sent),
    ...(referral === undefined ? {} : { referral }),
  }
}

type SentRead = NonNullable<z.infer<typeof observationShape>['sent']>

function sentFrom({ malformed, ...sent }: SentRead): NonNullable<Observation['sent']> {
  const whole = { ...sent, region: sent.region }
  return malformed === undefined ? whole : { ...whole, malformed }
}

/** The published form, two spaces deep, with a line end. */
export function recordingSchemaText(): string {
  const line = z.union([headShape, unitShape, observationShape, resultShape, endShape, failedShape])
  const schema = z.toJSONSchema(line, { target: 'draft-2020-12' })
  const described = {
    title: DOCUMENT.recording,
    description: 'One line of what --record writes, and --jsonl prints',
    ...schema,
  }
  return `${JSON.stringify(described, undefined, 2)}\n`
}
