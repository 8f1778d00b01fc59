/** A map for a person at a terminal: groups, scopes, the space as a tree, and what caches make of it. */
import type { MapJudgement } from '../judge/map.ts'
import { branchText, treeOf } from './map-tree.ts'
import {
  finenessText,
  mapSentence,
  overlapTexts,
  partialText,
  partText,
  triedText,
} from './map-words.ts'
import { many, percent, printable } from './number.ts'
import { findingLine } from './person.ts'
import type { Style } from './style.ts'
import { fit, tableLines } from './table.ts'

export type MapPage = {
  readonly style: Style
  readonly width: number | undefined
  /** Most lines of the tree. */
  readonly lines: number
}

/** Groups that a person is shown. */
const GROUPS = 26
const OVERLAPS = 8

export function mapText(one: MapJudgement, page: MapPage): string {
  const { style } = page
  const width = page.width === undefined ? undefined : page.width - 2
  const partial = partialText(one)
  const body = [
    style.bold(mapSentence(one)),
    ...(partial === undefined ? [] : [style.doubtful(partial)]),
    ...section('', groupLines(one, width), style),
    ...section('scopes', scopeLines(one), style),
    ...section('space', treeLines(one, page.lines, width), style),
    ...section('overlaps', one.kind === 'untrue' ? overlapTexts(one, OVERLAPS) : [], style),
    ...section('caches', oracleLines(one), style),
    '',
    ...factLines(one).map(style.faint),
    ...one.findings.map(found => findingLine(found, style)),
  ]
  const lines = body.map(line => (line === '' ? '' : `  ${line}`))
  return `${[headline(one, style), ...lines].join('\n')}\n`
}

/** Name, type, kind, blocks, groups, overlaps; for scripts. */
export function mapShort({ name, type, kind, leaves, groups, overlaps }: MapJudgement): string {
  const words = [name, type, kind, leaves.length, groups.length, overlaps.length]
  return `${words.map(word => printable(String(word))).join(' ')}\n`
}

function headline({ name, type, kind }: MapJudgement, style: Style): string {
  const paint = { untrue: style.bad, partition: style.good, sampled: style.doubtful }
  const word = kind in paint ? paint[kind as keyof typeof paint](kind) : style.bold(kind)
  return `${word}  ${style.bold(`${printable(name)} ${type}`)}`
}

function section(title: string, lines: readonly string[], style: Style): readonly string[] {
  if (lines.length === 0) return []
  return ['', ...(title === '' ? [] : [style.faint(title)]), ...lines]
}

function groupLines({ groups }: MapJudgement, width: number | undefined): readonly string[] {
  const shown = groups.slice(0, GROUPS)
  const rows = shown.map(({ letter, share, blocks, answers, sets }) => {
    const text = answers.length === 0 ? 'nothing' : printable(answers.join(' '))
    return [letter, partText(share), String(blocks), sets > 1 ? `${text} (${sets} sets)` : text]
  })
  const table = tableLines([['group', 'of all', 'blocks', 'answers'], ...rows], width)
  const rest = groups.length - shown.length
  return groups.length === 0 ? [] : [...table, ...(rest > 0 ? [`… and ${rest} more groups`] : [])]
}

const BAR = 40

function scopeLines({ scopes }: MapJudgement): readonly string[] {
  if (scopes.size < 2) return []
  const most = Math.max(...scopes.values())
  const wide = String(most).length
  return [...scopes].map(([scope, count]) => {
    const bar = '▇'.repeat(Math.ceil((BAR * count) / most))
    return `/${String(scope).padEnd(3)} ${String(count).padStart(wide)}  ${bar}`
  })
}

/** Groups named on one line of the tree. */
const NAMED = 4

function treeLines(one: MapJudgement, lines: number, width: number | undefined): readonly string[] {
  if (one.groups.length < 2 || one.kind === 'sampled') return []
  const nodes = treeOf(one.parts, lines)
  const branches = nodes.map((_, at) => branchText(nodes, at))
  const wide = Math.max(...branches.map(text => text.length))
  return nodes.map(({ groups, parts }, at) => {
    const [first] = groups
    const named = groups.slice(0, NAMED).map(({ letter, share }) => `${letter} ${partText(share)}`)
    const rest = groups.length > NAMED ? [`+${groups.length - NAMED}`] : []
    const said = groups.length === 1 ? (first?.letter ?? '') : [...named, ...rest].join('  ')
    const size = parts > 1 ? `  (${many(parts, 'part', 'parts')})` : ''
    return fit(`${(branches[at] ?? '').padEnd(wide)}  ${said}${size}`, width)
  })
}

function oracleLines({ oracle, groups }: MapJudgement): readonly string[] {
  if (groups.length < 2) return []
  const rows = oracle.models.map(({ model, share, worst }) => [
    model, shareText(share), shareText(worst),
  ]) // biome-ignore format: one line
  const asked = `${many(oracle.clients, 'client', 'clients')} in ${many(oracle.orders, 'random order', 'random orders')}`
  return [...tableLines([['resolver', 'mis-steered', 'at worst'], ...rows], undefined), asked]
}

function shareText(share: number): string {
  return share === 0 ? 'nobody' : percent(share)
}

function factLines(one: MapJudgement): readonly string[] {
  const { swept } = one
  const again = swept.sightings.filter(({ purpose }) => purpose === 'again').length
  const found = swept.sightings.filter(({ purpose }) => purpose === 'leaf').length
  const inside = swept.sightings.length - again - found
  const parts = [`${found} for the blocks`, `${inside} to try them`, `${again} to see what rotates`]
  const tried = swept.sightings.length === 0 ? undefined : triedText(one)
  const fine = finenessText(one)
  return [
    `${many(swept.asked, 'query', 'queries')} to ${swept.server} · replies: ${parts.join(', ')}`,
    ...(tried === undefined ? [] : [tried]),
    ...(fine === undefined ? [] : [fine]),
  ]
}
