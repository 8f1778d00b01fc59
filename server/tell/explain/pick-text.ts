/** What was picked from the pool that serves, in words. */
import type { Pick } from '../../steer/rule.ts'
import { firstColumns } from '../columns.ts'
import { counted } from '../figures.ts'
import type { Candidate, Picked } from './explanation.ts'
import type { Row } from './rows.ts'

/** How each policy picks among those that are up. */
// biome-ignore format: table
const HOW: Readonly<Record<Pick, string>> = {
  shuffle:  'in random order',
  rotate:   'the next in turn',
  random:   'drawn at random',
  weighted: 'drawn by weight',
  smooth:   'the next in turn by weight',
  hash:     'always the same for one client, by weight',
  two:      'the less loaded of two drawn at random',
  least:    'the least loaded',
  feedback: 'drawn by capacity',
  fastest:  'drawn by speed',
  multi:    'each drawn by its weight, the heaviest always',
}

/** The numbers that each policy reads of a target, besides whether it is up. */
// biome-ignore format: table
const READS: Readonly<Record<Pick, readonly Figure[]>> = {
  shuffle:  [],
  rotate:   [],
  random:   [],
  weighted: ['weight'],
  smooth:   ['weight'],
  hash:     ['weight'],
  two:      ['load', 'weight'],
  least:    ['load', 'weight'],
  feedback: ['capacity'],
  fastest:  ['latency'],
  multi:    ['weight'],
}

type Figure = 'weight' | 'load' | 'capacity' | 'latency'

/**
 * Two or three subjects: the pick, the targets chosen, the others.
 *
 * @param serves the pool that serves
 * @param what   what is picked, where that does not go without saying
 */
export function pickRows(pick: Picked, serves: string, what: string): Row[] {
  const { from, policy, targets } = pick
  const chosen = targets.map(({ pool, target }): readonly [string, string] => {
    const known = knownText(
      policy,
      from.find(candidate => candidate.target === target),
    )
    return [target, [...(pool === serves ? [] : [`of pool ${pool}`]), ...known].join(', ')]
  })
  const own = targets.filter(({ pool }) => pool === serves).length
  const others = from.filter(({ target }) => !targets.some(one => one.target === target))
  const left = others.map(one => [one.target, knownText(policy, one).join(', ')] as const)
  return [
    ['pick', `${what}${policy}: ${amountText(pick, own)}`],
    ['targets', ...firstColumns(chosen, SHOWN)],
    ...(left.length === 0 ? [] : [['others', ...firstColumns(left, SHOWN)] as const]),
  ]
}

/** `all 3 IPv4 targets, in random order`; `1 of 3 IPv4 targets, 1 down, the next in turn` */
function amountText({ from, kind, policy, targets }: Picked, own: number): string {
  const what = kind === 'host' ? 'host name' : `${kind} target`
  const downs = from.filter(({ up }) => !up).length
  const down = downs === 0 ? '' : `, ${downs === from.length ? 'all' : downs} down`
  const more = targets.length > own ? `, and ${targets.length - own} of another pool` : ''
  if (from.length === 1) return `the only ${what}${down === '' ? '' : ', down'}${more}`
  const all = own === from.length ? 'all' : `${own} of`
  return `${all} ${counted(from.length, what)}${down}${more}, ${HOW[policy]}`
}

/** Most targets that are shown one by one. */
const SHOWN = 12

function knownText(policy: Pick, target: Candidate | undefined): string[] {
  if (target === undefined) return []
  const read = READS[policy]
  const numbers = read.map(key => `${key} ${figureText(key, target[key])}`)
  const resting = target.weight === 0 && !read.includes('weight') ? ['weight 0'] : []
  return [...numbers, ...resting, ...(target.up ? [] : ['down'])]
}

function figureText(figure: Figure, value: number | undefined): string {
  if (value === undefined) return 'unknown'
  return figure === 'latency' ? `${value} ms` : String(value)
}
