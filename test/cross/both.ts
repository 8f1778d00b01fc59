/**
 * The same questions to another server and to ours, side by side, and what can be said of the
 * answers: whether they are the same, and whether our scopes are true by the other's answers. Knows
 * nothing of what either was configured from.
 */
import { Address4, Address6 } from 'ip-address'
import type { Desk } from '../../server/answer/desk.ts'
import { ask as askPeer, type Place } from '../kit/ask.ts'
import { ask } from '../kit/world.ts'

export type Question = {
  readonly name: string
  readonly type: 'A' | 'AAAA' | 'TXT'
  /** `203.0.113.0/24` */
  readonly subnet: string
}

/** What one of them said: the data of its answer records, sorted. */
export type Said = {
  readonly rcode: string
  readonly answer: readonly string[]
  readonly scope: number
}

export type Both = Question & { readonly theirs: Said; readonly ours: Said }

/** Special blocks and those with IPv4 in them: neighbours of these have deep leaves. */
const SPECIAL = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16'],
  ...['172.16.0.0/12', '192.168.0.0/16', '::/8', '64:ff9b::/96', '2001::/32', '2002::/16'],
  ...['fc00::/7', 'fe80::/10', 'ff00::/8'],
]

/** How many questions are under way at once. */
const AT_ONCE = 40

/** Asks both all of it. */
export async function askBoth(
  place: Place,
  desk: Desk,
  questions: readonly Question[],
): Promise<Both[]> {
  const asked: Both[] = []
  for (let at = 0; at < questions.length; at += AT_ONCE) {
    const some = questions.slice(at, at + AT_ONCE)
    asked.push(...(await Promise.all(some.map(question => askOne(place, desk, question)))))
  }
  return asked
}

async function askOne(place: Place, desk: Desk, question: Question): Promise<Both> {
  const theirs = await askPeer(place, question)
  const { name, type, subnet } = question
  const ours = ask(desk, name, { type, subnet })
  return {
    ...question,
    theirs: { rcode: theirs.rcode, answer: theirs.answer, scope: theirs.scope ?? -1 },
    ours: { rcode: ours.rcode, answer: dataOf(ours.answer), scope: ours.scope ?? -1 },
  }
}

/** `owner TTL type data` → data; strings of a text as the other side's are shown. */
function dataOf(answer: readonly string[]): string[] {
  const data = answer.map(line => line.split(' ').slice(3).join(' '))
  return data.map(text => text.replaceAll('" "', ',').replaceAll('"', '')).sort()
}

/** Questions: each name with each type in turn, for clients in turn. */
export function questionsOf(
  names: readonly string[],
  types: readonly Question['type'][],
  clients: readonly { readonly subnet: string }[],
  count: number,
): Question[] {
  return Array.from({ length: count }, (_, at) => ({
    name: names[at % names.length] ?? '',
    type: types[Math.floor(at / names.length) % types.length] ?? 'A',
    subnet: clients[Math.floor(at / 2) % clients.length]?.subnet ?? '192.0.2.0/24',
  }))
}

/** The questions that were answered otherwise, in words. */
export function differing(asked: readonly Both[]): string[] {
  return asked
    .filter(({ theirs, ours }) => say(theirs) !== say(ours))
    .map(one => `${one.name} ${one.type} ${one.subnet}: ${say(one.theirs)}, ours ${say(one.ours)}`)
}

function say({ rcode, answer }: Said): string {
  return `${rcode} ${answer.join(' ')}`
}

/** All that was answered to questions of a name, each datum once. */
export function members(asked: readonly Both[], who: 'theirs' | 'ours'): Record<string, string[]> {
  const names = [...new Set(asked.map(({ name, type }) => `${name} ${type}`))]
  const found = names.map(key => {
    const answers = asked.filter(({ name, type }) => `${name} ${type}` === key)
    return [key, [...new Set(answers.flatMap(one => one[who].answer))].sort()] as const
  })
  return Object.fromEntries(found)
}

/** Blocks of ours inside which the other answered in two ways. */
export function falseScopes(asked: readonly Both[]): string[] {
  const blocks = new Map<string, Both>()
  return asked.flatMap(one => {
    const block = `${one.name} ${one.type} ${blockOf(one.subnet, one.ours.scope)}`
    const first = blocks.get(block) ?? one
    blocks.set(block, first)
    if (say(first.theirs) === say(one.theirs)) return []
    return [`${block}: ${first.subnet} ${say(first.theirs)}, ${one.subnet} ${say(one.theirs)}`]
  })
}

/** Answers of ours whose scope is longer than the other's, though nothing special is in its block. */
export function longerScopes(asked: readonly Both[]): string[] {
  return asked
    .filter(({ subnet, theirs, ours }) => {
      return ours.scope > theirs.scope && !holdsSpecial(blockOf(subnet, theirs.scope))
    })
    .map(
      one => `${one.name} ${one.type} ${one.subnet}: ${one.theirs.scope}, ours ${one.ours.scope}`,
    )
}

/** The block of so many bits that a subnet is in, or that is in it. */
function blockOf(subnet: string, bits: number): string {
  const address = `${subnet.split('/')[0]}/${bits}`
  const start = subnet.includes(':')
    ? new Address6(address).startAddress()
    : new Address4(address).startAddress()
  return `${start.correctForm()}/${bits}`
}

function holdsSpecial(whole: string): boolean {
  const block = embedded(whole)
  const bits = Number(block.split('/')[1])
  return SPECIAL.some(special => {
    if (special.includes(':') !== block.includes(':')) return false
    return Number(special.split('/')[1]) >= bits && blockOf(special, bits) === block
  })
}

/** The IPv4 block that a block of 6to4 addresses stands for. RFC 3056 §2. */
function embedded(block: string): string {
  const [address = '', bits] = block.split('/')
  if (!/^2002:/.test(address) || Number(bits) < 16) return block
  const value = (new Address6(address).bigInt() >> 80n) & 0xffff_ffffn
  return `${Address4.fromBigInt(value).correctForm()}/${Math.min(32, Number(bits) - 16)}`
}
