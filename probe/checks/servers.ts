/**
 * Do all name servers answer alike? The same treatment of client subnets, and the same addresses for
 * the same client, where one server by itself always gives the same.
 */
import type { Judgement } from '../judge/judgement.ts'
import type { Observation } from '../judge/observation.ts'
import { holdsAnswer, setKey, setOf } from '../judge/reply.ts'
import { type Evidence, isSilent, type Said, said, together } from './evidence.ts'

const EXPECTED = 'all name servers alike'

export function ruleAllNs({ ecs, ecsSeen }: Evidence): Said {
  return together(
    EXPECTED,
    ecs.map(one => alike(one, ecsSeen)),
  )
}

function alike(one: Judgement, seen: readonly Observation[]): Said {
  const { servers, silent } = one.tally
  if (isSilent(one)) return said('inconclusive', EXPECTED, `no reply from ${servers.join(', ')}`)
  const differs = one.findings.find(({ id }) => id === 'ECS013')
  if (differs !== undefined) return said('fail', EXPECTED, differs.message)
  if (one.verdict.code === 'partial-ecs') {
    return said('fail', EXPECTED, 'some replies return the option and some do not')
  }
  const other = differentSet(seen, servers)
  if (other !== undefined) return said('fail', EXPECTED, other)
  if (silent.length > 0) {
    return said('inconclusive', EXPECTED, `no reply from ${silent.join(', ')}`)
  }
  return said(
    'pass',
    EXPECTED,
    servers.length === 1 ? 'one name server' : `${servers.length} alike`,
  )
}

/** The first subnet for which two servers, each constant by itself, give different sets. */
function differentSet(
  seen: readonly Observation[],
  servers: readonly string[],
): string | undefined {
  const samples = seen.filter(({ sent, purpose }) => sent !== undefined && purpose === 'sample')
  const usable = samples.filter(holdsAnswer)
  for (const subnet of new Set(usable.map(({ sent }) => sent?.text ?? ''))) {
    const mine = usable.filter(({ sent }) => sent?.text === subnet)
    const given = servers.flatMap(server => {
      const sets = new Set(mine.filter(on => on.server === server).map(on => setKey(setOf(on))))
      return sets.size === 0 ? [] : [{ server, sets: [...sets] }]
    })
    if (given.some(({ sets }) => sets.length > 1)) return undefined
    const [first, ...rest] = given
    const other = rest.find(({ sets }) => sets[0] !== first?.sets[0])
    if (first === undefined || other === undefined) continue
    const texts = [first, other].map(({ server, sets }) => `${server} ${sets[0] || 'nothing'}`)
    return `for ${subnet} ${texts.join(', ')}`
  }
  return undefined
}
