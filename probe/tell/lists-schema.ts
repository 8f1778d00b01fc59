/**
 * The shapes of the small documents: changes that `watch` tells, the table of subnets, the pages of
 * `explain`, the list of findings. What is here once stays: later versions add keys.
 */

import { z } from 'zod'
import { FINDING_IDS } from '../judge/finding.ts'
import { DOCUMENT } from './documents.ts'

const count = z.int().min(0)
const words = z.array(z.string())
const level = z.enum(['error', 'warning', 'note', 'info'])

const about = {
  schema: z.literal(DOCUMENT.watch),
  at: z.iso.datetime(),
  name: z.string(),
  type: z.string(),
}
const said = z.object({ answer: z.string(), code: z.string() })
const place = z.object({ subnet: z.string(), region: z.string().optional() })
const kind = <Kind extends string>(word: Kind) => z.literal(word)

/** One line of it. */
export const watchSchema = z.discriminatedUnion('kind', [
  z.object({ ...about, kind: kind('learned'), groups: z.array(z.looseObject({})) }),
  z.object({
    ...about,
    kind: kind('moved'),
    subnets: z.array(place),
    from: z.string().describe('letter'),
    to: z.string().describe('letter'),
    answers: words,
  }),
  z.object({
    ...about,
    kind: kind('replaced'),
    letter: z.string(),
    gone: words,
    come: words,
    subnets: z.array(place),
  }),
  z.object({ ...about, kind: kind('scope'), subnets: z.array(place), from: count, to: count }),
  z.object({ ...about, kind: kind('untrue'), block: z.string(), network: z.string() }),
  z.object({ ...about, kind: kind('true-again'), block: z.string() }),
  z.object({ ...about, kind: kind('verdict'), from: z.string().optional(), to: said }),
  z.object({ ...about, kind: kind('silent'), why: z.string() }),
  z.object({ ...about, kind: kind('back'), since: z.iso.datetime() }),
  z.object({
    ...about,
    kind: kind('summary').describe('the last line'),
    verdict: said.optional(),
    passes: count,
    changes: count,
    silent: z.boolean(),
    groups: z.array(z.object({ letter: z.string(), subnets: words })),
  }),
])

const row = z.object({
  country: z.string(),
  prefix: z.string(),
  holder: z.string(),
  preset: z.string(),
  family: z.union([z.literal(4), z.literal(6)]),
  agreeing: count.max(4).describe('databases that put it into that country'),
  source: z.string(),
  checked: z.string().describe('day'),
  note: z.string(),
})

export const subnetsSchema = z.object({
  schema: z.literal(DOCUMENT.subnets),
  tool: z.object({ name: z.string(), version: z.string() }),
  subnets: z.array(row).optional(),
  databases: words.optional().describe('of subnets verify, as the next two'),
  checked: count.optional().describe('subnets looked up'),
  disagreements: z
    .array(
      z.object({
        country: z.string(),
        prefix: z.string(),
        database: z.string(),
        says: z.string().optional().describe('absent: it knows no country'),
      }),
    )
    .optional(),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
})

export const explainSchema = z.object({
  schema: z.literal(DOCUMENT.explain),
  pages: z.array(
    z.object({
      word: z.string(),
      kind: z.enum(['answer', 'verdict of ecs', 'verdict of dns2', 'modifier', 'finding']),
      title: z.string(),
      means: z.string(),
      shown: z.string(),
      matters: z.string(),
      next: z.string(),
      unless: z.string(),
      section: z.string(),
    }),
  ),
})

export const findingsSchema = z.object({
  schema: z.literal(DOCUMENT.checks),
  checks: z.array(
    z.object({ id: z.enum(FINDING_IDS), name: z.string(), level, section: z.string() }),
  ),
})
