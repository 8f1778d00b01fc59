/** Mistakes that no single key makes: what contradicts itself, or asserts nothing. */
import { wrong } from '../plan/wrong.ts'
import type { CheckShape, ChecksShape } from './shape.ts'
import { type Mistake, type Path, placeOf, type Source } from './source.ts'
import { wishesOf } from './wishes.ts'

export function senseless(file: ChecksShape, source: Source): readonly Mistake[] {
  const { defaults = {} } = file
  return [
    ...twoPanels(defaults, ['defaults'], source),
    ...file.checks.flatMap((check, index) => ofCheck(file, check, ['checks', index], source)),
  ]
}

function ofCheck(
  file: ChecksShape,
  check: CheckShape,
  path: Path,
  source: Source,
): readonly Mistake[] {
  return [
    ...twoPanels(check, path, source),
    ...assertsNothing(check, path, source),
    ...upsideDown(check.ecs?.scope, [...path, 'ecs', 'scope'], source),
    ...upsideDown(check.ttl, [...path, 'ttl'], source),
    ...unasked(file, check, path, source),
    ...noAddresses(file, check, path, source),
  ]
}

type Clients = Pick<CheckShape, 'subnets' | 'countries' | 'preset'>

function twoPanels(
  { subnets, countries, preset }: Clients,
  path: Path,
  source: Source,
): readonly Mistake[] {
  const other = countries !== undefined ? 'countries' : preset !== undefined ? 'preset' : undefined
  if (subnets === undefined || other === undefined) return []
  const at = placeOf(source, [...path, other], 'key')
  return [{ at, reason: wrong(`subnets and ${other} exclude each other`, 'take one of them') }]
}

function assertsNothing(check: CheckShape, path: Path, source: Source): readonly Mistake[] {
  const sets = Object.entries({ addresses: check.addresses, ...check.by_country })
  const empty = sets.filter(([, set]) => set !== undefined && Object.keys(set).length === 0)
  const mistakes = empty.map(([key]) => ({
    at: placeOf(source, key === 'addresses' ? [...path, key] : [...path, 'by_country', key]),
    reason: wrong(`${key} asserts nothing`, 'write exactly, contains or within'),
  }))
  if (mistakes.length > 0 || wishesOf(check).length > 0) return mistakes
  const fix = 'add rotation, addresses, ecs, ttl, all_ns or forbid'
  return [{ at: placeOf(source, path), reason: wrong(`${check.name} asserts nothing`, fix) }]
}

type Range = { readonly min?: number | undefined; readonly max?: number | undefined }

function upsideDown(range: Range | undefined, path: Path, source: Source): readonly Mistake[] {
  const { min, max } = range ?? {}
  if (min === undefined || max === undefined || min <= max) return []
  const at = placeOf(source, [...path, 'min'])
  return [{ at, reason: wrong(`min ${min} is above max ${max}`, 'turn them round') }]
}

/** Countries that are judged, but for which nothing is asked. */
function unasked(
  file: ChecksShape,
  check: CheckShape,
  path: Path,
  source: Source,
): readonly Mistake[] {
  const isOwn = [check.subnets, check.countries, check.preset].some(one => one !== undefined)
  const { countries } = (isOwn ? check : file.defaults) ?? {}
  if (countries === undefined) return []
  const asked = new Set(countries.map(code => code.toUpperCase()))
  const judged = Object.keys(check.by_country ?? {}).filter(code => !asked.has(code.toUpperCase()))
  return judged.map(code => ({
    at: placeOf(source, [...path, 'by_country', code], 'key'),
    reason: wrong(`${code} is judged, but not asked for`, `add ${code} to countries`),
  }))
}

/** Prefixes hold addresses; other types have none. */
function noAddresses(
  file: ChecksShape,
  check: CheckShape,
  path: Path,
  source: Source,
): readonly Mistake[] {
  const type = check.type ?? file.defaults?.type ?? 'A'
  const types = (typeof type === 'string' ? [type] : type).map(one => one.toUpperCase())
  const other = types.find(one => one !== 'A' && one !== 'AAAA')
  if (other === undefined) return []
  return wishesOf(check).flatMap(({ wanted, keys }) =>
    (wanted.kind === 'addresses' || wanted.kind === 'country') && wanted.set.how === 'within'
      ? [
          {
            at: placeOf(source, [...path, ...keys], 'key'),
            reason: wrong(`${other} has no addresses`, 'write exactly or contains'),
          },
        ]
      : [],
  )
}
