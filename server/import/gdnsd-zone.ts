/**
 * gdnsd's zone files as ours (gdnsd.zonefile(5)): lines stay as they are, but for DYNA and DYNC,
 * which become steered names, for `@Z` and `@F`, and for long texts. Knows entries of master files;
 * what a dynamic record stands for is known by `gdnsd-dynamic.ts`.
 */
import type { Wrong } from '../fault.ts'
import { problemAt, problemText, wrong } from '../fault.ts'
import { nextEntry } from '../zone/entry.ts'
import { isQuoted, type Scanner, scanner, tokenAt, tokenText } from '../zone/scan.ts'
import { textStream } from '../zone/stream.ts'
import { type Dynamic, steerDynamic } from './gdnsd-dynamic.ts'
import type { Gdnsd } from './gdnsd-house.ts'
import type { Original } from './imported.ts'
import { changed, type Spot, unsupported } from './ledger.ts'
import { folderOf, nameOf } from './paths.ts'
import { octetsOf, textOf } from './utf8.ts'
import { absolute, plainName, secondsOf } from './zone-names.ts'
import { splitText } from './zone-text.ts'

/** A file of a zone that is being written anew. */
type Walk = {
  readonly gdnsd: Gdnsd
  readonly original: Original
  /** Where the new file lies. */
  readonly path: string
  /** What `@Z` and `@F` stand for. */
  readonly zone: string
  readonly top: string
  readonly scan: Scanner
  readonly lineAt: readonly number[]
  readonly out: string[]
  readonly depth: number
  origin: string
  /** Seconds, where a record does not say. */
  ttl: number
  /** The owner that an ownerless record has. */
  owner: string
  /** The last owner that stands in the new file is another. */
  ownerLost: boolean
}

const MAX_DEPTH = 16

/** Types whose data has names, which may be relative. */
const NAMED = new Set(['NS', 'CNAME', 'PTR', 'MX', 'SRV', 'SOA', 'NAPTR'])

/** Writes a zone anew, into the draft; its dynamic names become rules. */
export function readZone(gdnsd: Gdnsd, original: Original): void {
  const file = nameOf(original.file)
  const zone = `${file.replace(/\.$/, '').replaceAll('@', '/')}.`
  const path = `zones/${file.replace(/\.$/, '')}.zone`
  const walk = walkOf(gdnsd, original, path, { zone, origin: zone, ttl: gdnsd.ttl.usual, depth: 0 })
  walk.out.push(`$ORIGIN ${zone}\n$TTL ${gdnsd.ttl.usual} ; what gdnsd takes\n`)
  rewrite(walk)
  gdnsd.draft.zones.push(path)
  gdnsd.draft.files.set(path, walk.out.join(''))
}

type Around = Pick<Walk, 'zone' | 'origin' | 'ttl' | 'depth'>

function walkOf(gdnsd: Gdnsd, original: Original, path: string, around: Around): Walk {
  const { file, text } = original
  const lineAt = [0]
  for (const match of text.matchAll(/\n/g)) lineAt.push(match.index + 1)
  const scan = scanner(file, textStream(octetsOf(text)), (at, reason: Wrong) => {
    gdnsd.wrongs.push(wrong(problemText(problemAt(at, reason))))
  })
  const top = around.origin
  return {
    ...{ gdnsd, original, path, scan, lineAt, out: [], top, ...around },
    ...{ owner: around.origin, ownerLost: false },
  }
}

function rewrite(walk: Walk): void {
  const { lineAt, original, out, scan } = walk
  const { text } = original
  let done = 0
  while (nextEntry(scan)) {
    const start = lineAt[tokenAt(scan, 0).line - 1] ?? done
    const end = scan.at === scan.lineAt ? lineAt[scan.line - 1] : text.length
    out.push(text.slice(done, start))
    rewriteEntry(walk, text.slice(start, end))
    done = end ?? text.length
  }
  const rest = text.slice(done)
  out.push(rest)
  if (!text.endsWith('\n')) out.push('\n')
}

function rewriteEntry(walk: Walk, line: string): void {
  const { scan } = walk
  if (!scan.isOwnerless && wordAt(scan, 0).startsWith('$')) directive(walk, line)
  else record(walk, line)
}

/** A token as text. */
function wordAt(scan: Scanner, token: number): string {
  return textOf(tokenText(scan, token))
}

function directive(walk: Walk, line: string): void {
  const { scan } = walk
  const word = wordAt(scan, 0).toUpperCase()
  const value = scan.count > 1 ? wordAt(scan, 1) : ''
  switch (word) {
    case '$ORIGIN': {
      walk.origin = nameAt(walk, value)
      walk.out.push(isSpecial(value) ? `$ORIGIN ${walk.origin}\n` : line)
      return
    }
    case '$TTL':
      walk.ttl = secondsOf(value) ?? walk.ttl
      walk.out.push(line)
      return
    case '$INCLUDE':
      include(walk, value)
      return
    default:
      walk.out.push(commented(line))
      unsupported(walk.gdnsd.ledger, spot(walk), line.trim(), leftOut(word))
  }
}

function leftOut(word: string): string {
  if (!word.startsWith('$ADDR_LIMIT')) return 'left out: no such directive'
  return 'left out: set answers: at the steered names that need it'
}

/** Writes the included file anew as well: what `@F` and relative names mean depends on who asks. */
function include(walk: Walk, written: string): void {
  const { gdnsd, scan, original } = walk
  const found = walk.depth < MAX_DEPTH ? gdnsd.read(written, original.file) : undefined
  if (found === undefined) {
    const { file, line } = spot(walk)
    const what = `${file}:${line}: the included ${written} cannot be read`
    gdnsd.wrongs.push(wrong(what, 'correct the path'))
    return
  }
  const origin = scan.count > 2 ? nameAt(walk, wordAt(scan, 2)) : walk.origin
  const { zone, ttl, depth } = walk
  const plain = written.startsWith('/') || written.includes('..') ? nameOf(written) : written
  const wish = `${folderOf(walk.path)}/${plain}`
  const inner = walkOf(gdnsd, found, wish, { zone, origin, ttl, depth: depth + 1 })
  rewrite(inner)
  const path = placeFile(gdnsd.draft.files, wish, inner.out.join(''))
  walk.out.push(`$INCLUDE ${path.slice(folderOf(walk.path).length + 1)} ${origin}\n`)
  walk.ownerLost = true
}

/** Puts a file at a path, or at another one where that has something else in it. */
function placeFile(files: Map<string, string>, wish: string, text: string): string {
  let path = wish
  for (let number = 2; files.has(path) && files.get(path) !== text; number += 1) {
    path = `${wish}-${number}`
  }
  files.set(path, text)
  return path
}

function record(walk: Walk, line: string): void {
  const { scan } = walk
  if (!scan.isOwnerless) walk.owner = nameAt(walk, wordAt(scan, 0))
  const type = typeToken(scan)
  const word = type < scan.count ? wordAt(scan, type).toUpperCase() : ''
  if (word === 'DYNA' || word === 'DYNC') {
    if (!scan.isOwnerless) walk.ownerLost = true
    walk.out.push(commented(line), ...dynamic(walk, type))
    return
  }
  noteRecord(walk, type, word)
  const text = recordText(walk, type, word, line)
  walk.out.push(scan.isOwnerless && walk.ownerLost ? `${walk.owner} ${text.trimStart()}` : text)
  walk.ownerLost = false
}

/** The place of the type: behind the owner, the TTL and the class. */
function typeToken(scan: Scanner): number {
  let token = scan.isOwnerless ? 0 : 1
  while (token < scan.count && /^(in|\d.*)$/i.test(wordAt(scan, token))) token += 1
  return token
}

function dynamic(walk: Walk, type: number): readonly string[] {
  const { scan, gdnsd } = walk
  const ttls = range(scan.isOwnerless ? 0 : 1, type).map(token => wordAt(scan, token))
  const ttl = ttls.find(text => /^\d/.test(text)) ?? String(walk.ttl)
  const found: Dynamic = {
    at: spot(walk),
    owner: walk.owner,
    ttl,
    type: wordAt(scan, type).toUpperCase(),
    data: type + 1 < scan.count ? wordAt(scan, type + 1) : '',
  }
  const records = steerDynamic(gdnsd, found)
  if (records.length > 0) walk.ownerLost = true
  return records
}

function noteRecord(walk: Walk, type: number, word: string): void {
  const { scan, gdnsd } = walk
  const first = scan.isOwnerless ? 0 : 1
  const ttl = range(first, type).map(token => secondsOf(wordAt(scan, token)))
  const low = ttl.find(seconds => seconds !== undefined && seconds < gdnsd.ttl.least)
  if (low !== undefined) {
    const here = `stays ${low}: gdnsd makes it min_ttl, ${gdnsd.ttl.least}`
    changed(gdnsd.ledger, spot(walk), `TTL ${low} of ${plainName(walk.owner)} ${word}`, here)
  }
  if (word !== 'CNAME' || type + 1 >= scan.count) return
  const target = plainName(nameAt(walk, wordAt(scan, type + 1)))
  gdnsd.aliases.push({ at: spot(walk), owner: plainName(walk.owner), target })
}

/** The entry as it is, unless something in it needs other words. */
function recordText(walk: Walk, type: number, word: string, line: string): string {
  const { scan } = walk
  const tokens = range(0, scan.count).map(token => wordAt(scan, token))
  const isName = (token: number) =>
    (token === 0 && !scan.isOwnerless) || (token > type && NAMED.has(word))
  const isLong = (token: number) =>
    word === 'TXT' && token > type && (tokens[token] ?? '').length > 255
  if (!tokens.some((text, token) => (isName(token) && isSpecial(text)) || isLong(token)))
    return line
  const words = tokens.flatMap((text, token) => {
    if (isName(token) && isSpecial(text)) return [nameAt(walk, text)]
    if (isLong(token)) return splitText(text)
    return [isQuoted(scan, token) ? `"${text}"` : text]
  })
  return `${scan.isOwnerless ? '\t' : ''}${words.join(' ')}\n`
}

function isSpecial(name: string): boolean {
  return /(^|\.)@[ZF]$/.test(name)
}

/** A name in full: `@Z` is the zone, `@F` the origin that the file began with. */
function nameAt(walk: Walk, name: string): string {
  if (!isSpecial(name)) return absolute(name, walk.origin)
  const base = name.endsWith('Z') ? walk.zone : walk.top
  return absolute(name.slice(0, -2).replace(/\.$/, '') || '@', base)
}

function commented(line: string): string {
  return line.replace(/^(?=.)/gm, '; ')
}

function spot({ scan }: Walk): Spot {
  const { file, line } = tokenAt(scan, 0)
  return { file, line }
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at)
}
