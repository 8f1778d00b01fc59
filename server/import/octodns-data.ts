/**
 * The values of octoDNS records as the data of a master file (octoDNS docs, "Records"): each type
 * has names of its own for its fields.
 */
import { entriesIn, type Tree, textAt, textsOf, valueAt } from './document.ts'
import { splitText } from './zone-text.ts'

/** Names of the fields of a type, in the order of its data; with `.` those that are names. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  CAA: ['flags', 'tag', '"value'],
  DS: ['key_tag', 'algorithm', 'digest_type', 'digest'],
  MX: ['preference|priority', '.exchange|value'],
  NAPTR: ['order', 'preference', '"flags', '"service', '"regexp', '.replacement'],
  SRV: ['priority', 'weight', 'port', '.target'],
  SSHFP: ['algorithm', 'fingerprint_type', 'fingerprint'],
  TLSA: ['certificate_usage', 'selector', 'matching_type', 'certificate_association_data'],
  URI: ['priority', 'weight', '"target'],
}
const NAMES = new Set(['CNAME', 'DNAME', 'NS', 'PTR'])

/** The data of one value; `undefined` where there is no way to write it. */
export function dataOf(type: string, value: Tree): string | undefined {
  const text = value.kind === 'text' ? value.text : undefined
  if (type === 'A' || type === 'AAAA') return text
  if (NAMES.has(type)) return text === undefined ? undefined : withDot(text)
  if (type === 'TXT' || type === 'SPF') return text === undefined ? undefined : strings(text)
  if (type === 'LOC') return location(value)
  if (type === 'HTTPS' || type === 'SVCB') return service(value)
  const fields = FIELDS[type]
  if (fields === undefined) return undefined
  const words = fields.map(field => fieldOf(value, field))
  return words.some(word => word === undefined) ? undefined : words.join(' ')
}

function fieldOf(value: Tree, field: string): string | undefined {
  const keys = field.replace(/^[."]/, '').split('|')
  const text = keys.map(key => textAt(value, key)).find(found => found !== undefined)
  if (text === undefined) return undefined
  if (field.startsWith('.')) return withDot(text)
  return field.startsWith('"') ? `"${text.replace(/"/g, '\\"')}"` : text
}

export function withDot(name: string): string {
  return name.endsWith('.') ? name : `${name}.`
}

/** A text has `;` with a backslash before it, and may be in pieces already. */
function strings(text: string): string {
  const whole = text.startsWith('"') ? text.slice(1, -1).replaceAll('" "', '') : text
  const plain = whole
    .replaceAll('\\;', ';')
    .replace(/(\\.)|"/gs, (found, escaped) => escaped ?? `\\${found}`)
  return splitText(plain).join(' ')
}

function location(value: Tree): string | undefined {
  const at = (key: string) => textAt(value, key)
  const words = [
    ...['lat_degrees', 'lat_minutes', 'lat_seconds', 'lat_direction'].map(at),
    ...['long_degrees', 'long_minutes', 'long_seconds', 'long_direction'].map(at),
  ]
  const metres = ['altitude', 'size', 'precision_horz', 'precision_vert'].map(at)
  if ([...words, ...metres].some(word => word === undefined)) return undefined
  return [...words, ...metres.map(word => `${word}m`)].join(' ')
}

function service(value: Tree): string | undefined {
  const priority = textAt(value, 'svcpriority')
  const target = textAt(value, 'targetname')
  if (priority === undefined || target === undefined) return undefined
  const params = entriesIn(valueAt(value, 'svcparams')).map(({ key, value: param }) => {
    const text = textsOf(param).join(',')
    return text === '' ? key : `${key}="${text}"`
  })
  return [priority, target === '.' ? '.' : withDot(target), ...params].join(' ')
}
