/** What `diff` saw in one sentence, and the words for what servers differ in. */
import type { Aspect, DiffJudgement } from '../judge/diff.ts'
import { many } from './number.ts'

/** Servers named in the sentence; the rest are counted. */
const NAMED = 3

export const ASPECTS: Readonly<Record<Aspect, string>> = {
  reply: 'reply code',
  authority: 'AA flag',
  option: 'client subnets',
  scope: 'scopes',
  answers: 'answers',
  ttl: 'TTL',
  serial: 'serial',
}

/** Without a full stop. */
export function diffSentence(one: DiffJudgement): string {
  const heard = one.servers.filter(({ replies }) => replies > 0)
  const silent = one.servers.length - heard.length
  const left = silent === 0 ? '' : `; ${many(silent, 'server does', 'servers do')} not answer`
  if (one.verdict === 'unclear') {
    return heard.length === 0
      ? `no reply from any of ${many(one.servers.length, 'server', 'servers')}`
      : `only ${heard[0]?.server} answers: nothing to compare${left}`
  }
  if (one.verdict === 'same') {
    return `${heard.length === 2 ? 'both' : `all ${heard.length}`} servers say the same${left}`
  }
  return `${who(one.odd)} ${list(aspectsOf(one))}${left}`
}

function aspectsOf({ differences }: DiffJudgement): readonly string[] {
  return [...new Set(differences.map(({ aspect }) => ASPECTS[aspect]))]
}

function who(odd: readonly string[]): string {
  if (odd.length === 0) return 'the servers differ, and no majority says who is right:'
  const named = odd.slice(0, NAMED)
  const more = odd.length > NAMED ? [`${odd.length - NAMED} more`] : []
  const isOne = odd.length === 1
  return `${list([...named, ...more])} ${isOne ? 'is the odd one' : 'are the odd ones'} out:`
}

function list(words: readonly string[]): string {
  return words.length < 2
    ? words.join('')
    : `${words.slice(0, -1).join(', ')} and ${words[words.length - 1]}`
}

// biome-ignore format: table
const NEXT: Readonly<Record<Aspect, string>> = {
  reply:     'find out why some name servers do not have the name: an old zone, or another server behind the address',
  authority: 'load the zone at every server that the NS records name: without AA resolvers may drop the reply',
  option:    'switch client subnets on at every name server of the zone: the answers of the odd one fill caches for everybody',
  scope:     'serve the same map from every name server: resolvers keep what either says',
  answers:   'serve the same data from every name server, or look again after the next transfer',
  ttl:       'give the record the same TTL at every name server',
  serial:    'wait for the transfer, or find out why it does not come',
}

/** What to do about it, by the first thing that differs. */
export function diffNext({ verdict, differences }: DiffJudgement): string {
  const [first] = differences
  if (first !== undefined) {
    const isBehind = differences.some(({ aspect }) => aspect === 'serial')
    return isBehind ? NEXT.serial : NEXT[first.aspect]
  }
  return verdict === 'same'
    ? 'nothing to do; run it again after the next change of the zone'
    : 'name servers that answer, or raise --timeout'
}
