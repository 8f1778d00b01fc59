/** What a client of the name server sees of a steered name, now and over a while. */
import { askUdp, dataOf } from './server.ts'

export type Seen = {
  readonly rcode: string
  /** Sorted. */
  readonly addresses: readonly string[]
  readonly ttls: readonly number[]
  readonly scope: number | undefined
}

export async function seen(port: number, name: string, subnet?: string): Promise<Seen> {
  const reply = await askUdp(port, name, subnet === undefined ? {} : { subnet })
  const ttls = reply.answer.map(line => Number(line.split(' ')[1]))
  return { rcode: reply.rcode, addresses: dataOf(reply), ttls, scope: reply.scope }
}

/** Waits for an answer, and tells how many milliseconds it took. */
export async function becomes(
  port: number,
  name: string,
  addresses: readonly string[],
): Promise<number> {
  const since = performance.now()
  const wanted = [...addresses].sort().join()
  for (;;) {
    const now = (await seen(port, name)).addresses.join()
    if (now === wanted) return performance.now() - since
    if (performance.now() - since > 20_000) throw new Error(`${name} is ${now}, not ${wanted}`)
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

/** What is known of a pool whose targets are up is proven: its TTL is the time to a flip. */
export async function proven(port: number, name: string, seconds: number): Promise<boolean> {
  return (await seen(port, name)).ttls.every(ttl => ttl === seconds)
}
