/**
 * The bricks of the schema: mappings that know their keys, texts that must read as something, names
 * that must exist. A mistake found here carries its own sentence and place, in the issue's `params`.
 */
import * as z from 'zod'
import { isWrong, type Wrong, wrong } from '../fault.ts'
import { nearestWord, oneOf, unknownWord } from './nearest.ts'

/** Names that something has; those of a map are its keys. */
export type Names = {
  readonly has: (name: string) => boolean
  readonly keys: () => Iterable<string>
}

/** What a mistake's issue carries. */
export type Mistake = {
  readonly reason: Wrong
  /** Which half of `key: value` is wrong. */
  readonly spot: 'key' | 'value'
  /** The key that an unknown one was meant to be. */
  readonly meant?: string | undefined
  /** Keys of which one is missing: no mistake of its own where a mistyped key was meant to be it. */
  readonly absent?: readonly string[]
  /** Keys of which one is missing beside it: likewise. */
  readonly needs?: readonly string[]
}

type Entries = { readonly [key: string]: unknown }
type Context = z.core.$RefinementCtx<unknown>

/** Checks the whole of a mapping although parts of it are wrong: every mistake at once. */
export const ANY_MAPPING = {
  when: ({ value }: { readonly value: unknown }) =>
    typeof value === 'object' && value !== null && !Array.isArray(value),
}

/** Likewise, the whole of a list. */
export const ANY_LIST = {
  when: ({ value }: { readonly value: unknown }) => Array.isArray(value),
}

/** Records a mistake at `path` below the value being checked. */
export function refuse(
  context: Context,
  path: readonly (string | number)[],
  mistake: Mistake,
): void {
  const message = mistake.reason.wrong
  context.addIssue({ code: 'custom', path: [...path], message, params: { mistake } })
}

/**
 * A mapping with these keys only.
 *
 * Why not `strictObject`: it cannot say which key was meant, nor that a later version has it.
 *
 * @param strange what is said of other keys
 */
export function keyed<Shape extends z.ZodRawShape>(shape: Shape, strange: Strange = {}) {
  const known = Object.keys(shape)
  return z.looseObject(shape).superRefine((entries: Entries, context) => {
    for (const key of Object.keys(entries)) {
      if (!Object.hasOwn(shape, key)) refuse(context, [key], strangeKey(key, known, strange))
    }
  }, ANY_MAPPING)
}

/** What is said to a running server, not written of a pool, a rule or a target. */
export const BY_HAND: ReadonlyMap<string, Wrong> = new Map([
  ['drain', wrong('drain is not written here', 'ask the running server: lbdns ctl drain')],
  ['down', wrong('down is not written here', 'ask the running server: lbdns ctl force down')],
])

/** What a pool says for all its targets. */
export const OF_POOLS: ReadonlyMap<string, Wrong> = new Map([
  ['slow_start', wrong('slow_start is not written here', 'give it to a pool')],
])

/** Keys that a mapping does not have, and of which there is more to say than that. */
export type Strange = {
  /** A version to come has them. */
  readonly later?: readonly string[]
  /** They belong elsewhere. */
  readonly said?: ReadonlyMap<string, Wrong>
}

/** A mapping whose keys the operator chooses; `flawOf` says what is wrong with one. */
export function named<Value extends z.ZodType>(
  value: Value,
  flawOf: (key: string) => Wrong | undefined = flawOfName,
) {
  return z.record(z.string(), value).superRefine((entries: Entries, context) => {
    for (const key of Object.keys(entries)) {
      const reason = flawOf(key)
      if (reason !== undefined) refuse(context, [key], { reason, spot: 'key' })
    }
  }, ANY_MAPPING)
}

/** A value that `read` turns into what it means, or says why not. */
export function reading<From, To>(
  form: z.ZodType<From>,
  read: (written: From) => To | Wrong,
): z.ZodType<To> {
  return form.transform((written, context): To => {
    const value = read(written)
    if (!isWrong(value)) return value
    refuse(context, [], { reason: value, spot: 'value' })
    return z.NEVER
  })
}

/** One word out of a closed set. */
export function word<Word extends string>(kind: string, known: readonly Word[]): z.ZodType<Word> {
  const form = z.string().meta({ enum: [...known] })
  return reading(form, text => {
    const found = known.find(candidate => candidate === text)
    return found ?? unknownWord(`${text} is no ${kind}`, text, known)
  })
}

/** The name of something defined elsewhere in the file. */
export function reference(kind: string, known: Names): z.ZodType<string> {
  return reading(z.string(), name => flawOfReference(kind, name, known) ?? name)
}

/** Says that nothing of this kind has this name, or nothing. */
export function flawOfReference(kind: string, name: string, known: Names): Wrong | undefined {
  if (known.has(name)) return undefined
  const what = `no ${kind} is called ${name}`
  const names = [...known.keys()]
  return names.length === 0 ? wrong(what, `add it under ${kind}s`) : unknownWord(what, name, names)
}

/**
 * A check that no two items of a list are the same.
 *
 * @param keyOf equal for equal items; `undefined` for an item that is wrong in itself
 */
export function distinct<Item>(
  keyOf: (item: Item) => string | undefined,
  twice: (key: string) => Wrong,
) {
  return (items: readonly Item[], context: Context): void => {
    const seen = new Set<string>()
    for (const [at, item] of items.entries()) {
      // An item that is wrong stays as it was written: it may be nothing.
      const key = item === undefined || item === null ? undefined : keyOf(item)
      if (key === undefined) continue
      if (seen.has(key)) refuse(context, [at], { reason: twice(key), spot: 'value' })
      seen.add(key)
    }
  }
}

/**
 * A check that no two keys of a mapping mean the same.
 *
 * @param meaningOf `undefined` for a key that is wrong in itself
 * @param like      what the later one is, like `the same name as`
 */
export function distinctKeys(
  meaningOf: (key: string) => string | number | undefined,
  like: string,
) {
  return (entries: Entries, context: Context): void => {
    const seen = new Map<string | number, string>()
    for (const key of Object.keys(entries)) {
      const meaning = meaningOf(key)
      if (meaning === undefined) continue
      const first = seen.get(meaning)
      const reason = wrong(`${key} is ${like} ${first}`, 'keep one of them')
      if (first === undefined) seen.set(meaning, key)
      else refuse(context, [key], { reason, spot: 'key' })
    }
  }
}

function flawOfName(key: string): Wrong | undefined {
  return key.trim() === '' ? wrong('an empty name', 'give it a name') : undefined
}

function strangeKey(key: string, known: readonly string[], strange: Strange): Mistake {
  const said = strange.said?.get(key)
  if (said !== undefined) return { reason: said, spot: 'key' }
  if (strange.later?.includes(key)) {
    const all = known.join(', ')
    return { reason: wrong(`this version does not have ${key}`, `it has ${all}`), spot: 'key' }
  }
  const meant = nearestWord(key, known)
  const fix = meant === undefined ? oneOf(known) : `did you mean ${meant}?`
  return { reason: wrong(`unknown key ${key}`, fix), spot: 'key', meant }
}
