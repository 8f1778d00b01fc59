/**
 * What calibration of a resolver means for a measurement through it: where the path is intact there is
 * nothing to warn of, where it is altered the reason is a finding.
 */
import { type Finding, findingAt } from './finding.ts'

export type Trust = {
  /** Absent: calibrated, but not known. */
  readonly path: 'intact' | 'altered' | undefined
  /** `address#port` of the resolver. */
  readonly server: string
  /** What it does, one sentence without a full stop. */
  readonly reason: string
}

/** ECS018 as it stands after calibration; other findings are left alone. */
export function weighedBy(
  trust: Trust | undefined,
  findings: readonly Finding[],
): readonly Finding[] {
  if (trust === undefined) return findings
  const others = findings.filter(({ id }) => id !== 'ECS018')
  if (trust.path === 'intact') return others
  const level = trust.path === 'altered' ? 'warning' : 'info'
  const told = trust.path === 'altered' ? 'the resolver' : 'not confirmed: the resolver'
  const what =
    trust.reason.startsWith('no zone') || trust.reason.startsWith('too few')
      ? `not confirmed: ${trust.reason}`
      : `${told} ${trust.reason}`
  return [...others, findingAt(level, 'ECS018', what, trust.server)]
}
