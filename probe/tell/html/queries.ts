/** Every query of one name and type behind a fold: in order of sending, what all share said once. */
import type { Observation } from '../../judge/observation.ts'
import { many } from '../number.ts'
import { code, el, fold, type Markup, type Piece, table, wrapping } from './markup.ts'

/** A table of more rows is slow to open. */
const ROWS = 500

type Column = { readonly head: string; readonly cell: (seen: Observation) => Piece }

// biome-ignore format: table
const COLUMNS: readonly (Column & { readonly text: (seen: Observation) => string })[] = [
  plain('why',      ({ purpose, round }) => (purpose === 'sample' ? `round ${round}` : `${purpose}, round ${round}`)),
  named('client',   ({ sent }) => (sent === undefined ? undefined : [sent.text, sent.malformed ?? ''].join(' ').trim())),
  named('server',   ({ server }) => server),
  plain('over',     ({ transport }) => transport),
  named('reply',    ({ error, rcode }) => error ?? rcode),
  named('flags',    ({ flags }) => (['aa', 'tc', 'ra'] as const).filter(flag => flags[flag]).join(' ')),
  named('option',   ({ echo }) => (echo === undefined ? undefined : `${echo.source}/${echo.scope}`)),
  named('TTL',      ({ ttl }) => (ttl === undefined ? undefined : `${ttl} s`)),
  named('instance', ({ instance }) => instance),
  named('odd',      ({ oddities }) => oddities.join(' ')),
]

function plain(head: string, text: (seen: Observation) => string) {
  return { head, text, cell: text }
}

/** What is absent is a dash. */
function named(head: string, text: (seen: Observation) => string | undefined) {
  const word = (seen: Observation): string => text(seen) || '-'
  const cell = (seen: Observation): Piece => {
    const found = word(seen)
    return found === '-' ? found : code(found)
  }
  return { head, text: word, cell }
}

export function queries(seen: readonly Observation[]): Piece {
  if (seen.length === 0) return []
  const counted = COLUMNS.map(column => ({ column, words: new Set(seen.map(column.text)) }))
  const shown = counted.flatMap(({ column, words }) => (words.size > 1 ? [column] : []))
  const shared = counted.flatMap(({ column: { head }, words }) => {
    const [word = '-'] = words
    return words.size === 1 && word !== '-' && seen.length > 1 ? [`${head} ${word}`] : []
  })
  const alike = shared.length === 0 ? [] : [el('p', {}, 'All alike: ', code(shared.join(' · ')))]
  const columns = seen.length === 1 ? COLUMNS : shown
  const count = many(seen.length, 'query', 'queries')
  const note = el('p', { class: 'on-paper faint' }, `${count}: each is in the file, not on paper.`)
  const title = `Every query (${seen.length})`
  return [note, fold(title, { class: 'off-paper' }, ...alike, parts(seen, columns))]
}

function parts(seen: readonly Observation[], columns: readonly Column[]): Piece {
  if (seen.length <= ROWS) return tableOf(seen, columns)
  const starts = Array.from({ length: Math.ceil(seen.length / ROWS) }, (_, at) => at * ROWS)
  return starts.map(start => {
    const part = seen.slice(start, start + ROWS)
    const span = `${start + 1} to ${start + part.length}`
    return fold(span, {}, tableOf(part, columns))
  })
}

function tableOf(seen: readonly Observation[], columns: readonly Column[]): Markup {
  const head = ['number', 'sent at', ...columns.map(one => one.head), 'answers', 'took']
  const rows = seen.map(one => [
    `${one.sequence}`,
    `${Math.round(one.at)} ms`,
    ...columns.map(({ cell }) => cell(one)),
    answersOf(one),
    `${Math.round(one.milliseconds)} ms`,
  ])
  return table('In order of sending', head, rows)
}

function answersOf({ chain, answers }: Observation): Piece {
  const text = [...chain, ...answers].join(' ')
  if (text === '') return '-'
  // a cell that may wrap takes markup of its own, which tells in long tables
  return text.length > 40 ? wrapping(code(text)) : code(text)
}
