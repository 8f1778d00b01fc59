/**
 * From the name asked along its CNAMEs to the records of the type asked. Order does not matter,
 * though it is noted; a loop ends; records of other owners are left aside and noted.
 */

import { typeText } from './codec.ts'
import type { RawRecord } from './message.ts'

export type Found = {
  readonly answers: readonly string[]
  readonly chain: readonly string[]
  readonly oddities: readonly string[]
}

const CNAME = 5
const DNAME = 39
const RRSIG = 46

/**
 * @param answer records of class IN of the answer section, in the order received
 * @param name as `shownName` writes it, like all names here: equal text is the same name (RFC 4343)
 */
export function followChain(answer: readonly RawRecord[], name: string, type: number): Found {
  const oddities = new Set<string>()
  const owners = [name]
  let last = name
  let step = type === CNAME ? undefined : aliasOf(answer, last)
  let latest = -1
  while (step !== undefined) {
    const target = plain(step.text)
    const position = answer.indexOf(step)
    if (position < latest || recordBefore(answer, position, target)) {
      oddities.add('cname-after-address')
    }
    latest = position
    if (owners.some(owner => owner === target)) {
      oddities.add('cname-loop')
      return { answers: [], chain: [], oddities: [...oddities] }
    }
    owners.push(target)
    last = target
    step = aliasOf(answer, last)
  }
  noteOthers(answer, owners, type, oddities)
  const final = answer.filter(record => record.type === type && record.owner === last)
  return {
    answers: final.map(record => record.text),
    chain: owners.slice(1),
    oddities: [...oddities],
  }
}

function aliasOf(answer: readonly RawRecord[], owner: string): RawRecord | undefined {
  return answer.find(record => record.type === CNAME && record.owner === owner)
}

/** RFC 1034 §3.6.2: an alias comes before what it leads to. */
function recordBefore(answer: readonly RawRecord[], position: number, target: string): boolean {
  return answer.slice(0, position).some(record => record.owner === target)
}

function noteOthers(
  answer: readonly RawRecord[],
  owners: readonly string[],
  type: number,
  oddities: Set<string>,
): void {
  for (const record of answer) {
    if (record.type === DNAME || record.type === RRSIG) continue
    const onChain = owners.some(owner => owner === record.owner)
    if (!onChain) oddities.add('other-owner')
    else if (record.type !== type && record.type !== CNAME) {
      oddities.add(`other-type ${typeText(record.type)} ${record.text}`)
    }
  }
}

function plain(text: string): string {
  return text === '.' ? text : text.replace(/\.$/, '')
}
