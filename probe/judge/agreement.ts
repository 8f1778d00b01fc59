/**
 * Name servers of one zone, each judged for itself, and what holding them side by side showed: who
 * stands apart bears the finding, or all where no majority says who is right.
 */
import type { DiffJudgement } from './diff.ts'
import { type Finding, finding } from './finding.ts'
import type { Judgement } from './judgement.ts'

/** The same judgements, those of servers that differ with ECS013. */
export function compareServers(
  judgements: readonly Judgement[],
  agreements: readonly DiffJudgement[],
): readonly Judgement[] {
  return judgements.map(one => {
    const about = agreements.find(({ name, type }) => name === one.name && type === one.type)
    if (about === undefined || one.host === undefined) return one
    const others = findingsOf(about).filter(({ where }) => where === undefined || isIn(one, where))
    return others.length === 0 ? one : { ...one, findings: [...one.findings, ...others] }
  })
}

function isIn({ server }: Judgement, where: string): boolean {
  return where.split(', ').includes(server)
}

/** A server that refuses the name fills no cache with scopes, but is no name server of it either. */
function findingsOf({ findings, differences }: DiffJudgement): readonly Finding[] {
  const reply = differences.find(({ aspect }) => aspect === 'reply')
  if (reply === undefined) return findings
  const where = reply.odd.length === 0 ? undefined : reply.odd.join(', ')
  return [finding('ECS013', 'name servers differ in reply codes', where), ...findings]
}
