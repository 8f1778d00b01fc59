/**
 * Holds the judgements of A and AAAA of one name side by side: clients that have both families take
 * either, so steering one of them only is seldom meant.
 */
import { finding } from './finding.ts'
import type { Judgement } from './judgement.ts'

/** The same judgements, those of AAAA with ECS016 where they disagree with A on client subnets. */
export function compareTwins(judgements: readonly Judgement[]): readonly Judgement[] {
  return judgements.map(one => {
    if (one.type !== 'AAAA') return one
    const other = judgements.find(({ name, type }) => name === one.name && type === 'A')
    const what = other === undefined ? undefined : difference(other, one)
    if (what === undefined) return one
    return { ...one, findings: [...one.findings, finding('ECS016', what)] }
  })
}

function difference(a: Judgement, aaaa: Judgement): string | undefined {
  const [one, other] = [habitOf(a), habitOf(aaaa)]
  if (one === undefined || other === undefined || one === other) return undefined
  return `A ${one}, AAAA ${other}`
}

/** Undefined where nothing can be compared. */
function habitOf({ verdict, scopes }: Judgement): string | undefined {
  const { evidence, code, answer } = verdict
  if (evidence.kind !== 'ecs' || answer === 'unclear' || code === 'empty') return undefined
  if (scopes.every(({ echo }) => echo === 'missing')) return 'comes without the option'
  const zero = Object.keys(evidence.scopes).every(scope => scope === '0')
  return zero ? 'has scope 0' : 'has scopes above 0'
}
