/** What moved since an earlier recording, name by name: `=` the same, `+` new, `-` gone. */
import type { Judgement, SubnetRow } from '../../judge/judgement.ts'
import type { Observation } from '../../judge/observation.ts'
import { setOf } from '../../judge/reply.ts'
import { observationsOf, type Unit } from '../../judge/units.ts'
import { many } from '../number.ts'
import type { Places } from './map.ts'
import { code, el, type Markup, type Piece, table, wrapping } from './markup.ts'

export type Seen = {
  readonly judgements: readonly Judgement[]
  readonly units: readonly Unit[]
}

export function baselineTable(one: Judgement, now: Seen, then: Seen, places: Places): Piece {
  const before = then.judgements.filter(judgement => isSame(judgement, one))
  const old = before.find(({ server }) => server === one.server) ?? before[0]
  if (old === undefined) return el('p', {}, 'This name and type was not in the earlier recording.')
  const [ours, theirs] = [observationsOf(now.units, one), observationsOf(then.units, old)]
  const rows: readonly Row[] = [
    ['verdict', [wordOf(old)], [wordOf(one)]],
    ['answers', theirs.flatMap(setOf), ours.flatMap(setOf)],
    ['scopes', scopesOf(theirs), scopesOf(ours)],
    ['TTL', ttlsOf(theirs), ttlsOf(ours)],
    ['findings', idsOf(old), idsOf(one)],
    ...countryRows(one, old, places),
  ]
  const cells = rows.map(([what, was, is]) => [what, changes(was, is)])
  return [
    el('p', {}, movedText(rows)),
    table('Since the earlier recording', ['what', '= the same, + new, - gone'], cells),
  ]
}

/** Names and types of the earlier recording that were not asked for again. */
export function goneSince(now: Seen, then: Seen): readonly string[] {
  const gone = then.judgements.filter(old => !now.judgements.some(one => isSame(one, old)))
  return gone.map(({ name, type }) => `${name} ${type}`)
}

type Row = readonly [what: string, was: readonly string[], is: readonly string[]]

function isSame(one: Judgement, other: Judgement): boolean {
  return one.name === other.name && one.type === other.type
}

const wordOf = ({ verdict }: Judgement): string => verdict.code

const idsOf = ({ findings }: Judgement): readonly string[] => findings.map(({ id }) => id)

const scopesOf = (seen: readonly Observation[]): readonly string[] =>
  seen.flatMap(({ echo }) => (echo === undefined ? [] : [`/${echo.scope}`]))

const ttlsOf = (seen: readonly Observation[]): readonly string[] =>
  seen.flatMap(({ ttl }) => (ttl === undefined ? [] : [`${ttl} s`]))

/** Countries that both recordings asked for, and that are answered otherwise now. */
function countryRows(one: Judgement, old: Judgement, places: Places): readonly Row[] {
  const [was, is] = [answersBy(old.scopes), answersBy(one.scopes)]
  return [...is].flatMap(([region, answers]) => {
    const before = was.get(region)
    if (before === undefined || !differs([region, before, answers])) return []
    return [[`answers of ${places.get(region)?.name ?? region}`, before, answers] as const]
  })
}

function answersBy(rows: readonly SubnetRow[]): ReadonlyMap<string, readonly string[]> {
  const by = new Map<string, string[]>()
  for (const { region, answers } of rows) {
    if (region !== undefined) by.set(region, [...(by.get(region) ?? []), ...answers])
  }
  return by
}

function differs([, was, is]: Row): boolean {
  const [before, after] = [new Set(was), new Set(is)]
  return before.size !== after.size || [...after].some(word => !before.has(word))
}

function movedText(rows: readonly Row[]): string {
  const moved = rows.filter(differs).map(([what]) => what)
  return moved.length === 0 ? 'Nothing moved.' : `Moved: ${moved.join(', ')}.`
}

/** As many words that stayed are listed; the rest are counted. */
const LISTED = 6

function changes(was: readonly string[], is: readonly string[]): Markup {
  const [before, after] = [new Set(was), new Set(is)]
  const all = [...new Set([...was, ...is])].sort()
  const stayed = all.filter(word => before.has(word) && after.has(word))
  const gone = all.filter(word => !after.has(word))
  const added = all.filter(word => !before.has(word))
  const rest = stayed.length - LISTED
  const marked = [
    ...added.map(word => el('ins', {}, code(`+ ${word}`))),
    ...gone.map(word => el('del', {}, code(`- ${word}`))),
    ...stayed.slice(0, LISTED).map(word => el('span', {}, code(`= ${word}`))),
    ...(rest > 0 ? [el('span', {}, `= ${many(rest, 'other', 'others')}`)] : []),
  ]
  if (marked.length === 0) return wrapping('none, as before')
  return wrapping(...marked.flatMap(mark => [mark, ' ']))
}
