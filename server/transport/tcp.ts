/**
 * DNS over TCP (RFC 7766), and over TLS and HTTPS: listeners that share one set of connections and its
 * limits. A connection is closed ten seconds after its last whole message, or after it was made, and
 * sooner where places are rare: octets that trickle in do not count, nor do replies the peer leaves
 * unread. A newcomer always gets in: at a limit, somebody idle is closed (`crowd.ts`).
 */
import { type AddressInfo, createServer, type Server } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import type { Serve } from '../answer/peer.ts'
import { type Clock, machineClock } from './clock.ts'
import { complaint, type OnFault } from './complaint.ts'
import type { Connection, Manner } from './connection.ts'
import { type Allowance, Connections, type TcpCounts } from './connections.ts'
import type { CrowdLimits } from './crowd.ts'
import { affordableConnections } from './limit.ts'
import { refusal } from './refusal.ts'
import { standstill } from './standstill.ts'

export type TcpService = {
  readonly counts: Readonly<TcpCounts>
  /**
   * Listens on one address.
   *
   * @param port 0: any free one
   * @returns rejects with a `Fault` where the address cannot be had
   */
  readonly open: (address: string, port: number, options: TcpOpening) => Promise<TcpListener>
  /** All connections may take this from now on. */
  readonly allow: (allowance: Allowance) => void
}

export type TcpOpening = {
  readonly ecs: boolean
  /** Absent: plain DNS, and no balancers. */
  readonly manner?: Manner | undefined
  /** A socket that is bound there already. */
  readonly fd?: number | undefined
}

export type TcpListener = {
  readonly address: string
  readonly port: number
  /** May be set at any time; open connections follow. */
  ecs: boolean
  /** May be set at any time; open connections stay what they are. */
  manner: Manner
  /**
   * Drains: accepts nobody, answers what has come whole, says goodbye, and cuts off whoever is still
   * there after `withinMs`. May be called twice; the first time counts.
   */
  readonly close: (withinMs: number) => Promise<void>
}

export type TcpOptions = {
  readonly onFault: OnFault
  /** Default `IDLE_MS`. RFC 7766 §6.2.3 asks for some seconds. */
  readonly idleMs?: number
  /** Default: what the process can afford, and `PER_SOURCE`. */
  readonly limits?: CrowdLimits
  readonly clock?: Clock
}

export const IDLE_MS = 10_000
export const PER_SOURCE = 100

/** Connections that the kernel holds until they are accepted; it may have a limit of its own. */
const BACKLOG = 4096

export const PLAIN: Manner = { over: 'dns', isBalancer: () => false, path: '' }

export function tcpService(serve: Serve, options: TcpOptions): TcpService {
  const clock = options.clock ?? machineClock
  const connections = new Connections(serve, {
    clock,
    idleMs: options.idleMs ?? IDLE_MS,
    limits: options.limits ?? { all: affordableConnections(), perSource: PER_SOURCE },
    complain: complaint(options.onFault, clock),
  })

  const open: TcpService['open'] = async (address, port, listener) => {
    // half-open: a peer that has said its last still wants its replies
    const server = createServer({ allowHalfOpen: true, noDelay: true })
    await listening(server, address, port, listener.fd)
    return attend(server, connections, clock, listener)
  }
  return { counts: connections.counts, open, allow: allowance => connections.allow(allowance) }
}

function listening(
  server: Server,
  address: string,
  port: number,
  fd: number | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (cause: Error) => reject(refusal('TCP', address, port, cause))
    server.once('error', fail)
    const place = fd === undefined ? { host: address, port } : { fd }
    server.listen({ ...place, exclusive: true, backlog: BACKLOG }, () => {
      server.off('error', fail)
      resolve()
    })
  })
}

function attend(
  server: Server,
  connections: Connections,
  clock: Clock,
  options: TcpOpening,
): TcpListener {
  const { address, port } = server.address() as AddressInfo
  const mine = new Set<Connection>()
  let accepted = 0
  let { ecs, manner = PLAIN } = options
  let closed: Promise<void> | undefined

  const heard = () => accepted + connections.counts.received
  server.on('error', () => connections.counted('errors')) // nobody could be accepted, for want of files
  server.on('connection', socket => {
    accepted += 1
    const connection = connections.admit(socket, manner, ecs)
    if (connection === undefined) return
    mine.add(connection)
    socket.once('close', () => mine.delete(connection))
  })

  return {
    address,
    port,
    get ecs() {
      return ecs
    },
    set ecs(wanted) {
      ecs = wanted
      for (const connection of mine) connection.peer.ecs = wanted
    },
    get manner() {
      return manner
    },
    set manner(wanted) {
      manner = wanted
    },
    close(withinMs) {
      closed ??= standstill(heard).then(() => drain(server, mine, clock, withinMs))
      return closed
    },
  }
}

async function drain(
  server: Server,
  mine: ReadonlySet<Connection>,
  clock: Clock,
  withinMs: number,
): Promise<void> {
  const stopped = new Promise<void>(resolve => server.close(() => resolve()))
  await setImmediate() // one turn of the event loop, so that what has already come is read
  for (const connection of mine) connection.finish()
  const callOff = clock.after(withinMs, () => {
    for (const connection of mine) connection.cut()
  })
  await Promise.all([stopped, ...[...mine].map(connection => connection.ended())])
  callOff()
}
