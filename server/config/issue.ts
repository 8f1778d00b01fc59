/**
 * What the schema found, as Problems: a sentence for each kind of mistake, at the key or value that
 * is wrong. Knows zod's issues and the source, and nothing of what options mean.
 */
import type * as z from 'zod'
import { type At, problemAt, type Remarks, type Wrong, wrong } from '../fault.ts'
import type { Mistake } from './brick.ts'
import { unknownWord } from './nearest.ts'
import { type Path, placeOf, type Source, valueAt } from './source.ts'

type Issue = z.core.$ZodIssue
type Found = { readonly path: Path; readonly mistake: Mistake }

/** Adds a Problem for every issue; places that already have one (of YAML itself) keep only that. */
export function reportIssues(issues: readonly Issue[], source: Source, remarks: Remarks): void {
  const found = issues.flatMap(issue => findings(issue, [], source))
  const taken = new Set(remarks.problems.map(placeKey))
  for (const { path, mistake } of found) {
    if (isMistyped(mistake.absent ?? [], path, found)) continue
    if (isMistyped(mistake.needs ?? [], path.slice(0, -1), found)) continue
    const at = placeOf(source, path, mistake.spot)
    if (!taken.has(placeKey(at))) remarks.problems.push(problemAt(at, mistake.reason))
  }
}

/** One issue, or those of the branch of a union that was meant. */
function findings(issue: Issue, above: Path, source: Source): Found[] {
  const path = [...above, ...issue.path]
  if (issue.code === 'custom') return [{ path, mistake: issue.params?.mistake as Mistake }]
  if (issue.code === 'invalid_union') {
    const meant = issue.errors.filter(branch => !branch.some(isMisfit))
    const [only] = meant
    if (only !== undefined) return only.flatMap(inner => findings(inner, path, source))
  }
  const value = valueAt(source, path)
  const key = path.at(-1)
  if (value === undefined && typeof key === 'string') {
    const reason = wrong(`${key} is missing`, `add ${key}: ${example(issue)}`)
    return [{ path: path.slice(0, -1), mistake: { reason, spot: 'key', absent: [key] } }]
  }
  return [{ path, mistake: { reason: reasonOf(issue, value), spot: 'value' } }]
}

/** A branch whose very kind of value is not the one written. */
function isMisfit(issue: Issue): boolean {
  if (issue.path.length > 0) return false
  if (issue.code === 'invalid_union') return issue.errors.every(branch => branch.some(isMisfit))
  return issue.code === 'invalid_type' || issue.code === 'invalid_value'
}

/** A key is not missing from a mapping where an unknown one was meant to be it. */
function isMistyped(absent: readonly string[], mapping: Path, found: readonly Found[]): boolean {
  return found.some(
    ({ path, mistake }) =>
      mistake.meant !== undefined &&
      absent.includes(mistake.meant) &&
      path.length === mapping.length + 1 &&
      mapping.every((step, at) => step === path[at]),
  )
}

function reasonOf(issue: Issue, value: unknown): Wrong {
  switch (issue.code) {
    case 'invalid_type':
      return mismatch(expected(issue.expected), value)
    case 'invalid_union':
      return issue.discriminator === undefined
        ? mismatch(issue.message, value)
        : strayed(issue.message, value, 'options' in issue ? (issue.options ?? []) : [])
    case 'too_small':
      return bounded(value, `${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}`)
    case 'too_big':
      return bounded(value, `at most ${issue.maximum}`)
    case 'invalid_format':
      return wrong(`${shown(value)} has characters that cannot stand here`, 'use plain ASCII text')
    default:
      return wrong(`${shown(value)} cannot stand here`)
  }
}

/** Of several mappings, told apart by one key, none is meant. */
function strayed(kind: string, value: unknown, options: readonly unknown[]): Wrong {
  if (typeof value !== 'string') return mismatch('text', value)
  return unknownWord(`${value} is no ${kind}`, value, options.map(String))
}

function bounded(value: unknown, bound: string): Wrong {
  if (Array.isArray(value)) return wrong('an empty list', `give it ${bound} item`)
  if (typeof value === 'number') return wrong(`${value} is out of range`, bound)
  return wrong(`a text of ${String(value).length} characters`, bound)
}

function mismatch(wanted: string, value: unknown): Wrong {
  const what = `expected ${wanted}, found ${shown(value)}`
  if (value === null) return wrong(what, 'give it a value, or take the key out')
  if (wanted.startsWith('a list')) return wrong(what, `write [${inList(value)}]`)
  if (wanted === 'a mapping') return wrong(what, 'write key: value, in { } or on lines below')
  if (wanted === 'a number') return wrong(what, 'write digits alone, without quotes or a unit')
  if (wanted === 'a whole number') return wrong(what, 'write it without a fraction')
  if (wanted !== 'text') return wrong(what)
  return wrong(
    what,
    typeof value === 'object' ? 'put a text in quotes' : `write "${String(value)}"`,
  )
}

function inList(value: unknown): string {
  return typeof value === 'object' ? '…' : String(value)
}

function expected(kind: string): string {
  if (kind === 'string') return 'text'
  if (kind === 'array') return 'a list'
  if (kind === 'int') return 'a whole number'
  if (kind === 'number') return 'a number'
  return 'a mapping'
}

function shown(value: unknown): string {
  if (value === null) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'a mapping'
  return typeof value === 'string' ? `"${value}"` : `${typeof value} ${String(value)}`
}

function example(issue: Issue): string {
  const [first] = issue.code === 'invalid_union' ? (issue.errors[0] ?? []) : [issue]
  return first?.code === 'invalid_type' && first.expected === 'array' ? '[…]' : '…'
}

function placeKey(at: At): string {
  return `${at.line}:${at.column}`
}
