/** Scrapes a server's metrics, and says what rose between two scrapes. */
import { valuesIn } from './exposition.ts'

export type Scraped = ReadonlyMap<string, number>

export async function textAt(port: number, path = '/metrics'): Promise<string> {
  const reply = await fetch(`http://127.0.0.1:${port}${path}`)
  if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
  return reply.text()
}

export async function scrape(port: number): Promise<Scraped> {
  return valuesIn(await textAt(port))
}

/** The status of a path, and what it says; 0 where nobody listens. */
export async function asked(port: number, path: string): Promise<string> {
  try {
    const reply = await fetch(`http://127.0.0.1:${port}${path}`)
    return `${reply.status} ${await reply.text()}`
  } catch {
    return '0'
  }
}

/** What rose, by series, of those that a pattern names. */
export function risen(before: Scraped, after: Scraped, named: RegExp): Record<string, number> {
  const found = [...after]
    .filter(([series]) => named.test(series))
    .map(([series, value]) => [series, value - (before.get(series) ?? 0)] as const)
  return Object.fromEntries(found.filter(([, by]) => by !== 0))
}

/** Counters, and the lines of histograms, that are less than they were, or gone. */
export function fallen(before: Scraped, after: Scraped): string[] {
  const isCount = (series: string) => /^lbdns_[a-z_]*_(total|bucket|sum|count)(\{|$)/.test(series)
  return [...before.keys()].filter(
    series => isCount(series) && !((after.get(series) ?? -1) >= (before.get(series) ?? 0)),
  )
}
