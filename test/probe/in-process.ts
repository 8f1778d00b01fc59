/**
 * The lab without sockets and without waiting: a wire whose clock jumps to when a reply is due.
 * Knows nothing of verdicts.
 */
import { readFileSync } from 'node:fs'
import type { Server } from '../../probe/ask/server.ts'
import type { Wire } from '../../probe/ask/wire.ts'
import { type Lab, labOf } from '../../probe/lab/lab.ts'
import { atlasOf } from '../../probe/lab/map.ts'
import type { Sent } from '../../probe/lab/write.ts'
import { readTable } from '../../probe/plan/panel.ts'

export const TABLE = readTable(readFileSync(tableFile(), 'utf8'))
export const ATLAS = atlasOf(TABLE)

/** Milliseconds a reply takes on this wire. */
const ROUND_TRIP = 12

/** A wire to a lab of its own. */
export function labWire(seed: number): Wire {
  return wireTo(labOf(ATLAS, seed))
}

/** @param lab asked at its first address on 127.0.0.1, at its second on 127.0.0.2 */
export function wireTo(lab: Lab): Wire {
  return wireOf((query, transport, { address }) =>
    lab.serve(query, transport, Number(address.split('.').at(-1)) - 1, '127.0.0.1'),
  )
}

/** What a server sends for a query; nothing is silence. */
export type Serve = (query: Uint8Array, transport: 'udp' | 'tcp', server: Server) => readonly Sent[]

export function wireOf(serve: Serve): Wire {
  let clock = 0
  return {
    now: () => clock,
    sleep: async ms => {
      clock += ms
    },
    datagram: async (server, query, forMs, _openness, judge) => {
      const began = clock
      for (const sent of serve(query, 'udp', server)) {
        if (sent.after + ROUND_TRIP > forMs) continue
        clock = began + sent.after + ROUND_TRIP
        if (judge(sent.octets, 'server') === 'mine') return 'accepted'
      }
      clock = began + forMs
      return 'timeout'
    },
    stream: async (server, query, forMs) => {
      const began = clock
      const [sent] = serve(query, 'tcp', server)
      clock = began + (sent === undefined ? forMs : 2 * ROUND_TRIP)
      if (sent === undefined) return 'timeout'
      return sent.kind === 'pieces' && sent.ends === 'early' ? 'closed' : sent.octets
    },
  }
}

/** A wire that is a user's Ctrl-C after so many milliseconds on its clock. */
export function interruptedAfter(ms: number, stop: AbortController): Wire {
  const wire = wireTo(labOf(ATLAS, 5))
  return {
    ...wire,
    datagram: (...all) => {
      if (wire.now() > ms) stop.abort()
      return wire.datagram(...all)
    },
  }
}

function tableFile(): URL {
  return new URL('../../data/subnets/subnets.csv', import.meta.url)
}
