/**
 * `lbprobe explain` and `lbprobe checks`: the pages about every word that a report may hold, and the
 * table of findings. Asks nobody.
 */

import type { LabName } from '../lab/behaviour.ts'
import { LAB_NAMES, LAB_ZONE } from '../lab/lab.ts'
import { colorFor } from '../page.ts'
import { wrong, wrongText } from '../plan/wrong.ts'
import { checksDocument, checksTable } from '../tell/checks.ts'
import { DOCUMENT } from '../tell/documents.ts'
import { type Entry, nearest, pagesOf } from '../tell/explain/pages.ts'
import { entryText, listText } from '../tell/explain/text.ts'
import { printable } from '../tell/number.ts'
import { COLOR, PLAIN } from '../tell/style.ts'
import type { World } from '../world.ts'

const USAGE = 2
export type ExplainFlags = { readonly json?: true }

export async function explain(
  words: readonly string[],
  flags: ExplainFlags,
  world: World,
): Promise<number> {
  const unknown = words.filter(word => pagesOf(word).length === 0)
  for (const word of unknown) world.err.write(`lbprobe: ${wrongText(unknownWord(word))}\n`)
  if (unknown.length > 0) return USAGE
  const entries = words.flatMap(pagesOf)
  if (flags.json) world.out.write(documentOf(entries))
  else world.out.write(textOf(entries, world))
  return 0
}

export async function checks(flags: ExplainFlags, world: World): Promise<number> {
  world.out.write(flags.json ? checksDocument() : checksTable(world.out.columns))
  return 0
}

function unknownWord(word: string) {
  const near = nearest(word)
  const what = `explain: no page about "${printable(word)}"`
  return wrong(
    what,
    near.length > 0 ? `near it: ${near.join(', ')}` : 'lbprobe explain lists them all',
  )
}

function textOf(entries: readonly Entry[], world: World): string {
  const options = { color: 'auto', output: undefined, format: 'auto' } as const
  const style = colorFor(options, world) === 'color' ? COLOR : PLAIN
  if (entries.length === 0) return listText(style, world.out.columns)
  return entries.map(one => entryText(one, triesOf(one), style, world.out.columns)).join('\n')
}

function documentOf(entries: readonly Entry[]): string {
  const pages = entries.map(({ word, kind, title, section, page }) => ({
    word,
    kind,
    title,
    ...page,
    section,
  }))
  return `${JSON.stringify({ schema: DOCUMENT.explain, pages })}\n`
}

/** How to see it in the lab: the name that shows least beside it. */
function triesOf({ word, kind }: Entry): readonly string[] {
  const shows = LAB_NAMES.filter(name => isShown(word, kind, name))
  const [name] = shows.toSorted((a, b) => findingsOf(a) - findingsOf(b))
  if (name === undefined) return []
  const command = kind === 'verdict of dns2' ? 'dns2' : 'ecs'
  const servers =
    name.asked === 'both-servers' ? '@127.0.0.1#5300 @127.0.0.2#5300' : '@127.0.0.1#5300'
  const type = name.asked === 'both-families' ? '' : ' A'
  const hostile = name.asked === 'hostile' ? ' --hostile' : ''
  return [
    'lbprobe lab, and beside it',
    `lbprobe ${command} ${servers}${type} ${name.label}.${LAB_ZONE}${hostile}`,
  ]
}

/** How many findings a name gives. */
function findingsOf({ notices = '' }: LabName): number {
  return notices.match(/\b[A-Z]{3}[0-9]{3}\b/g)?.length ?? 0
}

function isShown(word: string, kind: Entry['kind'], { dns2, ecs, notices = '' }: LabName): boolean {
  if (kind === 'verdict of dns2') return dns2 === word
  if (kind === 'verdict of ecs') return ecs === word
  return kind !== 'answer' && notices.split(' ').includes(word)
}
