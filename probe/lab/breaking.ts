/**
 * Names of the lab that break one rule about client subnets each, so that each finding can be seen
 * alone. What is tailored is tailored as `geo` is.
 */

import { below } from '../plan/chance.ts'
import { type Behaviour, clientOf, type LabName, run, siteFor } from './behaviour.ts'
import { isPrivate } from './request.ts'
import { copied, forAddresses, geo, geoWithScope } from './steered.ts'
import { addresses, optOf, say, soaOf } from './write.ts'

/** One reply in eight comes without the option. */
const forgetful: Behaviour = (request, memory) => {
  if (below(memory.chance, 8) > 0) return geo(request, memory)
  return say(request, { answers: addresses(request, siteFor(request, memory).site) })
}

/** The client's network comes back with its last bit turned over. */
const wrongEcho: Behaviour = request => {
  const answers = addresses(request, run(0, 3))
  const { subnet } = request
  if (subnet === undefined || subnet.source === 0) return say(request, { answers, scope: 0 })
  const turned = subnet.sent.map((octet, at) => (at === subnet.sent.length - 1 ? octet ^ 1 : octet))
  const data = Buffer.from([0, subnet.family, subnet.source, 0, ...turned])
  return say(request, { answers, additionals: [optOf([{ code: 8, data }])] })
}

/** RFC 7871 §7.2.1: not where none was sent. */
const unsolicited: Behaviour = request => {
  const answers = addresses(request, run(0, 3))
  if (request.subnet !== undefined || !request.edns) return say(request, { answers, scope: 0 })
  return say(request, { answers, additionals: [optOf([{ code: 8, data: Buffer.of(0, 1, 0, 0) }])] })
}

/** Four bits more than were told wherever somebody is. */
const pastSource = geoWithScope((request, honest) => {
  const client = clientOf(request)
  if (client === undefined || isPrivate(client)) return honest
  return (request.subnet?.source ?? 0) + 4
})

const negativeScope: Behaviour = forAddresses((request, memory) =>
  say(request, { authorities: [soaOf('lab.test')], scope: siteFor(request, memory).scope }),
)

/** The name servers of a zone below, and a scope. */
const delegated: Behaviour = (request, memory) => {
  const ns = { name: request.name, type: 'NS', ttl: 60, data: 'ns.lab.test' }
  return say(request, { authorities: [ns], flags: 0, scope: siteFor(request, memory).scope })
}

/** The alias is for everybody, what it leads to is not, and both come together. */
const aliasTailored: Behaviour = forAddresses((request, memory) => {
  const { site, scope } = siteFor(request, memory)
  const cname = { name: request.name, type: 'CNAME', ttl: 60, data: 'edge.lab.test' }
  return say(request, { answers: [cname, ...addresses(request, site, 60, 'edge.lab.test')], scope })
})

/** Private networks have a site of their own. */
const privateTailored: Behaviour = forAddresses((request, memory) => {
  const client = clientOf(request)
  if (client === undefined || !isPrivate(client)) return geo(request, memory)
  return say(request, {
    answers: addresses(request, run(600, 3)),
    scope: client.length === 4 ? 24 : 56,
  })
})

/** Who would rather not say is sent to a site of its own. */
const sourceZero: Behaviour = forAddresses((request, memory) =>
  request.subnet?.source === 0
    ? say(request, { answers: addresses(request, run(600, 3)), scope: 0 })
    : geo(request, memory),
)

/** Keys, too, have a scope: that of the client's leaf. */
const signedScope: Behaviour = (request, memory) =>
  say(request, {
    answers: addresses(request, siteFor(request, memory).site),
    scope: siteFor(request, memory).scope,
  })

/** Two name servers with the same sites, the second with scopes of its own. */
const mixedServers: Behaviour = (request, memory) =>
  request.listener === 0 ? geo(request, memory) : copied(request, memory)

const familySplit: Behaviour = (request, memory) =>
  request.type === 'AAAA'
    ? say(request, { answers: addresses(request, run(0, 3)), scope: 0 })
    : geo(request, memory)

// biome-ignore format: table
export const BREAKING: readonly LabName[] = [
  { label: 'forgetful',        does: 'as geo, but some replies lack the option',        ecs: 'partial-ecs', notices: 'ECS001', behave: forgetful },
  { label: 'wrong-echo',       does: 'another network comes back than was sent',        ecs: 'path',        notices: 'ECS002', behave: wrongEcho },
  { label: 'unsolicited',      does: 'an option comes back though none was sent',       ecs: 'static-pool', notices: 'ECS003', behave: unsolicited },
  { label: 'past-source',      does: 'as geo, but the scope is longer than the source', ecs: 'geo-unaggregated', notices: 'ECS007', behave: pastSource },
  { label: 'negative-scope',   does: 'no address, and that with a scope',               ecs: 'empty',       notices: 'ECS008', behave: negativeScope },
  { label: 'delegated',        does: 'a referral with a scope',                         dns2: 'empty', ecs: 'empty', notices: 'ECS009 referral', behave: delegated },
  { label: 'alias-tailored',   does: 'a CNAME and tailored addresses in one reply',     ecs: 'geo',         notices: 'ECS010 cname-to', behave: aliasTailored },
  { label: 'lenient',          does: 'as geo, malformed options and all; --hostile',    ecs: 'geo',         notices: 'ECS011', asked: 'hostile', takes: 'any-option', behave: geo },
  { label: 'private-tailored', does: 'as geo, but private networks have a site',        ecs: 'geo',         notices: 'ECS012', behave: privateTailored },
  { label: 'mixed-ns',         does: 'as geo; at the second address other scopes',      ecs: 'geo',         notices: 'ECS013 mixed-ns', asked: 'both-servers', behave: mixedServers },
  { label: 'source-zero',      does: 'as geo, but SOURCE 0 has a site of its own',      ecs: 'geo',         notices: 'ECS014', behave: sourceZero },
  { label: 'dnssec-scope',     does: 'as geo, and other types have its scope too',      ecs: 'geo',         notices: 'ECS015', behave: signedScope },
  { label: 'family-split',     does: 'A as geo, AAAA the same for everybody',           ecs: 'geo',         notices: 'ECS016', asked: 'both-families', behave: familySplit },
]
