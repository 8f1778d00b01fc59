/**
 * What is wrong with metrics by the rules of `promtool check metrics` (client_golang's promlint), and
 * by those of the format that a series keeps to. One sentence a mistake.
 */
import { type Family, type Sample, seriesOf } from './exposition.ts'

/** Units that are base units, and what others are to be written as. */
const BASE = [
  'amperes',
  'bytes',
  'celsius',
  'grams',
  'joules',
  'kelvin',
  'meters',
  'metres',
  'seconds',
  'volts',
]
const UNITS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(BASE.map(unit => [unit, unit])),
  ...{ minutes: 'seconds', hours: 'seconds', days: 'seconds', weeks: 'seconds' },
  ...{ kelvins: 'kelvin', fahrenheit: 'celsius', rankine: 'celsius' },
  ...{ inches: 'meters', yards: 'meters', miles: 'meters', bits: 'bytes' },
  ...{ calories: 'joules', pounds: 'grams', ounces: 'grams' },
}
const PREFIXES = [
  ...['pico', 'nano', 'micro', 'milli', 'centi', 'deci', 'deca', 'hecto', 'kilo', 'kibi', 'mega'],
  ...['mibi', 'giga', 'gibi', 'tera', 'tebi', 'peta', 'pebi'],
]
const ABBREVIATED = ['s', 'ms', 'us', 'ns', 'sec', 'b', 'kb', 'mb', 'gb', 'tb', 'pb', 'm', 'h', 'd']
const METRIC_TYPES = ['counter', 'gauge', 'summary', 'histogram', 'gauge_histogram']

type Rule = (family: Family) => readonly string[]

/** `metric: what is wrong` */
export function lint(found: readonly Family[]): string[] {
  return found.flatMap(family =>
    RULES.flatMap(rule => rule(family)).map(what => `${family.name}: ${what}`),
  )
}

const help: Rule = ({ help: text }) => (text === undefined || text === '' ? ['no help text'] : [])

const unit: Rule = ({ name }) => {
  const found = name.split('_').map(word => [word, unitIn(word)] as const)
  const [word, base] = found.find(([, base]) => base !== undefined) ?? []
  return word === base ? [] : [`use base unit ${base} instead of ${word}`]
}

function unitIn(word: string): string | undefined {
  const prefix = PREFIXES.find(
    prefix => word.startsWith(prefix) && word.slice(prefix.length) in UNITS,
  )
  return UNITS[word] ?? (prefix === undefined ? undefined : UNITS[word.slice(prefix.length)])
}

const counter: Rule = ({ name, type }) => {
  const total = name.endsWith('_total')
  if (type === 'counter' && !total) return ['a counter without _total']
  return type !== 'counter' && type !== 'untyped' && total ? ['_total, and no counter'] : []
}

const gauge: Rule = ({ name, type }) =>
  type !== 'gauge' && type !== 'untyped' && name.endsWith('_timestamp_seconds')
    ? ['_timestamp_seconds, and no gauge']
    : []

const reserved: Rule = ({ name, type, samples }) => {
  if (type === 'untyped') return []
  const isHistogram = type === 'histogram'
  const has = (label: string) => samples.some(({ labels }) => Object.hasOwn(labels, label))
  const said: string[] = []
  if (!isHistogram && name.endsWith('_bucket')) said.push('_bucket, and no histogram')
  for (const part of ['_count', '_sum']) {
    if (!isHistogram && type !== 'summary' && name.endsWith(part))
      said.push(`${part}, and no histogram`)
  }
  if (!isHistogram && has('le')) said.push('label le, and no histogram')
  if (type !== 'summary' && has('quantile')) said.push('label quantile, and no summary')
  return said
}

const typeInName: Rule = ({ name }) =>
  METRIC_TYPES.filter(type => `${name.toLowerCase()}_`.includes(`_${type}_`)).map(
    type => `its type in its name: ${type}`,
  )

const colon: Rule = ({ name }) => (name.includes(':') ? ['a colon in its name'] : [])

const camelCase: Rule = ({ name, samples }) => {
  const labels = new Set(samples.flatMap(({ labels }) => Object.keys(labels)))
  return [name, ...labels].filter(word => /[a-z][A-Z]/.test(word)).map(word => `camelCase: ${word}`)
}

const abbreviated: Rule = ({ name }) =>
  ABBREVIATED.filter(unit => `${name.toLowerCase()}_`.includes(`_${unit}_`)).map(
    unit => `an abbreviated unit: ${unit}`,
  )

const unique: Rule = ({ samples }) => {
  const seen = new Set<string>()
  return samples.map(seriesOf).flatMap(one => {
    if (seen.has(one)) return [`twice: ${one}`]
    seen.add(one)
    return []
  })
}

/** Labels that begin with __ are Prometheus's own. */
const ownLabels: Rule = ({ samples }) => {
  const labels = new Set(samples.flatMap(({ labels }) => Object.keys(labels)))
  return [...labels].filter(label => label.startsWith('__')).map(label => `not ours: ${label}`)
}

const counts: Rule = ({ type, samples }) =>
  type !== 'counter'
    ? []
    : samples.filter(({ value }) => !(value >= 0)).map(one => `below 0: ${seriesOf(one)}`)

/** Buckets go up, end in +Inf, and that is the count. */
const buckets: Rule = ({ name, type, samples }) => {
  if (type !== 'histogram') return []
  const groups = new Map<string, Sample[]>()
  for (const one of samples) {
    const labels = seriesOf(withoutLe(one)).slice(one.name.length)
    groups.set(labels, [...(groups.get(labels) ?? []), one])
  }
  return [...groups].flatMap(([labels, group]) =>
    bucketFlaws(name, group).map(flaw => `${flaw}${labels}`),
  )
}

function withoutLe({ name, labels, value }: Sample): Sample {
  const { le: _, ...others } = labels
  return { name, labels: others, value }
}

function bucketFlaws(name: string, group: readonly Sample[]): string[] {
  const lines = group.filter(one => one.name === `${name}_bucket`)
  const bounds = lines.map(({ labels }) => (labels.le === '+Inf' ? Infinity : Number(labels.le)))
  const count = group.find(one => one.name === `${name}_count`)?.value
  const goesUp = (numbers: readonly number[]) =>
    numbers.every((one, i) => i === 0 || one >= (numbers[i - 1] ?? 0))
  const said: string[] = []
  if (!goesUp(bounds) || bounds.some(Number.isNaN)) said.push('bounds do not go up')
  if (!goesUp(lines.map(({ value }) => value))) said.push('buckets do not go up')
  if (bounds.at(-1) !== Infinity) said.push('no bucket +Inf')
  else if (lines.at(-1)?.value !== count) said.push('its bucket +Inf is not its count')
  if (!group.some(one => one.name === `${name}_sum`)) said.push('no sum')
  return said
}

const RULES: readonly Rule[] = [
  ...[help, unit, counter, gauge, reserved, typeInName, colon, camelCase, abbreviated],
  ...[unique, ownLabels, counts, buckets],
]
