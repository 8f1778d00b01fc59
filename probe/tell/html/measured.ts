/** How it was measured: program, time, seed, servers, panel, and the line that does it again. */
import type { Unit, UnitOptions } from '../../judge/units.ts'
import { many } from '../number.ts'
import type { RecordingHead as Head } from '../recording.ts'
import type { Seen } from './baseline.ts'
import { code, el, type Markup, type Piece } from './markup.ts'
import { moment } from './when.ts'

/** Of `dns2` or `ecs`. */
type RecordingHead = Head<UnitOptions>

type Pair = readonly [term: string, text: Piece]

export function measured({
  head,
  judgements,
  units,
}: Seen & { readonly head: RecordingHead }): Markup {
  const { options, plan, tool, began } = head
  const servers = new Set(judgements.flatMap(({ tally }) => tally.servers))
  const { maxQueries, rate } = plan
  const pairs: readonly Pair[] = [
    ['program', `${tool.name} ${tool.version}, ${options.command}`],
    ['began', moment(began)],
    ['took', `${(tookMs(units) / 1000).toFixed(1)} s for ${queriesText(units)}`],
    ['seed', code(`${options.seed}`)],
    ['servers', code([...servers].join(' ') || '-')],
    ...(options.command === 'dns2' ? [] : panelPairs(options)),
    ['chance to be wrong', `${options.alpha} a level`],
    ...(maxQueries === undefined
      ? []
      : [['at most', `${maxQueries} queries a name and type, ${rate} a second`] as const]),
    ['again', code(commandText(head, units))],
    ['times', 'are UTC; of queries, milliseconds since the first query of their name and type'],
  ]
  const list = pairs.map(([term, text]) => [el('dt', {}, term), el('dd', {}, text)])
  const title = el('h2', { id: 'measured' }, 'How it was measured')
  return el('section', { 'aria-labelledby': 'measured' }, title, el('dl', {}, ...list))
}

function panelPairs({ panel, samples }: RecordingHead['options']): readonly Pair[] {
  return [
    ['client subnets', `${panel.length}`],
    ['samples in a block', `${samples}`],
  ]
}

function queriesText(units: readonly Unit[]): string {
  const count = units.reduce((sum, { observations }) => sum + observations.length, 0)
  return many(count, 'query', 'queries')
}

/** Units are asked one after the other, each by its own clock. */
function tookMs(units: readonly Unit[]): number {
  return units.reduce((sum, { observations }) => {
    const ends = observations.map(({ at, milliseconds }) => at + milliseconds)
    return sum + ends.reduce((last, end) => Math.max(last, end), 0)
  }, 0)
}

/** A longer list of subnets is better in a file. */
const INLINE = 40

/** The line that sends the same queries to the same servers, in the same order. */
function commandText({ options, plan }: RecordingHead, units: readonly Unit[]): string {
  const { command, seed, panel, alpha, samples } = options
  const first = units.filter(({ chain, after }) => chain.length === 0 && after === 'nothing')
  const distinct = (words: readonly string[]): readonly string[] => [...new Set(words)]
  const subnets = panel.length > INLINE ? '@subnets.txt' : panel.join(',')
  const { count, maxQueries } = plan
  const words = [
    ...['lbprobe', command],
    ...distinct(first.flatMap(({ servers }) => servers)).map(server => `@${server}`),
    ...distinct(first.map(({ type }) => type)).flatMap(type => ['-t', type]),
    ...distinct(first.map(({ name }) => name)),
    ...(command === 'ecs' && panel.length > 0 ? ['--subnet', subnets] : []),
    ...(typeof count === 'number' ? ['-n', `${count}`] : []),
    ...(typeof maxQueries === 'number' ? ['--max-queries', `${maxQueries}`] : []),
    ...['--alpha', `${alpha}`],
    ...(samples === THOROUGH ? ['--thorough'] : []),
    ...['--seed', `${seed}`],
  ]
  return words.map(shellWord).join(' ')
}

const THOROUGH = 29

/** For a POSIX shell: names come from whoever wrote the recording. */
function shellWord(word: string): string {
  return /^[\w@%+=:,./#[\]-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
