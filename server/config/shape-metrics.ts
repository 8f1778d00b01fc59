/**
 * The schema of `metrics`: the address at which the process tells of itself over HTTP. Absent: it
 * listens nowhere for that.
 */
import * as z from 'zod'
import { wrong } from '../fault.ts'
import { keyed, reading, refuse } from './brick.ts'
import { type ListenAddress, listenFrom, listenKey } from './listen.ts'

/** The port that CoreDNS has for it. */
const METRICS_PORT = 9153

export function metricsShape() {
  const address = reading(z.string(), text => listenFrom(text, METRICS_PORT))
  const withKeys = keyed({
    listen: address.describe(`The address, with or without a port. Without: ${METRICS_PORT}.`),
  }).transform(({ listen }) => listen)
  return z.union([address, withKeys], { error: 'an address, or a mapping with listen' })
}

type Listening = {
  readonly listen: readonly ListenAddress[]
  readonly metrics?: ListenAddress | undefined
}

/** DNS over TCP and HTTP cannot share an address. */
export function metricsApart({ listen, metrics }: Listening, context: z.core.$RefinementCtx): void {
  if (metrics === undefined) return
  const taken = listen.some(one => listenKey(one) === listenKey(metrics))
  const reason = wrong('this address stands in listen too', 'give metrics another port')
  if (taken) refuse(context, ['metrics'], { reason, spot: 'value' })
}
