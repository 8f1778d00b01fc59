/**
 * The shape of an assertion file, `lbprobe.yaml`; its JSON Schema is made from this. What single words
 * mean (a name, a server, an address) is asked of the vocabulary that the caller brings.
 */
import { z } from 'zod'
import { FINDING_IDS } from '../judge/finding.ts'
import { ECS_ANSWER, ROTATION_ANSWER } from '../judge/verdict.ts'
import { PRESETS } from '../plan/preset.ts'
import { readAddress, readSubnet, USUAL_BITS } from '../plan/subnet.ts'
import { isWrong, type Wrong, wrong, wrongText } from '../plan/wrong.ts'

export const CHECKS_VERSION = 1

/** What a word must be; `undefined` where it is that. */
export type Vocabulary = {
  readonly name: (text: string) => Wrong | undefined
  readonly type: (text: string) => Wrong | undefined
  readonly server: (text: string) => Wrong | undefined
  readonly country: (text: string) => Wrong | undefined
}

const ANSWERS = [...new Set(Object.values(ECS_ANSWER))]
const MOST_BITS = 128
const MOST_TTL = 2 ** 31 - 1

const text = z.string().min(1)
const finding = z.enum(FINDING_IDS)

/** One word or a list of them. */
function oneOrMore<T extends z.ZodType>(item: T): z.ZodUnion<[T, z.ZodArray<T>]> {
  return z.union([item, z.array(item).min(1)])
}

/** A text of which somebody else knows whether it can be meant. */
export function worded(judge: (text: string) => Wrong | undefined): z.ZodString {
  return text.superRefine((value, context) => {
    const reason = judge(value)
    if (reason !== undefined) context.addIssue({ code: 'custom', message: wrongText(reason) })
  })
}

const prefix = worded(value => {
  const whole = value.includes('/') ? value : `${value}/${value.includes(':') ? 128 : 32}`
  const read = readSubnet(whole, 'any')
  if (!isWrong(read)) return undefined
  return wrong(`${value} is no prefix`, 'write one such as 192.0.2.0/24, or an address')
})

export const subnet = worded(value => {
  const read = readSubnet(value, 'usual')
  if (!isWrong(read)) return undefined
  const isLong = !isWrong(readSubnet(value, 'any')) // a file has no --allow-long-prefix
  const fix = isLong ? `shorten it to /${USUAL_BITS[value.includes(':') ? 2 : 1]}` : read.fix
  return wrong(read.wrong.replace(/^--subnet /, ''), fix)
})

/** An address where it looks like one; other types have other data. */
const record = worded(value =>
  /^[0-9.]+$/.test(value) && readAddress(value) === undefined
    ? wrong(`${value} is no address`, 'write four numbers from 0 to 255')
    : undefined,
)

const addressSet = z.strictObject({
  exactly: z.array(record).optional().describe('these and no others'),
  contains: z.array(record).min(1).optional().describe('these, and maybe others'),
  within: z.array(prefix).min(1).optional().describe('nothing outside these prefixes'),
})

const range = (least: number, most: number, what: string) =>
  z.int().min(least).max(most).optional().describe(what)

const ttl = z.strictObject({
  min: range(0, MOST_TTL, 'seconds; no TTL seen is less'),
  max: range(0, MOST_TTL, 'seconds; no TTL seen is more'),
  policy: z
    .enum(['constant', 'counting-down'])
    .optional()
    .describe('constant: an authority; counting-down: a cache'),
})

const ecs = z.strictObject({
  verdict: oneOrMore(z.enum([...ANSWERS, ...Object.keys(ECS_ANSWER)]))
    .optional()
    .describe('an answer (real, fake, none, unclear) or a code; of a list one must be it'),
  scope: z
    .strictObject({
      min: range(0, MOST_BITS, 'shortest SCOPE PREFIX-LENGTH'),
      max: range(0, MOST_BITS, 'longest SCOPE PREFIX-LENGTH'),
    })
    .optional()
    .describe('of replies to queries that name a subnet'),
  forbid: z.array(finding).min(1).optional().describe('findings that must not come up'),
})

/** What may stand in `defaults` and in each check. */
function whom(words: Vocabulary) {
  return {
    type: oneOrMore(worded(words.type)).optional().describe('record type, or several; default A'),
    servers: oneOrMore(worded(words.server))
      .optional()
      .describe('as on the command line, with or without @; default auth'),
    subnets: z.array(subnet).min(2).optional().describe('client subnets to ask for'),
    countries: z
      .array(worded(words.country))
      .min(1)
      .optional()
      .describe('countries of the panel; default US, DE, JP, BR and those in by_country'),
    preset: z
      .enum(PRESETS)
      .optional()
      .describe('networks of the panel: academic, isp, cloud, or world for all but clouds'),
    count: z.int().min(1).max(10_000).optional().describe('queries in a row; default 20'),
  }
}

function check(words: Vocabulary) {
  return z.strictObject({
    name: worded(words.name).describe('the domain name to ask for'),
    ...whom(words),
    rotation: oneOrMore(z.enum(Object.keys(ROTATION_ANSWER)))
      .optional()
      .describe('what dns2 says; of a list one must be it'),
    addresses: addressSet.optional().describe('all addresses seen, from any client'),
    min_addresses: range(1, 100_000, 'distinct addresses, at least'),
    ecs: ecs.optional().describe('what ecs says'),
    by_country: z
      .record(worded(words.country), addressSet)
      .optional()
      .describe('addresses for clients in a country'),
    ttl: ttl.optional(),
    all_ns: z.literal('consistent').optional().describe('every name server answers alike'),
    forbid: z.array(finding).min(1).optional().describe('findings that must not come up'),
  })
}

export function checksShape(words: Vocabulary) {
  return z.strictObject({
    $schema: z.string().optional().describe('for editors'),
    version: z.literal(CHECKS_VERSION).describe('of this format'),
    defaults: z.strictObject(whom(words)).optional().describe('for checks that do not say'),
    checks: z.array(check(words)).min(1).describe('what must hold'),
  })
}

export type ChecksShape = z.infer<ReturnType<typeof checksShape>>
export type CheckShape = ChecksShape['checks'][number]
export type AddressSetShape = NonNullable<CheckShape['addresses']>

const ANY: Vocabulary = {
  name: () => undefined,
  type: () => undefined,
  server: () => undefined,
  country: () => undefined,
}

/** The published JSON Schema, two spaces deep, with a line end. */
export function checksSchemaText(): string {
  const schema = z.toJSONSchema(checksShape(ANY), { target: 'draft-2020-12' })
  const described = { title: 'lbprobe.yaml', description: 'Assertions of lbprobe check', ...schema }
  return `${JSON.stringify(described, undefined, 2)}\n`
}
