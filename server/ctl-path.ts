/**
 * Where the control socket of a configuration lies: of the file only `control:` is read, so that a
 * server can be asked whatever else stands in it, mistakes included.
 */
import { parseDocument } from 'yaml'
import { CONTROL } from './config/config.ts'
import { isMapping } from './config/source.ts'
import { isWrong, type Wrong, wrong } from './fault.ts'
import { beside, readOctets, readText } from './files.ts'

const ELSE = 'name the configuration with -c FILE, or the socket with --socket PATH'

/** @param file the configuration */
export function controlPath(file: string): string | Wrong {
  const text = readText(file, readOctets)
  if (typeof text !== 'string') return wrong(`${file} ${text.what}`, ELSE)
  const path = controlIn(text)
  return isWrong(path) ? wrong(`${file}: ${path.wrong}`, path.fix) : beside(file, path)
}

/** Reads the value of `control:`, as it is written or by default. */
export function controlIn(text: string): string | Wrong {
  const entry = entryIn(text.replace(/^\ufeff/, ''))
  if (entry === undefined) return CONTROL
  const control = valueIn(entry)
  if (typeof control === 'string' && control !== '') return control
  return wrong('control: cannot be read as a path', ELSE)
}

/** In braces the whole file is one value; elsewhere an entry ends before what is not indented. */
function entryIn(text: string): string | undefined {
  if (/^(?:#.*\n|---.*\n|\s+)*\{/.test(text)) return text
  const lines = text.split('\n')
  const start = lines.findIndex(line => /^(["']?)control\1[ \t]*:(?=\s|$)/.test(line))
  if (start < 0) return undefined
  const end = lines.findIndex((line, at) => at > start && /^\S/.test(line))
  return `${lines.slice(start, end < 0 ? undefined : end).join('\n')}\n`
}

/** `undefined` where it is nothing that can be read. */
function valueIn(entry: string): unknown {
  try {
    const value: unknown = parseDocument(entry, { logLevel: 'silent' }).toJS()
    if (!isMapping(value)) return undefined
    return Object.hasOwn(value, 'control') ? value.control : CONTROL
  } catch {
    return undefined // a reference to what stands elsewhere, or brackets without end
  }
}
