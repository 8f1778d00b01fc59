/**
 * The schema of `by`: how clients are told apart, and the keys that tell them. What a branch may
 * hold is given.
 */
import type * as z from 'zod'
import { isWrong, type Wrong, wrong } from '../fault.ts'
import { asnFrom } from './asn.ts'
import { ANY_MAPPING, distinctKeys, flawOfReference, keyed, named, refuse } from './brick.ts'
import { countryFlaw } from './country.ts'
import type { Known } from './facts.ts'
import { cityFlaw, subdivisionFlaw } from './region.ts'
import type { WrittenBranch } from './shape-choose.ts'

/** Branches by what they are for; a continent that is not named is absent. */
export type WrittenBy = {
  readonly networks: Branches
  readonly asns: Branches
  readonly fields: Readonly<Record<string, Branches>>
  readonly cities: Branches
  readonly subdivisions: Branches
  readonly countries: Branches
  readonly continents: { readonly [Code in Continent]?: WrittenBranch | undefined }
  readonly default: WrittenBranch
}

type Continent = 'AF' | 'AN' | 'AS' | 'EU' | 'NA' | 'OC' | 'SA'

export type Branches = Readonly<Record<string, WrittenBranch>>

export function byShape(
  { networks, countries }: Known,
  branch: z.ZodType<WrittenBranch>,
): z.ZodType<WrittenBy> {
  const branches = (flawOf: (key: string) => Wrong | undefined) =>
    named(branch, flawOf).prefault({})
  return keyed({
    networks: branches(name => flawOfReference('network', name, networks)).describe(
      'By the name of a network. The longest prefix that holds the client decides.',
    ),
    asns: named(branch, flawOfAsn)
      .superRefine(distinctKeys(asnKey, 'the same as'), ANY_MAPPING)
      .prefault({})
      .describe('By the number of the client’s network: 64500 or AS64500.'),
    fields: named(valuesShape(branch), flawOfPath)
      .prefault({})
      .describe(
        'By any field of the database, like traits/connection_type, and then by its value. ' +
          'Values are compared as text: true, 1 and "1" are what they look like.',
      ),
    cities: branches(name => cityFlaw(name, countries)).describe(
      'By English name: Berlin, DE/Berlin or US-CA/Los Angeles. The longest form decides.',
    ),
    subdivisions: branches(code => subdivisionFlaw(code, countries)).describe(
      'By ISO 3166-2 code, like US-CA.',
    ),
    countries: branches(code => countryFlaw(code, countries)).describe('By ISO 3166-1 code.'),
    continents: continentsShape(branch).prefault({}).describe('By continent.'),
    default: branch.describe('Every other client.'),
  }).meta({ id: 'by' })
}

function continentsShape(branch: z.ZodType<WrittenBranch>) {
  const continent = (name: string) => branch.optional().describe(name)
  return keyed({
    AF: continent('Africa'),
    AN: continent('Antarctica'),
    AS: continent('Asia'),
    EU: continent('Europe'),
    NA: continent('North America'),
    OC: continent('Oceania'),
    SA: continent('South America'),
  })
}

function valuesShape(branch: z.ZodType<WrittenBranch>) {
  const flawOf = (value: string): Wrong | undefined =>
    value === '' ? wrong('an empty value', 'write it as the database has it') : undefined
  return named(branch, flawOf).superRefine((values, context) => {
    if (Object.keys(values).length > 0) return
    const reason = wrong('a field without a value', 'add VALUE: [POOL], or take the field out')
    refuse(context, [], { reason, spot: 'key' })
  }, ANY_MAPPING)
}

function flawOfPath(path: string): Wrong | undefined {
  const isPath = path.split('/').every(step => step !== '' && step === step.trim())
  if (isPath) return undefined
  return wrong(`${path || '""'} is no path of a field`, 'write it like traits/connection_type')
}

function flawOfAsn(text: string): Wrong | undefined {
  const asn = asnFrom(text)
  return isWrong(asn) ? asn : undefined
}

/** 64500 and AS64500 are two keys and one number. */
function asnKey(text: string): number | undefined {
  const asn = asnFrom(text)
  return isWrong(asn) ? undefined : asn
}
