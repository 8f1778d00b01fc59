/**
 * Where reasons are written: follows them through a rule, from the outermost to the one that
 * decided. Follows only: what was chosen is known already.
 */
import type { At } from '../../fault.ts'
import type { Reason } from '../../steer/choose.ts'
import type { Branch, Branches, Choose, Policy } from '../../steer/rule.ts'

/** A reason's way of choosing, and where its branch is written. */
export type Step = { readonly choose: Choose; readonly at?: At | undefined }

/** The steps of the reasons of one ranking, one each. */
export function stepsAlong(policy: Policy, from: Choose, reasons: readonly Reason[]): Step[] {
  let choose = from
  return reasons.map(reason => {
    const branch = branchOf(policy, choose, reason)
    const step = { choose, at: branch?.at }
    choose = branch?.to ?? choose
    return step
  })
}

type Taken = { readonly to: Choose; readonly at?: At }

function branchOf(policy: Policy, choose: Choose, reason: Reason): Taken | undefined {
  if (choose.kind === 'rule') {
    const rule = policy.rules[choose.rule]
    return rule && { to: rule.choose, at: rule.at }
  }
  return choose.kind === 'by' ? branchBy(policy, choose.by, reason) : undefined
}

function branchBy(policy: Policy, by: Branches, { kind, key }: Reason): Taken | undefined {
  switch (kind) {
    case 'network':
      return by.networks.find(({ network }) => policy.networks[network]?.name === key)
    case 'asn':
      return by.asns.get(Number(key.replace('AS', '')))
    case 'field':
      return fieldBranch(by, key)
    case 'city':
      return by.cities.get(key)
    case 'subdivision':
      return by.subdivisions.get(key)
    case 'country':
      return by.countries.get(key)
    case 'continent':
      return by.continents.get(key)
    case 'default':
      return { to: by.default }
    default:
      return undefined
  }
}

/** By `path=value`, either of which may hold an equals sign. */
function fieldBranch({ fields }: Branches, key: string): Branch | undefined {
  const all = fields.flatMap(({ path, values }) =>
    [...values].map(([value, branch]) => ({ key: `${path}=${value}`, branch })),
  )
  return all.find(field => field.key === key)?.branch
}
