/**
 * Says which networks the rate limits meet: threads note the last one in memory that all share, and it
 * is looked at now and then. One line each time at most, whatever comes.
 */
import { addressText } from './dns/address.ts'
import { type Accounts, ALL, NOTICE, type RrlPolicy, TELLS } from './guard/rrl.ts'
import { log } from './log.ts'

const LOOK_MS = 10_000

/** Looks from now on; the process may end meanwhile. @param policyNow of the World that is served */
export function watchLimits({ notice }: Accounts, policyNow: () => RrlPolicy): void {
  let seen = 0
  const look = () => {
    const count = notice[NOTICE.count] ?? 0
    if (count === seen) return
    const policy = policyNow()
    const network = networkOf(notice, policy)
    const what = wordOf(notice[NOTICE.what] ?? ALL)
    const said = policy.kind === 'log-only' ? 'would limit replies' : 'limits replies'
    log.warn({ network, what, replies: (count - seen) >>> 0 }, said)
    seen = count
  }
  setInterval(look, LOOK_MS).unref()
}

/** The last network that was denied something: `203.0.113.0/24`. */
function networkOf(notice: Int32Array, { bits4, bits6 }: RrlPolicy): string {
  const isFour = notice[NOTICE.family] === 4
  const octets = new Uint8Array(isFour ? 4 : 16)
  const view = new DataView(octets.buffer)
  view.setInt32(0, notice[NOTICE.high] ?? 0)
  if (!isFour) view.setInt32(4, notice[NOTICE.low] ?? 0)
  return `${addressText(octets)}/${isFour ? bits4 : bits6}`
}

function wordOf(what: number): string {
  return Object.entries(TELLS).find(([, kind]) => kind === what)?.[0] ?? 'all'
}
