/**
 * The schema of `checks`: how targets are to be checked. Read, but not run in this version.
 */
import * as z from 'zod'
import { keyed, named, word } from './brick.ts'
import { path, span } from './shape-scalar.ts'

const LATER = [
  ...['host', 'status', 'ok', 'body', 'header', 'headers', 'method', 'sni', 'query', 'command'],
  ...['fast_every', 'initial', 'address', 'all', 'any', 'of', 'load', 'capacity', 'days'],
]
const TYPES = ['http', 'https', 'tcp', 'tls', 'dns', 'exec', 'file', 'push', 'grpc'] as const

export function checksShape() {
  const times = z.int().min(1)
  const check = keyed(
    {
      type: word('check', TYPES).describe('What is tried.'),
      path: path.optional().describe('The path that is asked for, or of the file or program.'),
      port: z.int().min(1).max(65_535).optional().describe('The port that is checked.'),
      every: span.prefault('10s').describe('How often.'),
      timeout: span.prefault('2s').describe('How long a check may take.'),
      fall: times.prefault(3).describe('Failures in a row that make a target down.'),
      rise: times.prefault(2).describe('Passes in a row that make a target up.'),
    },
    { later: LATER },
  )
  return named(check)
}
