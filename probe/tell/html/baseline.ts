/** What moved since an earlier recording, name by name: `=` the same, `+` new, `-` gone. */
import type { Judgement } from '../../judge/judgement.ts'
import type { Observation } from '../../judge/observation.ts'
import { setOf } from '../../judge/reply.ts'
import { observationsOf, type Unit } from '../../judge/units.ts'
import { el, type Markup, table, wrapping } from './markup.ts'

export type Seen = {
  readonly judgements: readonly Judgement[]
  readonly units: readonly Unit[]
}

export function baselineTable(one: Judgement, now: Seen, then: Seen): Markup {
  const old = then.judgements.find(({ name, type }) => name === one.name && type === one.type)
  if (old === undefined) return el('p', {}, 'This name and type was not in the earlier recording.')
  const [ours, theirs] = [observationsOf(now.units, one), observationsOf(then.units, old)]
  const rows = [
    ['verdict', changes([old.verdict.code], [one.verdict.code])],
    ['answers', changes(theirs.flatMap(setOf), ours.flatMap(setOf))],
    ['scopes', changes(scopesOf(theirs), scopesOf(ours))],
    ['TTL', changes(ttlsOf(theirs), ttlsOf(ours))],
  ]
  return table('Since the earlier recording', ['what', '= the same, + new, - gone'], rows)
}

const scopesOf = (seen: readonly Observation[]): readonly string[] =>
  seen.flatMap(({ echo }) => (echo === undefined ? [] : [`/${echo.scope}`]))

const ttlsOf = (seen: readonly Observation[]): readonly string[] =>
  seen.flatMap(({ ttl }) => (ttl === undefined ? [] : [`${ttl} s`]))

function changes(before: readonly string[], after: readonly string[]): Markup {
  const [was, is] = [new Set(before), new Set(after)]
  const all = [...new Set([...before, ...after])].sort()
  const marked = all.map(word => {
    if (was.has(word) && is.has(word)) return el('span', {}, `= ${word}`)
    return is.has(word)
      ? el('ins', { class: 'added' }, `+ ${word}`)
      : el('del', { class: 'gone' }, `- ${word}`)
  })
  return wrapping(...marked.flatMap(mark => [mark, ' ']))
}
