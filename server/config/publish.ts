/**
 * The schema as JSON Schema, for editors that complete and check the operator's file as it is typed.
 */
import * as z from 'zod'
import type { Known } from './facts.ts'
import { configShape } from './shape.ts'

const NOTHING_KNOWN: Known = {
  pools: new Map(),
  networks: new Set(),
  checks: new Map(),
  owners: new Map(),
  countries: new Map(),
}

/** The operator's file in JSON Schema 2020-12. Names that refer to others are not checked there. */
export function configJsonSchema(): object {
  const { $schema, ...schema } = z.toJSONSchema(configShape(NOTHING_KNOWN, new Map()), {
    target: 'draft-2020-12',
    io: 'input',
    override: ({ jsonSchema }) => {
      // `keyed` refuses other keys by itself; zod does not know of it.
      if (jsonSchema.properties !== undefined) jsonSchema.additionalProperties = false
    },
  })
  return { $schema, title: 'The configuration of lbdns', ...schema }
}
