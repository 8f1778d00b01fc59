/**
 * The record of a sweep: a first line that says of what, then a line for each reply, in JSON. Written
 * as replies come, so that a run that ended half-way can be gone on with.
 */

import { claimOf, type Purpose, type Sighting } from './judge/sighting.ts'
import { spanOf, spanText } from './judge/span.ts'
import { readSubnet } from './plan/subnet.ts'
import { isWrong, type Wrong, wrong } from './plan/wrong.ts'
import { DOCUMENT } from './tell/documents.ts'

/** What a record is of. */
export type RecordHead = {
  readonly name: string
  readonly type: string
  readonly server: string
  readonly seed: number
  readonly samples: number
}

export type MapRecord = { readonly head: RecordHead; readonly sightings: readonly Sighting[] }

export function headLine(head: RecordHead): string {
  return `${JSON.stringify({ schema: DOCUMENT.mapRecord, ...head })}\n`
}

export function sightingLine({ network, scope, purpose, set }: Sighting): string {
  return `${JSON.stringify({ network: spanText(network), scope, purpose, answers: set })}\n`
}

/** Reads a record; lines that are no replies, such as a last one that was cut, are asked again. */
export function readRecord(path: string, text: string): MapRecord | Wrong {
  const [first = '', ...lines] = text.split('\n')
  const head = parsed(first)
  if (head?.schema !== DOCUMENT.mapRecord || !isHead(head)) {
    return wrong(`--resume ${path}: not the record of a map`, 'name a file that --record wrote')
  }
  const sightings = lines.flatMap(line => readSighting(parsed(line)) ?? [])
  return { head, sightings }
}

type Loose = Readonly<Record<string, unknown>>

function parsed(line: string): Loose | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? (value as Loose) : undefined
  } catch {
    return undefined
  }
}

function isHead(value: Loose): value is Loose & RecordHead {
  const texts = [value.name, value.type, value.server].every(one => typeof one === 'string')
  return texts && Number.isSafeInteger(value.seed) && Number.isSafeInteger(value.samples)
}

const PURPOSES: readonly unknown[] = ['leaf', 'sample', 'again'] satisfies readonly Purpose[]

function readSighting(value: Loose | undefined): Sighting | undefined {
  const { network: text, scope, purpose, answers } = value ?? {}
  const subnet = typeof text === 'string' ? readSubnet(text, 'any') : undefined
  if (subnet === undefined || isWrong(subnet) || !PURPOSES.includes(purpose)) return undefined
  if (!Array.isArray(answers) || !answers.every(one => typeof one === 'string')) return undefined
  const told = typeof scope === 'number' && scope >= 0 && scope <= 128 ? scope : undefined
  const network = spanOf(subnet.family, subnet.octets, subnet.source)
  const claim = claimOf(network, told)
  return { network, claim, scope: told, set: answers, purpose: purpose as Purpose }
}
