/** Names of the lab that do not look at the client: lists and rotations, as `dns2` tells them apart. */

import { below } from '../plan/chance.ts'
import {
  type Behaviour,
  clientOf,
  counted,
  drawn,
  keyOf,
  type LabName,
  run,
  turned,
} from './behaviour.ts'
import { AA, addresses, NXDOMAIN, RA, say, soaOf } from './write.ts'

const EIGHT = run(0, 8)
const TWELVE = run(0, 12)

/** The pool a drifting name hands out changes after so many queries. */
const DRIFT_AFTER = 10

/** Some addresses for everybody: scope 0. */
function same(numbers: readonly number[]): Behaviour {
  return request => say(request, { answers: addresses(request, numbers), scope: 0 })
}

const shuffledList: Behaviour = (request, memory) =>
  say(request, { answers: addresses(request, drawn(memory, EIGHT, 8)), scope: 0 })

const cyclicList: Behaviour = (request, memory) =>
  say(request, { answers: addresses(request, turned(EIGHT, counted(request, memory))), scope: 0 })

const rotatingOne: Behaviour = (request, memory) =>
  say(request, { answers: addresses(request, drawn(memory, EIGHT, 1)), scope: 0 })

const rotatingInTurn: Behaviour = (request, memory) => {
  const first = turned(EIGHT, counted(request, memory)).slice(0, 1)
  return say(request, { answers: addresses(request, first), scope: 0 })
}

const rotatingSubset: Behaviour = (request, memory) =>
  say(request, { answers: addresses(request, drawn(memory, TWELVE, 3)), scope: 0 })

/** Two in three get the first of two. */
const weighted: Behaviour = (request, memory) => {
  const number = below(memory.chance, 3) === 0 ? 1 : 0
  return say(request, { answers: addresses(request, [number]), scope: 0 })
}

const drifting: Behaviour = (request, memory) => {
  const pool = Math.floor(counted(request, memory) / DRIFT_AFTER)
  return say(request, { answers: addresses(request, run((pool % 20) * 3, 3)), scope: 0 })
}

const noData: Behaviour = request => say(request, { authorities: [soaOf('lab.test')], scope: 0 })

const noName: Behaviour = request =>
  say(request, { authorities: [soaOf('lab.test')], scope: 0, rcode: NXDOMAIN })

const HELD_TTL = 3600

/**
 * A resolver's cache: an answer is kept for each block of the client, and its TTL falls with every
 * query and never rises. What rotates behind it stands still here.
 */
const cached: Behaviour = (request, memory) => {
  const ttl = HELD_TTL - (counted(request, memory) % HELD_TTL)
  const block = Buffer.from(clientOf(request)?.subarray(0, 3) ?? []).toString('hex')
  const key = `${keyOf(request)} ${block}`
  const held = memory.held.get(key) ?? drawn(memory, EIGHT, 1)
  memory.held.set(key, held)
  const scope = request.subnet === undefined ? 0 : 24
  return say(request, { answers: addresses(request, held, ttl), scope, flags: RA })
}

/** The alias and what it leads to, all in one zone. */
const alias: Behaviour = request => {
  const cname = { name: request.name, type: 'CNAME', ttl: 60, data: 'edge.lab.test' }
  const answers = [cname, ...addresses(request, run(0, 3), 60, 'edge.lab.test')]
  return say(request, { answers, scope: 0, flags: AA })
}

/** The alias alone, as an authority gives it whose zone does not hold the target. */
const link: Behaviour = request => {
  const cname = { name: request.name, type: 'CNAME', ttl: 60, data: 'geo.lab.test' }
  return say(request, { answers: [cname], scope: 0 })
}

// biome-ignore format: table
export const LISTS: readonly LabName[] = [
  { label: 'shuffled-list',   does: 'all of eight, in random order',            dns2: 'shuffled-list',   ecs: 'static-pool',   behave: shuffledList },
  { label: 'cyclic-list',     does: 'all of eight, begun one further each time', dns2: 'cyclic-list',    ecs: 'static-pool',   behave: cyclicList },
  { label: 'fixed-list',      does: 'all of three, always in the same order',   dns2: 'fixed-list',      ecs: 'static-pool',   behave: same(run(0, 3)) },
  { label: 'rotating-one',    does: 'one of eight, at random',                  dns2: 'rotating-one',    ecs: 'rotation',      behave: rotatingOne },
  { label: 'rotating-cyclic', does: 'one of eight, in turn',                    dns2: 'rotating-one',    ecs: 'rotation',      behave: rotatingInTurn },
  { label: 'rotating-subset', does: 'three of twelve, at random',               dns2: 'rotating-subset', ecs: 'rotation',      behave: rotatingSubset },
  { label: 'weighted',        does: 'one of two, the first twice as often',  dns2: 'rotating-one',    ecs: 'rotation',      behave: weighted },
  { label: 'single',          does: 'one address for everybody',                dns2: 'single',          ecs: 'single-answer', behave: same([0]) },
  { label: 'drifting',        does: 'another set after every ten queries',      dns2: 'drifting',                              behave: drifting },
  { label: 'empty',           does: 'the name is there, no address is',         dns2: 'empty',           ecs: 'empty',         behave: noData },
  { label: 'no-name',         does: 'no such name',                             dns2: 'empty',           ecs: 'empty',         behave: noName },
  { label: 'cached',          does: 'a resolver: its TTL falls and never rises', dns2: 'cached',         ecs: 'cached', notices: 'ECS018', behave: cached },
  { label: 'alias',           does: 'a CNAME, then three addresses',            dns2: 'fixed-list',      ecs: 'static-pool',   notices: 'cname-to', behave: alias },
  { label: 'link',            does: 'a CNAME to geo.lab.test and no more; @auth follows it', dns2: 'single',   ecs: 'single-answer', notices: 'cname-to', behave: link },
]
