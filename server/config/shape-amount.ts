/**
 * The schema of what both pools and rules may say of how much must be up, and of how far a pool is.
 */
import * as z from 'zod'
import { reading } from './brick.ts'
import { quorumFrom } from './quorum.ts'

export const quorum = reading(
  z
    .union([z.number(), z.string()], { error: 'a count of targets, or a share like 50%' })
    .meta({ examples: [2, '50%', 0.5] }),
  quorumFrom,
)

/** Overprovisioning factor. */
export const spill = z
  .number()
  .min(1)
  .meta({ examples: [1.4] })

/** Percent. */
export const bias = z.number().min(-99).max(99)
