/**
 * A recording and what was judged of it as one HTML file that asks for nothing from outside. Draws;
 * what it all means is the judge's.
 */

import { type Partial, partialText } from '../../judge/partial.ts'
import type { UnitOptions } from '../../judge/units.ts'
import type { RecordingHead } from '../recording.ts'
import type { World } from '../world.ts'
import { goneSince, type Seen } from './baseline.ts'
import { card } from './card.ts'
import { atlas, lettersBy, type Places } from './map.ts'
import { el, type Markup, markupOf, type Piece } from './markup.ts'
import { measured } from './measured.ts'
import { styleSheet } from './sheet.ts'
import { idOf, summary } from './summary.ts'
import { moment } from './when.ts'

export type Report = Seen & {
  readonly head: RecordingHead<UnitOptions>
  /** `cut`: the recording has no end. */
  readonly end: 'done' | 'partial' | 'cut'
  readonly partial: Partial | undefined
  readonly baseline: (Seen & { readonly began: string }) | undefined
  readonly world: World
  readonly places: Places
}

const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"

export function reportPage(report: Report): string {
  const { judgements } = report
  const names = [...new Set(judgements.map(({ name }) => name))]
  const head = el('head', {}, [
    el('meta', { charset: 'utf-8' }),
    el('meta', { 'http-equiv': 'Content-Security-Policy', content: POLICY }),
    el('meta', { name: 'viewport', content: 'width=device-width,initial-scale=1' }),
    el('meta', { name: 'color-scheme', content: 'light dark' }),
    el('title', {}, `${listed(names, TITLED)} · lbprobe ${report.head.options.command}`),
    { markup: `<style>${styleSheet()}</style>` },
  ])
  const cards = judgements.map((one, index) => card(one, idOf(index), report))
  const body = el('body', {}, [
    el('a', { class: 'skip', href: '#main' }, 'Skip to the verdicts'),
    judgements.some(one => lettersBy(one).size > 0) ? atlas(report.world) : [],
    el('header', {}, el('h1', {}, listed(names, HEADED)), began(report), caveats(report)),
    el('main', { id: 'main', tabindex: -1 }, [
      judgements.length > 1 ? summary(judgements) : [],
      cards,
      measured(report),
    ]),
    el('footer', {}, el('p', {}, `Made by lbprobe ${report.head.tool.version}`)),
  ])
  return `<!doctype html>\n${markupOf(el('html', { lang: 'en' }, head, body))}\n`
}

/** Names of a title before it counts. */
const TITLED = 2
const HEADED = 4

function listed(names: readonly string[], most: number): string {
  if (names.length === 0) return 'Nothing was asked'
  if (names.length <= most + 1) return names.join(', ')
  return `${names.slice(0, most).join(', ')} and ${names.length - most} more`
}

function began({ head, baseline }: Report): Markup {
  const since = baseline === undefined ? [] : [' · compared with ', moment(baseline.began)]
  const command = `lbprobe ${head.options.command} · measured `
  return el('p', { class: 'faint' }, command, moment(head.began), ...since)
}

/** What a reader must know before any verdict. */
function caveats(report: Report): Piece {
  const { end, partial, baseline } = report
  const gone = baseline === undefined ? [] : goneSince(report, baseline)
  const why =
    partial === undefined
      ? 'the recording has no end: the run was killed, or is not over yet'
      : partialText(partial)
  return [
    end === 'done' ? [] : note('Partial: ', `${why}.`),
    gone.length === 0 ? [] : note('Not asked for again: ', `${gone.join(', ')}.`),
  ]
}

function note(term: string, text: string): Markup {
  return el('p', { class: 'note' }, el('strong', {}, term), text)
}
