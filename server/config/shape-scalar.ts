/**
 * The schema's smallest values: spans, switches, paths, prefixes. What the operator may write at one
 * place, and what it is read as.
 */
import * as z from 'zod'
import { wrong } from '../fault.ts'
import { reading } from './brick.ts'
import { secondsFrom } from './duration.ts'
import { instantFrom } from './instant.ts'
import { prefixFrom } from './prefix.ts'

/** Seconds. */
export const span = reading(
  z
    .union([z.number(), z.string()], { error: 'a span of time, like 30s' })
    .meta({ examples: ['30s', '1h30m', 60] }),
  secondsFrom,
)

/** YAML 1.2 reads `on` and `off` as text. */
export const onOff = z
  .union([z.boolean(), z.enum(['on', 'off'])], { error: 'on or off' })
  .transform(written => written === true || written === 'on')

/** Milliseconds since 1970. */
export const instant = reading(
  z.string().meta({ examples: ['2026-12-24T06:00:00Z', '2026-12-24T07:00:00+01:00'] }),
  instantFrom,
)

export const path = reading(z.string(), text =>
  text.trim() === '' || text.includes('\0')
    ? wrong('not a path', 'write the path of a file')
    : text,
)

export const prefix = reading(
  z.string().meta({ examples: ['203.0.113.0/24', '2001:db8::/32', '192.0.2.1'] }),
  prefixFrom,
)
