/** What reporters are told of `resolver`: one ruling for each, its name that of the server. */
import type { Calibration } from '../../judge/calibrate.ts'
import type { Observation } from '../../judge/observation.ts'
import type { Ruling, State } from '../../judge/ruling.ts'
import { tally } from '../../judge/tally.ts'
import { resolverSentence } from '../resolver-words.ts'
import type { Figures } from './report.ts'

/** @param expect a verdict, or absent where any will do */
export function calibratedRulings(
  calibrations: readonly Calibration[],
  expect: string | undefined,
): readonly Ruling[] {
  return calibrations.map(one => ({
    name: one.server,
    type: '',
    assertion: 'verdict',
    at: undefined,
    state: stateOf(one, expect),
    expected: expect ?? 'a verdict',
    seen: `${one.verdict}: ${resolverSentence(one)}`,
  }))
}

function stateOf({ verdict }: Calibration, expect: string | undefined): State {
  if (verdict === expect) return 'pass'
  if (verdict === 'unknown') return 'inconclusive'
  return expect === undefined ? 'pass' : 'fail'
}

export function calibratedFigures(
  calibrations: readonly Calibration[],
  observations: readonly Observation[],
): readonly Figures[] {
  return calibrations.map(({ server, verdict }) => {
    const { queries, replies, rcodes } = tally(observations.filter(seen => seen.server === server))
    const counts = { ...rcodes, none: queries - replies }
    const base = { name: server, type: '', kind: 'resolver', verdict, addresses: undefined }
    return { ...base, findings: [], queries, replies: counts }
  })
}
