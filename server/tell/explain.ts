/**
 * An explanation for a person: the five verbs of the line, a few facts each, then the reply as `dig`
 * prints it. At most 100 columns, but for what a single word needs.
 */
import { counted } from './counted.ts'
import { type Row, verbLines } from './explain-rows.ts'
import { steerRows } from './explain-steer.ts'
import type { Explanation, Found, Read, Replied, Supposed } from './explanation.ts'

/** Several lines, each ended. */
export function explainText(explained: Explanation): string {
  const { find, read, reply, steer, supposed, write } = explained
  const parts = [
    verbLines('if', supposed === undefined ? [] : supposedRows(supposed, read)),
    verbLines('read', readRows(read)),
    verbLines('find', findRows(find)),
    verbLines('steer', steer === undefined ? [] : steerRows(explained, steer)),
    verbLines('reply', [['', replyText(reply)]]),
    verbLines('write', [['', `${write.octets} octets of at most ${read.limit}`]]),
  ]
  return [...parts.flat(), '', ...write.dig, ''].join('\n')
}

function supposedRows({ country, down }: Supposed, { subnet }: Read): Row[] {
  return [
    ...(country === undefined
      ? []
      : [row('client', `is in ${country.name}: ${subnet}, of its largest block ${country.block}`)]),
    ...(down === undefined ? [] : [row('down', down.join(', '))]),
  ]
}

function row(label: string, ...lines: readonly string[]): Row {
  return [label, ...lines]
}

function readRows({ name, source, subnet, type }: Read): Row[] {
  return [
    row('question', `${name} ${type}, asked by ${source}`),
    row('client', subnet === undefined ? 'not told' : `${subnet}, as the resolver tells`),
  ]
}

// biome-ignore format: table
const FOUND: Readonly<Record<string, string>> = {
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

function findRows({ aliases, kind, name, node, zone }: Found): Row[] {
  const by = node === undefined || node === name.toLowerCase() ? '' : `, by ${node}`
  return [
    ...(zone === undefined ? [] : [row('zone', zone)]),
    ...(aliases.length === 0 ? [] : [row('aliases', [...aliases, name].join(' → '))]),
    row('found', `${name} ${FOUND[kind] ?? kind}${by}`),
  ]
}

function replyText({ answer, authoritative, rcode, scope, truncated }: Replied): string {
  const flags = `${authoritative ? ', authoritative' : ''}${truncated ? ', truncated' : ''}`
  return `${rcode}${flags}, ${counted(answer.length, 'answer record')}, scope ${scope}`
}
