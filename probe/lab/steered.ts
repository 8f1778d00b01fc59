/** Names of the lab that look at the client's network, truthfully or not, or pretend to. */

import { below } from '../plan/chance.ts'
import { type Behaviour, clientOf, drawn, type LabName, run, siteFor } from './behaviour.ts'
import { isPrivate, privateBits, type Request } from './request.ts'
import { addresses, optOf, RA, REFUSED, say, soaOf } from './write.ts'

/** Other types are the same for everybody: there is none. */
export function forAddresses(behave: Behaviour): Behaviour {
  return (request, memory) =>
    request.type === 'A' || request.type === 'AAAA'
      ? behave(request, memory)
      : say(request, { authorities: [soaOf('lab.test')], scope: 0 })
}

/** The honest one: a site for each country, and the leaf's depth as scope. */
export const geo: Behaviour = forAddresses((request, memory) => {
  const { site, scope } = siteFor(request, memory)
  return say(request, { answers: addresses(request, site), scope })
})

const geoRotating: Behaviour = forAddresses((request, memory) => {
  const { site, scope } = siteFor(request, memory)
  return say(request, { answers: addresses(request, drawn(memory, site, 1)), scope })
})

/** The site of the country, with a scope of another making. */
export function geoWithScope(
  scopeOf: (request: Request, honest: number, country: number) => number,
): Behaviour {
  return forAddresses((request, memory) => {
    const { site, scope } = siteFor(request, memory)
    const told = scopeOf(request, scope, (site[0] ?? 0) / site.length)
    return say(request, { answers: addresses(request, site), scope: told })
  })
}

const noEcho: Behaviour = (request, memory) =>
  say(request, { answers: addresses(request, siteFor(request, memory).site) })

const theatre: Behaviour = forAddresses(request =>
  say(request, { answers: addresses(request, run(0, 3)), scope: sourceOf(request, 0) }),
)

/** SOURCE as it was sent. What is private is nobody's place, and gets `otherwise`: RFC 7871 §10. */
function sourceOf({ subnet }: Request, otherwise: number): number {
  return subnet === undefined || isPrivate(subnet.octets) ? otherwise : subnet.source
}

/** A site by a hash of the first three octets: steady, different everywhere, not geography. */
const sharding: Behaviour = forAddresses(request => {
  const client = clientOf(request)
  const nowhere = client === undefined ? 0 : privateBits(client)
  const isSomewhere = client !== undefined && nowhere === undefined
  const shard = isSomewhere ? hashOf(client.subarray(0, 3)) % 4 : 0
  const scope = nowhere ?? (client?.length === 16 ? 56 : 24)
  return say(request, { answers: addresses(request, run(shard * 3, 3)), scope })
})

/** FNV-1a, mixed once more so that neighbours do not stay neighbours. */
function hashOf(octets: Uint8Array): number {
  const hash = octets.reduce((sum, octet) => Math.imul(sum ^ octet, 0x01000193), 0x811c9dc5)
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 16
}

const noEcs: Behaviour = request => say(request, { answers: addresses(request, run(0, 3)) })

/** One of the zone's two name servers steers, the other has never heard of ECS. */
const partial: Behaviour = (request, memory) =>
  request.listener === 0 ? geo(request, memory) : noEcs(request, memory)

/** Seven in ten queries come to nothing. */
const drops: Behaviour = (request, memory) =>
  below(memory.chance, 10) < 7 ? [] : say(request, { answers: addresses(request, [0]), scope: 0 })

/** A resolver that asks on behalf of another network than it was told, and says so. */
const altered: Behaviour = request => {
  const answers = addresses(request, run(0, 3))
  if (request.subnet === undefined) return say(request, { answers, flags: RA })
  const substitute = Buffer.of(0, 1, 24, 24, 203, 0, 113)
  const additionals = [optOf([{ code: 8, data: substitute }])]
  return say(request, { answers, additionals, flags: RA })
}

const refused: Behaviour = request =>
  request.subnet === undefined
    ? say(request, { answers: addresses(request, run(0, 3)) })
    : say(request, { rcode: REFUSED })

/** Every option comes back as it was sent, understood or not. */
const blindEcho: Behaviour = request =>
  say(request, {
    answers: addresses(request, run(0, 3)),
    additionals: request.edns ? [optOf(request.options)] : [],
  })

/** The unlisted rest is announced as a whole /2, with the listed countries inside it. */
const overlapping = geoWithScope((_, honest, country) =>
  country === 0 ? Math.min(honest, 2) : honest,
)

/** Two bits too few: three of four /16s of each block belong to somebody else. */
const tooShort = geoWithScope((_, honest) => Math.min(honest, 14))

const lyingZero = geoWithScope(() => 0)

export const copied = geoWithScope(sourceOf)

// biome-ignore format: table
export const STEERED: readonly LabName[] = [
  { label: 'geo',              does: 'a site for each country, the scope exact',      ecs: 'geo',              behave: geo },
  { label: 'geo-rotating',     does: 'one of the country\'s three addresses',         ecs: 'geo', notices: 'rotates-within-region', behave: geoRotating },
  { label: 'geo-unaggregated', does: 'as geo, but the scope is the length sent',      ecs: 'geo-unaggregated', behave: copied },
  { label: 'scope-theatre',    does: 'the same for everybody, but scope /24',         ecs: 'scope-theatre', notices: 'ECS005', behave: theatre },
  { label: 'lying-scope',      does: 'as geo, but scope 0',                           ecs: 'lying-scope', notices: 'ECS004', behave: lyingZero },
  { label: 'broken-overlap',   does: 'as geo, but one scope holds other sites',       ecs: 'broken-scope', notices: 'ECS006', behave: overlapping },
  { label: 'broken-short',     does: 'as geo, but the scope is two bits too short',   ecs: 'broken-scope', notices: 'ECS006', behave: tooShort },
  { label: 'prefix-sharding',  does: 'a site by a hash of the prefix',                ecs: 'prefix-sharding',  behave: sharding },
  { label: 'no-echo',          does: 'as geo, but no option in the reply',            ecs: 'no-echo', notices: 'ECS001', behave: noEcho },
  { label: 'no-ecs',           does: 'the same for everybody, no option in the reply', ecs: 'no-ecs',          behave: noEcs },
  { label: 'partial-ecs',      does: 'geo at the first address, no ECS at the second', ecs: 'partial-ecs', notices: 'ECS001 ECS013', asked: 'both-servers', behave: partial },
  { label: 'data',             does: 'seven in ten queries get no reply',             ecs: 'data',             behave: drops },
  { label: 'path',             does: 'a resolver that swaps the client\'s network',   ecs: 'path', notices: 'ECS002 ECS014 ECS018', behave: altered },
  { label: 'refused',          does: 'REFUSED wherever the option is sent',           ecs: 'refused', notices: 'ECS017', behave: refused },
  { label: 'blind-echo',       does: 'every option comes back unread',                ecs: 'static-pool',      notices: 'ECS019 blind-echo', behave: blindEcho },
]
