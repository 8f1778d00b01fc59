/** All that is said of one name and type: verdict, why, who gets what, charts, findings, queries. */
import { rule } from '../../judge/finding.ts'
import type { Judgement } from '../../judge/judgement.ts'
import type { Observation } from '../../judge/observation.ts'
import { observationsOf } from '../../judge/units.ts'
import { evidenceLines } from '../ecs-lines.ts'
import { ENTRIES } from '../explain/pages.ts'
import { percent } from '../number.ts'
import { providerNote } from '../providers.ts'
import { chanceLines, figureLines } from '../rotation-lines.ts'
import { sentenceOf } from '../sentence.ts'
import { NEXT } from '../words.ts'
import type { World } from '../world.ts'
import { baselineTable, type Seen } from './baseline.ts'
import { barChart, ttlChart } from './charts.ts'
import { countries } from './countries.ts'
import { type Places, worldFigure } from './map.ts'
import { code, el, type Markup, type Piece, table, wrapping } from './markup.ts'
import { queries } from './queries.ts'

export type Ground = Seen & {
  readonly baseline: Seen | undefined
  readonly world: World
  readonly places: Places
}

/** @param id of its heading */
export function card(one: Judgement, id: string, ground: Ground): Markup {
  const seen = observationsOf(ground.units, one)
  const map = worldFigure(one, ground.world, ground.places)
  const { baseline, places } = ground
  return el('section', { 'aria-labelledby': id }, [
    el('div', { class: 'together' }, [
      el('h2', { id }, one.name, ' ', el('span', { class: 'type' }, one.type)),
      verdict(one),
      why(one),
    ]),
    map === undefined ? [] : [el('h3', {}, 'Who gets what'), map],
    one.scopes.length === 0 ? [] : [el('h3', {}, 'By country'), countries(one, places)],
    el('div', { class: 'charts' }, ...charts(one, seen)),
    findings(one),
    baseline === undefined
      ? []
      : [el('h3', {}, 'What moved'), baselineTable(one, ground, baseline, places)],
    queries(seen),
  ])
}

/** `dns2` speaks for one client: its answer is its code. */
export function wordOf({ verdict: { answer, code: word, evidence } }: Judgement): string {
  return evidence.kind === 'rotation' && answer === 'none' ? word : answer
}

function verdict(one: Judgement): Piece {
  const { answer, code: word, modifiers } = one.verdict
  const said = wordOf(one)
  const more = said === word ? modifiers : [word, ...modifiers]
  const note = providerNote(modifiers)
  return [
    el('p', { class: 'verdict' }, [
      el('strong', { class: `answer ${answer}` }, said),
      more.map(text => [' ', code(text)]),
    ]),
    el('p', { class: 'lead' }, `${sentenceCase(sentenceOf(one))}.`),
    el('p', { class: 'next' }, el('strong', {}, 'Next: '), `${NEXT[word]}.`),
    note === undefined ? [] : el('p', {}, el('strong', {}, 'Known: '), `${note}.`),
  ]
}

function sentenceCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function why(one: Judgement): Piece {
  const { evidence } = one.verdict
  const { silent } = one.tally
  const lines = [
    ...(evidence.kind === 'ecs'
      ? [
          ...evidenceLines(one, evidence),
          `steering of less than ${percent(evidence.missable)} of networks may be missed`,
        ]
      : [...figureLines(one, evidence), ...chanceLines(one, evidence)]),
    ...(silent.length === 0 ? [] : [`never answered: ${silent.join(' ')}`]),
  ]
  const items = lines.map(line => el('li', {}, line))
  return [el('h3', {}, 'Why'), el('ul', { class: 'why' }, ...items)]
}

function charts(one: Judgement, seen: readonly Observation[]): readonly Markup[] {
  const { evidence: of } = one.verdict
  const firsts = new Map<string, number>()
  for (const { answers } of seen) {
    const [first] = answers
    if (first !== undefined) firsts.set(first, (firsts.get(first) ?? 0) + 1)
  }
  const bars = [...firsts]
    .map(([label, count]) => ({ label, count }))
    .sort((a, b) => b.count - a.count)
  const scopes =
    of.kind === 'ecs'
      ? Object.entries(of.scopes).map(([scope, count]) => ({ label: `/${scope}`, count }))
      : []
  const head = one.type === 'A' || one.type === 'AAAA' ? 'address' : 'record'
  return [
    ...(scopes.length === 0 ? [] : [barChart('Scopes', ['scope', 'replies'], scopes)]),
    ...(bars.length === 0 ? [] : [barChart(`First ${head}`, [head, 'replies'], bars)]),
    ...[ttlChart(seen)].flatMap(chart => chart ?? []),
  ]
}

function findings({ findings: list }: Judgement): Piece {
  if (list.length === 0) return []
  const rows = list.map(({ id, level, message, where }) => [
    code(id),
    el('span', { class: `level ${level}` }, level),
    wrapping(
      el('p', {}, `${sentenceCase(message)}.`),
      where === undefined ? [] : el('p', {}, code(where)),
    ),
    wrapping(todo(id)),
    wrapping(clause(rule(id).section)),
  ])
  return [
    el('h3', {}, 'Findings'),
    table('What was wrong or odd', ['id', 'level', 'what and where', 'what to do', 'rule'], rows),
  ]
}

function todo(id: string): string {
  return ENTRIES.find(({ word }) => word === id)?.page.next ?? '-'
}

/** `RFC 7871 §7.2.1` as a link to that section; followed by nobody but the reader. */
function clause(text: string): Piece {
  const parts = /^RFC (\d+) §([\d.]+)/.exec(text)
  if (parts === null) return text
  const [first, rfc, section] = parts
  const href = `https://www.rfc-editor.org/rfc/rfc${rfc}#section-${section}`
  return [el('a', { href, rel: 'noreferrer' }, first), text.slice(first.length)]
}
