/**
 * A record of each type, right, and with one fault drawn from a seed: a word missing or too many, a
 * number out of range or none, an address or a name that is none, data of another length.
 */
import { type Chance, chance } from '../../../server/steer/chance.ts'
import { oneOf } from '../../kit/maps.ts'
import { DATA } from '../conform/zone-data.ts'
import type { FileText } from './forms.ts'

type Change = (words: readonly string[], draw: Chance) => string[]

/** One word is another one. */
function instead(fits: RegExp, ...others: readonly string[]): Change {
  return (words, draw) => {
    const places = words.flatMap((word, at) => (fits.test(word) ? [at] : []))
    if (places.length === 0) return [...words]
    const place = oneOf(draw, places)
    return words.map((word, at) => (at === place ? oneOf(draw, others) : word))
  }
}

// biome-ignore format: table
const CHANGES: Readonly<Record<string, Change>> = {
  'the last word missing':   words => words.slice(0, -1),
  'a word too many':         words => [...words, 'more'],
  'a number too large':      instead(/^[0-9]{1,5}$/, '65536', '4294967296', '99999999999'),
  'a number that is none':   instead(/^[0-9]{1,5}$/, 'x', '-1', '1.5', '0x10', '""'),
  'an address that is none': instead(/^[0-9a-f]*[.:][0-9a-f.:]+$/i, '192.0.2.256', '192.0.2', '2001:db8::g', '192.0.2.010'),
  'a name that is none':     instead(/^[a-z]+[0-9]?$/i, 'a..b', `${'x'.repeat(64)}`),
  'half an octet':           instead(/^[0-9a-f]{10,}$/i, '123', 'zz'),
  'base 64 cut short':       instead(/=$|^[A-Za-z0-9+/]{20,}$/, 'AQI', 'A===', 'AQ*='),
  'in the form of RFC 3597, too short': () => ['\\#', '2', '00'],
  'in the form of RFC 3597, too long':  () => ['\\#', '70000', '00'],
}

/** Types and their words, from the zones that are served. */
function records(): { readonly type: string; readonly words: readonly string[] }[] {
  const lines = DATA.slice(0, 2).flatMap(({ text }) => text.split('\n').slice(4))
  return lines.flatMap(line => {
    const [owner = '', type = '', ...words] = line.trim().match(/"(?:[^"\\]|\\.)*"|\S+/g) ?? []
    return owner === '' || owner === 'numbered' ? [] : [{ type, words }]
  })
}

/** @param each how many faults a record gets */
export function dataFiles(each: number, seed: number): FileText[] {
  const draw = chance(seed)
  return records().flatMap(({ type, words }, at) => {
    const owner = `r${at}`
    const right: FileText = [`${type}, right`, `%${owner} ${type} ${words.join(' ')}\n`]
    const faults = Array.from({ length: each }, () => faultOf(draw, owner, type, words))
    return [right, ...faults.filter(file => file !== undefined)]
  })
}

function faultOf(
  draw: Chance,
  owner: string,
  type: string,
  words: readonly string[],
): FileText | undefined {
  for (let tries = 0; tries < 20; tries += 1) {
    const what = oneOf(draw, Object.keys(CHANGES))
    const changed = CHANGES[what]?.(words, draw) ?? []
    const text = changed.join(' ')
    if (text !== words.join(' '))
      return [`${type}, ${what}: ${text.slice(0, 60)}`, `%${owner} ${type} ${text}\n`]
  }
  return undefined
}
