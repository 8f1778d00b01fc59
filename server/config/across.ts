/**
 * What the parts of a file owe to each other, beyond that names exist: rules end, branches end, a
 * quorum can be met, a service record has addresses to hint at.
 */
import { isWrong, problemAt, type Remarks, type Wrong, wrong } from '../fault.ts'
import { checkFollowing } from './circle.ts'
import type { Known } from './facts.ts'
import { quorumFrom } from './quorum.ts'
import { MOST_DEEP, type Naming, type Namings, poolsReached } from './reach.ts'
import { type Path, placeOf, type Source, valueAt } from './source.ts'

/** Reports it all, whatever else is wrong with the file. */
export function checkAcross(
  namings: Namings,
  known: Known,
  source: Source,
  remarks: Remarks,
): void {
  checkFollowing(namings, source, remarks)
  const say = (path: Path, spot: 'key' | 'value', reason: Wrong): void => {
    remarks.problems.push(problemAt(placeOf(source, path, spot), reason))
  }
  for (const [key, naming] of namings) {
    for (const path of naming.tooDeep) {
      const what = `more than ${MOST_DEEP} branches stand in each other`
      say(path, 'key', wrong(what, 'give this part a rule of its own, and follow it with rule:'))
    }
    const across = { naming, reached: () => [...poolsReached(namings, key)], known, source, say }
    checkQuorum(across)
    checkServices(across)
  }
}

/** One rule, and what it is held against. */
type Across = {
  readonly naming: Naming
  /** The pools that it comes to. */
  readonly reached: () => readonly string[]
  readonly known: Known
  readonly source: Source
  readonly say: (path: Path, spot: 'key' | 'value', reason: Wrong) => void
}

function checkQuorum({ naming: { path }, reached, known, source, say }: Across): void {
  const written = valueAt(source, [...path, 'quorum'])
  if (typeof written !== 'number' && typeof written !== 'string') return
  const quorum = quorumFrom(written)
  if (isWrong(quorum) || quorum.kind === 'share') return
  for (const name of reached()) {
    const targets = known.pools.get(name)?.targets ?? 0
    if (targets === 0 || targets >= quorum.count) continue
    const what = `pool ${name} never has a quorum of ${quorum.count}: ${countOf(targets)}`
    say([...path, 'quorum'], 'value', wrong(what, `at most ${targets}, or a share like 50%`))
    return
  }
}

/** "it has 1 target" */
function countOf(targets: number): string {
  return `it has ${targets} target${targets === 1 ? '' : 's'}`
}

function checkServices({ naming: { path }, reached, known, source, say }: Across): void {
  for (const key of ['https', 'svcb']) {
    if (valueAt(source, [...path, key]) === undefined) continue
    const host = reached().find(name => known.pools.get(name)?.hosts)
    if (host === undefined) continue
    // RFC 1034 §3.6.2: where there is a CNAME there is nothing else.
    const what = `pool ${host} hands out host names, and no ${key} record stands beside a CNAME`
    say([...path, key], 'key', wrong(what, `take ${key} out, or hand out addresses`))
  }
}
