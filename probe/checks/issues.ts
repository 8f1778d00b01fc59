/** What a shape finds wrong in a file, as sentences with places: what, and what to write instead. */
import type { z } from 'zod'
import { nearTo } from '../judge/near.ts'
import { type Wrong, wrong } from '../plan/wrong.ts'
import { type Mistake, type Path, placeOf, type Source } from './source.ts'

type Issue = z.core.$ZodIssue

/**
 * One mistake for each issue, those of the branch of a union that was meant.
 *
 * @param keys that a file like this may have; an unknown one is held against them
 */
export function mistakesOf(
  issues: readonly Issue[],
  source: Source,
  keys: readonly string[] = [],
): readonly Mistake[] {
  return issues.flatMap(issue => mistakes(issue, [], source)).map(one => withNear(one, keys))
}

type Found = Mistake & { readonly unknown?: string }

function withNear({ unknown, ...mistake }: Found, keys: readonly string[]): Mistake {
  if (unknown === undefined || keys.length === 0) return mistake
  const [near] = nearTo(unknown, keys)
  const fix = near === undefined ? `known: ${keys.join(', ')}` : `did you mean ${near}?`
  return { ...mistake, reason: wrong(mistake.reason.wrong, fix) }
}

function mistakes(issue: Issue, above: Path, source: Source): readonly Found[] {
  const path = [...above, ...issue.path]
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map(key => ({
      at: placeOf(source, [...path, key], 'key'),
      reason: wrong(`${key} is not known here`, 'take it out, or see the schema for its name'),
      unknown: key,
    }))
  }
  if (issue.code === 'invalid_key') return issue.issues.flatMap(of => keyMistake(of, path, source))
  if (issue.code === 'invalid_union') {
    const meant = issue.errors.find(branch => !branch.some(isMisfit))
    if (meant !== undefined) return meant.flatMap(inner => mistakes(inner, path, source))
    const [first] = issue.errors.flat()
    return first === undefined ? [] : mistakes(first, path, source)
  }
  const value = valueAt(source.value, path)
  const key = path.at(-1)
  if (value === undefined && typeof key === 'string') {
    const reason = wrong(`${key} is missing`, `add ${key}: ${exampleOf(key)}`)
    return [{ at: placeOf(source, path.slice(0, -1)), reason }]
  }
  return [{ at: placeOf(source, path), reason: reasonOf(issue, value) }]
}

function keyMistake(issue: Issue, path: Path, source: Source): Mistake {
  return { at: placeOf(source, path, 'key'), reason: said(issue.message) }
}

/** A branch whose very kind of value is not the one written. */
function isMisfit(issue: Issue): boolean {
  return issue.path.length === 0 && issue.code === 'invalid_type'
}

function reasonOf(issue: Issue, value: unknown): Wrong {
  switch (issue.code) {
    case 'custom':
      return said(issue.message)
    case 'invalid_type':
      return wrong(
        `expected ${kindText(issue.expected)}, found ${shown(value)}`,
        writtenAs(issue.expected, value),
      )
    case 'invalid_value':
      return wrong(`${shown(value)} cannot stand here`, `one of ${issue.values.join(', ')}`)
    case 'too_small':
      if (Array.isArray(value)) return wrong('the list is too short', `${issue.minimum} at least`)
      return wrong(`${shown(value)} is too small`, `${issue.minimum} at least`)
    case 'too_big':
      return wrong(`${shown(value)} is too big`, `${issue.maximum} at most`)
    default:
      return wrong(`${shown(value)} cannot stand here`, 'see the README for what can')
  }
}

/** A sentence that was put together already. */
function said(message: string): Wrong {
  const [what = '', fix] = message.split(' · ')
  return wrong(what, fix)
}

function exampleOf(key: string): string {
  if (key === 'version') return '1'
  if (key === 'modules') return 'with a name and its keys below'
  return key === 'checks' ? 'with a list of checks below' : 'www.example.com'
}

function kindText(kind: string): string {
  if (kind === 'string') return 'text'
  if (kind === 'array') return 'a list'
  return kind === 'int' ? 'a whole number' : kind === 'number' ? 'a number' : 'a mapping'
}

/** How a value of that kind is written. */
function writtenAs(kind: string, value: unknown): string {
  const isOne = typeof value === 'string' || typeof value === 'number'
  if (kind === 'array') return isOne ? `write [${value}]` : 'write [one, two]'
  if (kind === 'string') return isOne ? `write "${value}"` : 'write one word'
  return kind === 'int' || kind === 'number' ? 'write it in digits' : 'write key: value'
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'a mapping'
  return typeof value === 'string' ? `"${value}"` : `${value}`
}

function valueAt(top: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (held, step) =>
      typeof held === 'object' && held !== null && Object.hasOwn(held, step)
        ? (held as Record<PropertyKey, unknown>)[step]
        : undefined,
    top,
  )
}
