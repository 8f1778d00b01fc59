/**
 * Servers with queues, to which our own steering sends requests: 16 servers, each first come, first
 * served; Poisson arrivals at 80 % load; log-normal service of mean 1, which is the unit of time. The
 * model writes loads on the board; what is picked by them is the server's own doing.
 */
import { address } from '../../server/dns/address.ts'
import { type ClientSubnet, clientSubnet } from '../../server/dns/subnet.ts'
import { openBoard } from '../../server/steer/board.ts'
import { below, type Chance, chance, draw } from '../../server/steer/chance.ts'
import { decision } from '../../server/steer/decision.ts'
import type { Pick } from '../../server/steer/rule.ts'
import { steer } from '../../server/steer/steer.ts'
import { startTurns } from '../../server/steer/turns.ts'
import { steered } from '../kit/draws.ts'

export const SERVERS = 16
const LOAD = 0.8
/** Of the logarithm of a service: the source does not give it, and this one has its figures. */
const SIGMA = 0.85
const REQUESTS = 300_000
/** So many at the start find the queues too short, and are not counted. */
const DROPPED = 20_000

/** Requests, which every policy gets alike. */
export type Traffic = {
  readonly seed: number
  /** When each arrives, ascending. */
  readonly arrived: Float64Array
  /** How long it takes to serve. */
  readonly service: Float64Array
}

export type Model = {
  readonly pick: Pick
  /** The servers, with weights as in `pool`. */
  readonly targets: readonly string[]
  /** So many times longer than the others the first server takes. */
  readonly slowness: number
  /** The moment as of which the board shows loads: ascending, and never after `now`. */
  readonly seenAt: (now: number) => number
  /** Of how many clients, each a network of its own, requests are; 0: nobody is told. */
  readonly clients: number
}

export type Outcome = {
  /** The 99th percentile of the time between arriving and having been served. */
  readonly ninetyNinth: number
  /** Work that came to the busiest server ÷ what it could do in that time. */
  readonly busiest: number
}

/** Gaps and services are draws apart: what one takes does not move the other. */
export function trafficOf(seed: number): Traffic {
  const [gaps, services] = [chance(seed, 1), chance(seed, 2)]
  const arrived = new Float64Array(REQUESTS)
  const service = new Float64Array(REQUESTS)
  let now = 0
  for (let i = 0; i < REQUESTS; i += 1) {
    now -= Math.log(uniform(gaps)) / (SERVERS * LOAD)
    arrived[i] = now
    service[i] = Math.exp(SIGMA * normal(services) - SIGMA ** 2 / 2)
  }
  return { seed, arrived, service }
}

/** In (0, 1). */
function uniform(drawn: Chance): number {
  return (draw(drawn) + 0.5) / 0x1_0000_0000
}

/** Of mean 0 and deviation 1 (Box and Muller). */
function normal(drawn: Chance): number {
  const radius = Math.sqrt(-2 * Math.log(uniform(drawn)))
  return radius * Math.cos(2 * Math.PI * uniform(drawn))
}

/** Sends all requests of `traffic` where they are steered to. */
export function simulate(model: Model, { seed, arrived, service }: Traffic): Outcome {
  const { pick, targets, slowness, seenAt, clients } = model
  const steering = steered({ pick }, ...targets)
  const board = openBoard(steering)
  const [drawn, whose] = [chance(seed, 3), chance(seed, 4)]
  const turns = startTurns(steering, drawn)
  const [peer, subnet, made] = [address(), clientSubnet(), decision()]
  const queues = openQueues(arrived, board.load)
  const times = new Float64Array(REQUESTS)
  for (let i = 0; i < REQUESTS; i += 1) {
    show(queues, seenAt(arrived[i]!))
    if (clients > 0) setClient(subnet, seed, below(whose, clients))
    steer(steering, board, 0, 4, subnet, peer, turns, drawn, made)
    const server = made.targets[0]!
    times[i] = join(queues, i, server, service[i]! * (server === 0 ? slowness : 1))
  }
  const counted = times.subarray(DROPPED).sort()
  return {
    ninetyNinth: counted[Math.ceil(0.99 * counted.length) - 1]!,
    busiest: Math.max(...queues.work) / arrived[REQUESTS - 1]!,
  }
}

/** A /24 of ordinary space: other ones for another seed. */
function setClient(subnet: ClientSubnet, seed: number, client: number): void {
  subnet.family = 4
  subnet.source = 24
  subnet.address[0] = 10 + seed
  subnet.address[1] = client >> 8
  subnet.address[2] = client
}

/** All requests so far, and how much of that is shown. Each server's are a list, oldest first. */
type Queues = {
  readonly arrived: Float64Array
  /** By request: when it has been served. */
  readonly done: Float64Array
  readonly server: Uint8Array
  /** By request: the next one at its server. */
  readonly next: Uint32Array
  /** By server: its youngest request; REQUESTS: it had none. */
  readonly last: Uint32Array
  /** By server: when it has served all. */
  readonly free: Float64Array
  /** By server: all services together. */
  readonly work: Float64Array
  /** How many requests are shown to have arrived. */
  shown: number
  /** By server: the oldest request that is shown in it; anything where none is. */
  readonly first: Uint32Array
  /** By server: how many requests are shown in it. */
  readonly load: Float32Array
}

function openQueues(arrived: Float64Array, load: Float32Array): Queues {
  return {
    arrived,
    done: new Float64Array(REQUESTS),
    server: new Uint8Array(REQUESTS),
    next: new Uint32Array(REQUESTS + 1),
    last: new Uint32Array(SERVERS).fill(REQUESTS),
    free: new Float64Array(SERVERS),
    work: new Float64Array(SERVERS),
    shown: 0,
    first: new Uint32Array(SERVERS),
    load: load.fill(0),
  }
}

/**
 * Puts a request at the end of a queue: it begins when it has arrived and the one before is done
 * (Lindley).
 *
 * @returns how long after its arrival it will have been served
 */
function join(queues: Queues, request: number, server: number, service: number): number {
  const { arrived, done, free, last, next, work } = queues
  const end = Math.max(arrived[request]!, free[server]!) + service
  queues.server[request] = server
  done[request] = end
  free[server] = end
  work[server]! += service
  next[last[server]!] = request
  last[server] = request
  return end - arrived[request]!
}

/** Shows what is in each server at a moment, of the requests that arrived before it. */
function show(queues: Queues, moment: number): void {
  const { arrived, done, first, load, next, server } = queues
  for (; arrived[queues.shown]! < moment; queues.shown += 1) {
    const at = server[queues.shown]!
    if (load[at] === 0) first[at] = queues.shown
    load[at]! += 1
  }
  for (let at = 0; at < SERVERS; at += 1) {
    for (; load[at]! > 0 && done[first[at]!]! <= moment; load[at]! -= 1) {
      first[at] = next[first[at]!]!
    }
  }
}
