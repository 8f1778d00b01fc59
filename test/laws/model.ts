/** `npm run model`: prints what the models of steering give, beside what they are held to. */
import { aligned } from '../bench/table.ts'
import { type Figure, meanOf, SEEDS, type Wanted } from './figure.ts'
import { MOVES } from './moving.ts'
import { POLICIES } from './policies.ts'

const HEADS = ['', 'wanted', 'mean', 'least', 'most', 'within']

function tableOf(title: string, figures: readonly Figure[]): string {
  return [title, ...aligned([HEADS, ...figures.map(cellsOf)]), ''].join('\n')
}

function cellsOf({ name, wanted, measure }: Figure): string[] {
  const measured = measure()
  const [mean, least, most] = [meanOf(measured), Math.min(...measured), Math.max(...measured)]
  const digits = most < 2 ? 3 : 2
  const numbers = [mean, least, most].map(number => number.toFixed(digits))
  return [name, wanted?.text ?? '–', ...numbers, verdictOn(mean, wanted)]
}

function verdictOn(mean: number, wanted: Wanted | undefined): string {
  if (wanted === undefined) return ''
  return mean >= wanted.least && mean <= wanted.most ? 'yes' : 'NO'
}

const QUEUES = '16 servers at 80 %: 99th percentile of time in the system, in mean services'
console.log(tableOf(`${QUEUES}; ${SEEDS.length} seeds`, POLICIES))
console.log(
  tableOf(`5 servers become 6: share of 1,000 keys that move; ${SEEDS.length} seeds`, MOVES),
)
