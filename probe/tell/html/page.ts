/**
 * A recording and what was judged of it as one HTML file that asks for nothing from outside. Draws;
 * what it all means is the judge's.
 */

import { rule } from '../../judge/finding.ts'
import type { Judgement } from '../../judge/judgement.ts'
import type { Observation } from '../../judge/observation.ts'
import { observationsOf, type UnitOptions } from '../../judge/units.ts'
import { ENTRIES } from '../explain/pages.ts'
import { bigText, many, percent, pText } from '../number.ts'
import type { RecordingHead } from '../recording.ts'
import { sentenceOf } from '../sentence.ts'
import { NEXT } from '../words.ts'
import type { World } from '../world.ts'
import { baselineTable, type Seen } from './baseline.ts'
import { barChart, ttlChart } from './charts.ts'
import { countries } from './countries.ts'
import { type Places, worldFigure } from './map.ts'
import { el, type Markup, markupOf, type Piece, table, wrapping } from './markup.ts'
import { styleSheet } from './palette.ts'

export type Report = Seen & {
  readonly head: RecordingHead<UnitOptions>
  readonly baseline: (Seen & { readonly began: string }) | undefined
  readonly world: World
  readonly places: Places
}

const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"

export function reportPage(report: Report): string {
  const names = [...new Set(report.judgements.map(({ name }) => name))].join(', ')
  const title = `lbprobe: ${names}`
  const head = el('head', {}, [
    el('meta', { charset: 'utf-8' }),
    el('meta', { 'http-equiv': 'Content-Security-Policy', content: POLICY }),
    el('meta', { name: 'viewport', content: 'width=device-width,initial-scale=1' }),
    el('title', {}, title),
    { markup: `<style>${styleSheet()}</style>` },
  ])
  const body = el('body', {}, [
    el('a', { class: 'skip', href: '#verdicts' }, 'Skip to the verdicts'),
    el('header', {}, el('h1', {}, names), began(report)),
    el(
      'main',
      { id: 'verdicts' },
      ...report.judgements.map(one => card(one, report)),
      measured(report),
    ),
    el('footer', {}, el('p', {}, `Made by lbprobe ${report.head.tool.version}`)),
  ])
  return `<!doctype html>\n${markupOf(el('html', { lang: 'en' }, head, body))}\n`
}

function began({ head, baseline }: Report): Markup {
  const since = baseline === undefined ? '' : ` · compared with ${baseline.began}`
  return el(
    'p',
    { class: 'faint' },
    `lbprobe ${head.options.command} · measured ${head.began}${since}`,
  )
}

function card(one: Judgement, report: Report): Markup {
  const { answer, code, modifiers } = one.verdict
  const seen = observationsOf(report.units, one)
  const map = worldFigure(one, report.world, report.places)
  return el('section', {}, [
    el('h2', {}, `${one.name} ${one.type}`),
    el('p', { class: 'verdict' }, [
      el('span', { class: `answer ${answer}` }, answer),
      el('code', {}, [code, ...modifiers].join(' · ')),
    ]),
    el('p', { class: 'lead' }, `${sentenceOf(one)}.`),
    el('p', { class: 'faint' }, evidence(one)),
    el('p', { class: 'next' }, `Next: ${NEXT[code]}.`),
    map === undefined ? [] : [el('h3', {}, 'Who gets what'), map],
    one.scopes.length === 0 ? [] : [el('h3', {}, 'By country'), countries(one, report.places)],
    el('div', { class: 'charts' }, ...charts(one, seen)),
    findings(one),
    report.baseline === undefined
      ? []
      : [el('h3', {}, 'What moved'), baselineTable(one, report, report.baseline)],
    queries(seen),
  ])
}

function evidence({ verdict: { evidence: seen }, server }: Judgement): string {
  const asked = `${many(seen.queries, 'query', 'queries')} to ${server}`
  if (seen.kind === 'rotation')
    return `${asked}; ${many(seen.replies, 'reply', 'replies')}; ${seen.atLeast} distinct answers seen`
  const tests = [
    ['depends on the subnet', seen.subnet],
    ['goes with the region', seen.region],
  ] as const
  const words = tests.flatMap(([what, test]) => {
    if (test === undefined) return []
    const shown = test.p <= seen.limit ? what : `not shown that it ${what}`
    return [`${shown}: ${pText(test.p)} over ${bigText(test.arrangements)} arrangements`]
  })
  const missed = `steering of less than ${percent(seen.missable)} of networks may be missed`
  return [asked, `${seen.subnets} subnets in ${seen.rounds} rounds`, ...words, missed].join('; ')
}

function charts(one: Judgement, seen: readonly Observation[]): readonly Markup[] {
  const { evidence: of } = one.verdict
  const firsts = new Map<string, number>()
  for (const {
    answers: [first],
  } of seen)
    if (first !== undefined) firsts.set(first, (firsts.get(first) ?? 0) + 1)
  const bars = [...firsts]
    .map(([label, count]) => ({ label, count }))
    .sort((a, b) => b.count - a.count)
  const scopes =
    of.kind === 'ecs'
      ? Object.entries(of.scopes).map(([scope, count]) => ({ label: `scope /${scope}`, count }))
      : []
  return [
    ...(scopes.length === 0 ? [] : [barChart('Replies by scope', scopes, 'replies')]),
    ...(bars.length === 0 ? [] : [barChart('First address', bars, 'replies')]),
    ...[ttlChart(seen)].flatMap(chart => chart ?? []),
  ]
}

function findings({ findings: list }: Judgement): Piece {
  if (list.length === 0) return []
  const rows = list.map(({ id, level, message, where }) => [
    id,
    level,
    wrapping(el('p', {}, message), where === undefined ? [] : el('p', { class: 'faint' }, where)),
    wrapping(todo(id)),
    wrapping(rule(id).section),
  ])
  return [
    el('h3', {}, 'Findings'),
    table('What was wrong or odd', ['id', 'level', 'what and where', 'what to do', 'rule'], rows),
  ]
}

function todo(id: string): string {
  return ENTRIES.find(({ word }) => word === id)?.page.next ?? '-'
}

function queries(seen: readonly Observation[]): Markup {
  const rows = seen.map(one => [
    `${one.sequence}`,
    `${one.at} ms`,
    one.sent?.text ?? '-',
    one.server,
    one.error ?? one.rcode ?? '-',
    one.echo === undefined ? '-' : `/${one.echo.scope}`,
    one.ttl === undefined ? '-' : `${one.ttl} s`,
    [...one.chain, ...one.answers].join(' ') || '-',
    one.instance ?? '-',
    one.oddities.join(' ') || '-',
  ])
  const head = [
    'number',
    'sent at',
    'client',
    'server',
    'reply',
    'scope',
    'TTL',
    'answers',
    'instance',
    'odd',
  ]
  return el(
    'details',
    {},
    el('summary', {}, `Every query (${seen.length})`),
    table('In order of sending', head, rows),
  )
}

function measured({ head: { options, plan, tool, began: when }, judgements }: Report): Markup {
  const servers = new Set(judgements.flatMap(({ tally }) => tally.servers))
  const { maxQueries, rate } = plan
  const pairs = [
    ['program', `${tool.name} ${tool.version}, ${options.command}`],
    ['began', when],
    ['seed', `${options.seed}`],
    ['servers', [...servers].join(' ')],
    ['client subnets', `${options.panel.length}`],
    ['chance to be wrong', `${options.alpha} a level`],
    ['samples in a block', `${options.samples}`],
    ...(maxQueries === undefined ? [] : [['at most', `${maxQueries} queries, ${rate} a second`]]),
  ]
  const list = pairs.map(([term = '', text = '']) => [el('dt', {}, term), el('dd', {}, text)])
  return el('section', {}, el('h2', {}, 'How it was measured'), el('dl', {}, ...list))
}
