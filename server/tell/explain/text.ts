/**
 * An explanation for a person: the five verbs of the line, a few facts each, then the reply as `dig`
 * prints it. At most 100 columns, but for what a single word needs.
 */
import { counted } from '../figures.ts'
import type { Explanation, Found, OfCountry, Read, Replied, Supposed } from './explanation.ts'
import { type Row, verbLines } from './rows.ts'
import { steerRows } from './steer-text.ts'

/** Several lines, each ended. */
export function explainText(explained: Explanation): string {
  const { find, read, reply, steer, supposed, write } = explained
  const parts = [
    verbLines('if', supposed === undefined ? [] : supposedRows(supposed, read)),
    verbLines('read', readRows(read)),
    verbLines('find', findRows(find)),
    verbLines('steer', steer === undefined ? [] : steerRows(explained, steer)),
    verbLines('reply', [['', replyText(reply)]]),
    verbLines('write', [['', `${write.octets} octets`]]),
  ]
  return [...parts.flat(), '', ...write.dig, ''].join('\n')
}

function supposedRows({ country, down }: Supposed, { subnet }: Read): Row[] {
  return [
    ...(country === undefined ? [] : [row('client', countryText(country, subnet))]),
    ...(down === undefined ? [] : [row('down', down.join(', '))]),
  ]
}

function countryText({ block, code, name }: OfCountry, subnet = ''): string {
  return `of ${code}, ${name}: ${subnet}, at the beginning of its largest block ${block}`
}

function row(label: string, ...lines: readonly string[]): Row {
  return [label, ...lines]
}

function readRows({ limit, name, source, subnet, type }: Read): Row[] {
  return [
    row('question', `${name} ${type}, asked by ${source}, reply at most ${limit} octets`),
    row('client', subnet === undefined ? 'not told' : `${subnet}, as the resolver tells`),
  ]
}

// biome-ignore format: table
const FOUND: Readonly<Record<Found['kind'], string>> = {
  answer:     'has records of that type',
  any:        'exists; ANY gets one answer only (RFC 8482)',
  alias:      'is an alias',
  rename:     'is below a DNAME',
  steered:    'is steered',
  referral:   'is delegated',
  'no-data':  'exists, but has no record of that type',
  'no-name':  'does not exist',
  'no-zone':  'is in no zone served here',
}

/** Why a steered name was not steered after all. */
const UNSTEERED = {
  'asked anew': ', by its clients: the resolver is to ask for that itself',
  'no such addresses': ', but its pools have no such addresses',
} as const

function findRows({ aliases, kind, name, node, tells, unsteered, zone }: Found): Row[] {
  const by = node === undefined || node === name.toLowerCase() ? '' : `, by ${node}`
  const why = unsteered === undefined ? '' : UNSTEERED[unsteered]
  return [
    ...(zone === undefined ? [] : [row('zone', zone)]),
    ...(aliases.length === 0 ? [] : [row('aliases', [...aliases, name].join(' → '))]),
    row('found', `${name} ${tells === undefined ? FOUND[kind] : `tells ${tells}`}${by}${why}`),
  ]
}

function replyText({ answer, authoritative, rcode, scope, truncated }: Replied): string {
  const flags = `${authoritative ? ', authoritative' : ''}${truncated ? ', truncated' : ''}`
  const told = scope === undefined ? '' : `, scope ${scope}`
  return `${rcode}${flags}, ${counted(answer.length, 'answer record')}${told}`
}
