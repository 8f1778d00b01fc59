/**
 * The host names that checks connect to, and where each is written. Who resolves them is the system;
 * whether that asks this very server is for those to tell who know its zones.
 */
import { canonical, type Name, nameText } from '../dns/name.ts'
import { type At, isWrong } from '../fault.ts'
import type { Policy, Pool, Target } from '../steer/rule.ts'
import { hostFrom } from './owner.ts'
import { looksLikeAddress } from './prefix.ts'
import { type Path, placeOf, type Source } from './source.ts'

export type CheckedHost = {
  readonly name: Name
  /** The pool whose check it is, by index. */
  readonly pool: number
  readonly at: At
}

/** Each name once a pool, where it first stands. */
export function checkedHosts({ pools }: Policy, source: Source): CheckedHost[] {
  return pools.flatMap((pool, index) => {
    if (!resolves(pool)) return []
    const found = new Map<string, CheckedHost>()
    for (const [at, target] of pool.targets.entries()) {
      const name = hostOf(target)
      if (name === undefined || found.has(nameText(name))) continue
      const path = pathOf(['pools', pool.name, 'targets', at], target)
      found.set(nameText(name), { name, pool: index, at: placeOf(source, path, 'value') })
    }
    return [...found.values()]
  })
}

/** Whether its check connects to anything: a file is read beside the configuration. */
function resolves({ check }: Pool): boolean {
  return check?.of.some(({ trial }) => trial.kind !== 'file') ?? false
}

function hostOf(target: Target): Name | undefined {
  if (target.checkAt === undefined) {
    return target.kind === 'host' ? canonical(target.name) : undefined
  }
  if (looksLikeAddress(target.checkAt)) return undefined
  const name = hostFrom(target.checkAt)
  return isWrong(name) ? undefined : canonical(name)
}

function pathOf(path: Path, { checkAt }: Target): Path {
  return checkAt === undefined ? path : [...path, 'check_address']
}
