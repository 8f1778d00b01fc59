/**
 * A reply as `dig` prints it, tabs and all: operators know how to read that. Only what a server
 * sends: no times, no servers, no complaints.
 */
import { addressText } from '../../dns/address.ts'
import { OPTION } from '../../dns/edns.ts'
import {
  FLAG,
  type Message,
  OPCODE,
  type Question,
  type Record,
  rcodeText,
} from '../../dns/message.ts'
import { nameText } from '../../dns/name.ts'
import { hexText, u16 } from '../../dns/octets.ts'
import { rdataText } from '../../dns/rdata.ts'
import { classText, TYPE, typeText } from '../../dns/rrtype.ts'

/** The lines that `dig +norecurse` prints of a reply, up to its last record. */
export function digLines(message: Message): string[] {
  const { answers, authorities, additionals, questions } = message
  const opt = additionals.find(({ type }) => type === TYPE.OPT)
  const rest = additionals.filter(record => record !== opt)
  return [
    ...headLines(message, opt),
    ...(opt === undefined ? [] : ['', ';; OPT PSEUDOSECTION:', ...optLines(opt)]),
    // dig leaves no empty line between these two.
    ...sectionLines('QUESTION', questions.map(questionLine), opt === undefined ? [''] : []),
    ...sectionLines('ANSWER', answers.map(recordLine), ['']),
    ...sectionLines('AUTHORITY', authorities.map(recordLine), ['']),
    ...sectionLines('ADDITIONAL', rest.map(recordLine), ['']),
  ]
}

function sectionLines(
  title: string,
  lines: readonly string[],
  before: readonly string[],
): string[] {
  return lines.length === 0 ? [] : [...before, `;; ${title} SECTION:`, ...lines]
}

// biome-ignore format: table
const FLAGS = [
  ['qr', FLAG.QR], ['aa', FLAG.AA], ['tc', FLAG.TC], ['rd', FLAG.RD],
  ['ra', FLAG.RA], ['ad', FLAG.AD], ['cd', FLAG.CD],
] as const

const OPCODE_TEXT = new Map<number, string>(
  Object.entries(OPCODE).map(([word, value]) => [value, word]),
)

function headLines(message: Message, opt: Record | undefined): string[] {
  const { id, opcode, questions, answers, authorities, additionals } = message
  // RFC 6891 §6.1.3: the upper eight bits of the code stand in the OPT record.
  const rcode = message.rcode | (opt === undefined ? 0 : (opt.ttl >>> 24) << 4)
  const flags = FLAGS.filter(([, mask]) => (message.flags & mask) !== 0).map(([word]) => ` ${word}`)
  const counts = `QUERY: ${questions.length}, ANSWER: ${answers.length}`
  const more = `AUTHORITY: ${authorities.length}, ADDITIONAL: ${additionals.length}`
  const asked = OPCODE_TEXT.get(opcode) ?? `RESERVED${opcode}`
  return [
    `;; ->>HEADER<<- opcode: ${asked}, status: ${rcodeText(rcode)}, id: ${id}`,
    `;; flags:${flags.join('')}; ${counts}, ${more}`,
  ]
}

/** TTL of OPT is the code's upper bits, the version and the flags. RFC 6891 §6.1.3. */
function optLines({ class: size, ttl, rdata }: Record): string[] {
  const version = (ttl >>> 16) & 0xff
  const flags = (ttl & 0x8000) === 0 ? '' : ' do'
  const lines = [`; EDNS: version: ${version}, flags:${flags}; udp: ${size}`]
  for (let at = 0; at + 4 <= rdata.length; at += 4 + u16(rdata, at + 2)) {
    lines.push(optionLine(u16(rdata, at), rdata.subarray(at + 4, at + 4 + u16(rdata, at + 2))))
  }
  return lines
}

function optionLine(code: number, data: Uint8Array): string {
  if (code === OPTION.ECS && data.length >= 4) return `; CLIENT-SUBNET: ${subnetText(data)}`
  return `; OPT=${code}: ${hexText(data).replace(/../g, '$& ').trim()}`
}

/** `address/source/scope`. RFC 7871 §6. */
function subnetText(data: Uint8Array): string {
  const octets = new Uint8Array(u16(data, 0) === 1 ? 4 : 16)
  octets.set(data.subarray(4, 4 + octets.length))
  return `${addressText(octets)}/${data.at(2)}/${data.at(3)}`
}

function questionLine({ name, type, class: cls }: Question): string {
  return `;${columns([nameText(name), 32, classText(cls), 40, typeText(type)])}`
}

function recordLine({ owner, type, class: cls, ttl, rdata }: Record): string {
  const [name, kind] = [nameText(owner), typeText(type)]
  return columns([name, 24, `${ttl}`, 32, classText(cls), 40, kind, 48, rdataText(type, rdata)])
}

const TAB = 8

/** Words and the columns between them: tabs up to there, or one blank where a word is longer. */
function columns(parts: readonly (string | number)[]): string {
  let [text, column] = ['', 0]
  for (const part of parts) {
    if (typeof part === 'string') {
      text += part
      column += part.length
      continue
    }
    const to = Math.max(part, column + 1)
    const tabs = Math.floor(to / TAB) - Math.floor(column / TAB)
    const blanks = tabs > 0 ? to % TAB : to - column
    text += '\t'.repeat(tabs) + ' '.repeat(blanks)
    column = to
  }
  return text
}
