/**
 * An explanation for a person: the five verbs of the line, one paragraph.
 */
import type { Explanation, Steered } from './explanation.ts'

/** Several lines, each a verb and what it found. */
export function explainText(explained: Explanation): string {
  const { read, find, steer, reply, write } = explained
  const lines = [
    ['read', readText(read)],
    ['find', findText(find)],
    ...(steer === undefined ? [] : steerLines(steer)),
    ['reply', replyText(reply)],
    ['write', `${write.octets} octets of at most ${read.limit}`],
  ]
  const verbs = lines.map(([verb = '', text = '']) => `${verb.padEnd(7)}${text}\n`).join('')
  const { answer, authority, additional } = reply
  const records = [...answer, ...authority, ...additional].map(record => `  ${record}\n`).join('')
  return records === '' ? verbs : `${verbs}\n${records}`
}

function readText({ name, type, source, subnet }: Explanation['read']): string {
  const client = subnet === undefined ? 'no client subnet' : `client subnet ${subnet}`
  return `${name} ${type} from ${source}, ${client}`
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

function findText({ name, aliases, kind, zone, node }: Explanation['find']): string {
  const way = aliases === 0 ? '' : `after ${aliases} alias${aliases === 1 ? '' : 'es'}, `
  const where = zone === undefined ? '' : ` in zone ${zone}`
  const by = node === undefined || node === name.toLowerCase() ? '' : `, decided by ${node}`
  return `${way}${name} ${FOUND[kind] ?? kind}${where}${by}`
}

function steerLines(steer: Steered): string[][] {
  const { rule, ranking, pool, pick, targets, ttl } = steer
  const n = targets.length
  return [
    ['steer', `rule ${rule}: ${locatedText(steer)}`],
    ['', `ranking ${ranking.join(', ')}; pool ${pool} serves`],
    ['', `${pick}: ${n} target${n === 1 ? '' : 's'}, ${targets.join(' ')}; TTL ${ttl}`],
  ]
}

function locatedText({ block, located, scope, special, tailored }: Steered): string {
  if (!tailored) return 'the same for everybody; scope 0'
  const bySource = located === 'peer' ? 'the source address decides' : 'the default branch decides'
  if (special) return `${block} says nothing of the client, ${bySource}; scope ${scope}`
  return located === 'subnet' ? `block ${block}; scope ${scope}` : `${bySource}; scope 0`
}

function replyText({
  rcode,
  authoritative,
  truncated,
  scope,
  answer,
}: Explanation['reply']): string {
  const flags = `${authoritative ? ', authoritative' : ''}${truncated ? ', truncated' : ''}`
  const n = answer.length
  return `${rcode}${flags}, ${n} answer record${n === 1 ? '' : 's'}, scope ${scope}`
}
