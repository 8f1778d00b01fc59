/** What a resolver does in one sentence, and what to do with it. */
import type { Calibration, ResolverVerdict, Ways } from '../judge/calibrate.ts'
import type { Comparison } from '../judge/known-resolvers.ts'

const MOST = 3

/** Without a full stop. */
export function resolverSentence(one: Calibration): string {
  const steady = one.steadiness === 'mixed' ? ', but not always' : ''
  return `${SENTENCES[one.verdict](one)}${steady}`
}

const SENTENCES: Readonly<Record<ResolverVerdict, (one: Calibration) => string>> = {
  forwards: ({ ways }) => `passes the client's subnet on as it was sent${shown(ways)}`,
  truncates: ({ lengths }) =>
    `passes on fewer bits of the client's subnet than were sent (${lengths.map(bits => `/${bits}`).join(', ')})`,
  substitutes: ({ substitutes, ways }) =>
    `passes on another network than the client's (${list(substitutes)})${echoed(ways)}`,
  strips: ({ ways }) =>
    ways.echo === 'exact'
      ? 'passes no client subnet on, and says so: the option comes back with scope 0'
      : 'passes no client subnet on',
  'echoes-only': () =>
    'passes no client subnet on, yet returns the option with a scope as if it had: its echo proves nothing',
  refuses: ({ canaries }) =>
    `answers ${canaries.find(({ fate }) => fate === 'refused')?.reply ?? 'REFUSED'} to a client subnet`,
  unknown: ({ zone }) =>
    zone === undefined
      ? 'no zone that reflects client subnets could be asked through it'
      : 'too few canaries came back to tell',
}

function shown({ echo, scope }: Ways): string {
  if (echo === 'missing') return ', but returns no option'
  if (echo === 'mismatch') return ', but returns another option'
  if (scope === 'hidden') return ', but hides the scope of the answer'
  if (scope === 'changed') return ', but returns another scope than the authority gave'
  return scope === 'shown' ? ' and shows the scope of the answer' : ''
}

function echoed({ echo }: Ways): string {
  return echo === 'exact' ? ", yet returns the client's: its echo proves nothing" : ''
}

function list(texts: readonly string[]): string {
  const more = texts.length > MOST ? `, and ${texts.length - MOST} more` : ''
  return texts.slice(0, MOST).join(', ') + more
}

/** What has been reported, beside what is seen; `undefined` where nothing is known. */
export function comparisonText({ verdict }: Calibration, known: Comparison): string | undefined {
  const { service, reported, like } = known
  if (service !== undefined) {
    const agrees = reported.includes(verdict) ? 'as reported of it' : 'unlike reports of it'
    return `${service}: ${agrees} (${reported.join(' or ')})`
  }
  return like.length === 0 ? undefined : `the same is reported of ${like.join(', ')}`
}

// biome-ignore format: table
const NEXT: Readonly<Record<ResolverVerdict, string>> = {
  forwards:      'ecs may be asked through it; its cache still holds rotation still, so dns2 may not',
  truncates:     'ask the authoritative servers (@auth): places finer than it passes on cannot be told apart through it',
  substitutes:   'ask the authoritative servers (@auth): what comes back is meant for other clients',
  strips:        'ask the authoritative servers (@auth); as a control it is good: everybody must be answered alike',
  'echoes-only': 'ask the authoritative servers (@auth), and do not believe its option',
  refuses:       'ask the authoritative servers (@auth), or with a shorter prefix',
  unknown:       'name a zone that reflects: --zone NAME',
}

/** What to do with it; one that forwards and yet spoils what comes back is no use for `ecs` either. */
export function resolverNext({ verdict, path }: Calibration): string {
  if (verdict !== 'forwards' || path !== 'altered') return NEXT[verdict]
  return 'ask the authoritative servers (@auth): what comes back through it does not tell whose answer it is'
}
