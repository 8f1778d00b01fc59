/**
 * Reads an assertion file: text in, checks or every mistake out. Opens no file, and knows no server:
 * what words mean is in the vocabulary.
 */
import { DEFAULT_COUNTRIES } from '../plan/panel.ts'
import { wrong } from '../plan/wrong.ts'
import type { Check } from './check.ts'
import { mistakesOf } from './issues.ts'
import { senseless } from './sense.ts'
import { type CheckShape, type ChecksShape, checksShape, type Vocabulary } from './shape.ts'
import { inOrder, type Mistake, type Path, placeOf, readSource, type Source } from './source.ts'
import { wishesOf } from './wishes.ts'

export type Read =
  | { readonly ok: true; readonly checks: readonly Check[] }
  | { readonly ok: false; readonly mistakes: readonly Mistake[] }

export function readChecks(text: string, file: string, words: Vocabulary): Read {
  const source = readSource(text, file)
  if (!('document' in source)) return { ok: false, mistakes: source }
  if (source.document.contents === null) {
    const reason = wrong('the file is empty', 'write version: 1 and checks:, or let snapshot do it')
    return { ok: false, mistakes: [{ at: { file, line: 1, column: 1 }, reason }] }
  }
  const result = checksShape(words).safeParse(source.value, { jitless: true })
  const mistakes = result.success
    ? senseless(result.data, source)
    : mistakesOf(result.error.issues, source)
  if (!result.success || mistakes.length > 0) return { ok: false, mistakes: inOrder(mistakes) }
  return { ok: true, checks: result.data.checks.map((_, at) => checkOf(result.data, at, source)) }
}

function checkOf(file: ChecksShape, index: number, source: Source): Check {
  const own = file.checks[index] as CheckShape
  const { type = 'A', servers = [], count } = { ...file.defaults, ...own }
  const path: Path = ['checks', index]
  return {
    name: own.name,
    types: asList(type).map(one => one.toUpperCase()),
    servers: asList(servers).map(word => word.replace(/^@/, '')),
    ...clientsOf(file, own),
    count,
    wishes: wishesOf(own).map(({ wanted, label, keys }) => ({
      ...wanted,
      label,
      at: placeOf(source, [...path, ...keys]),
    })),
    at: placeOf(source, [...path, 'name']),
  }
}

/** A check's own clients take the place of the default ones, whichever way they are named. */
function clientsOf(
  file: ChecksShape,
  own: CheckShape,
): Pick<Check, 'subnets' | 'countries' | 'preset'> {
  const isOwn = [own.subnets, own.countries, own.preset].some(one => one !== undefined)
  const { subnets, countries, preset } = (isOwn ? own : file.defaults) ?? {}
  if (subnets !== undefined) return { subnets, countries: [], preset: undefined }
  if (countries !== undefined) return { subnets: [], countries: countries.map(upper), preset }
  if (preset !== undefined) return { subnets: [], countries: [], preset }
  const judged = Object.keys(own.by_country ?? {}).map(upper)
  const panel = judged.length === 0 ? [] : [...new Set([...DEFAULT_COUNTRIES, ...judged])]
  return { subnets: [], countries: panel, preset }
}

function asList(words: string | readonly string[]): readonly string[] {
  return typeof words === 'string' ? [words] : words
}

function upper(code: string): string {
  return code.toUpperCase()
}
