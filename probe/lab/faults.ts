/** Names of the lab whose replies are broken on the wire, each in one way. */

import { type Behaviour, counted, type LabName, run } from './behaviour.ts'
import type { Request } from './request.ts'
import {
  AA, addresses, type Draft, FORMERR, optOf, type Sent, say, TC, written,
} from './write.ts' // biome-ignore format: list

const LATER_MS = 50

/** Three addresses for everybody, scope 0: what every fault is wrapped around. */
function plain(request: Request): Draft {
  return { answers: addresses(request, run(0, 3)), scope: 0 }
}

function later(request: Request, draft: Draft): Sent {
  return { kind: 'message', after: LATER_MS, octets: written(request, draft) }
}

const wrongId: Behaviour = request => [
  ...say(request, { ...plain(request), id: request.id ^ 1 }),
  later(request, plain(request)),
]

const wrongQuestion: Behaviour = request => [
  ...say(request, { ...plain(request), question: { name: 'example.net', type: request.type } }),
  later(request, plain(request)),
]

const otherOwner: Behaviour = request => {
  const evil = addresses(request, [66], 60, 'evil.example.net')
  return say(request, { answers: [...evil, ...addresses(request, run(0, 3))], scope: 0 })
}

/** Sixty addresses: over UDP only the flag that says so. */
const tooBig: Behaviour = request =>
  request.transport === 'udp'
    ? say(request, { flags: AA | TC, scope: 0 })
    : say(request, { answers: addresses(request, run(0, 60)), scope: 0 })

/** Cut in the middle of a record, without TC. */
const cut: Behaviour = request => {
  const whole = written(request, { ...plain(request), additionals: [] })
  return [{ kind: 'message', after: 0, octets: whole.subarray(0, whole.length - 20) }]
}

const silence: Behaviour = () => []

const noEdns: Behaviour = request =>
  request.edns
    ? say(request, { rcode: FORMERR, additionals: [] })
    : say(request, { answers: addresses(request, run(0, 3)) })

const aliasLate: Behaviour = request => {
  const cname = { name: request.name, type: 'CNAME', ttl: 60, data: 'edge.lab.test' }
  const answers = [...addresses(request, run(0, 3), 60, 'edge.lab.test'), cname]
  return say(request, { answers, scope: 0 })
}

const aliasLoop: Behaviour = request => {
  const there = { name: request.name, type: 'CNAME', ttl: 60, data: 'loop.lab.test' }
  const back = { name: 'loop.lab.test', type: 'CNAME', ttl: 60, data: request.name }
  return say(request, { answers: [there, back], scope: 0 })
}

/** The OPT record among the answers, the addresses in the additional section. */
const optAstray: Behaviour = request =>
  say(request, { answers: [optOf([])], additionals: addresses(request, run(0, 3)) })

const unknownType: Behaviour = request => {
  const data = Buffer.of(1, 2, 3, 4)
  const odd = { name: request.name, type: 'UNKNOWN_65280', ttl: 60, data }
  return say(request, { answers: [odd, ...addresses(request, run(0, 3))], scope: 0 })
}

const noSoa: Behaviour = request => say(request, { scope: 0 })

/** Over TCP: an octet, an octet, three pieces. */
const pieces: Behaviour = request => {
  if (request.transport === 'udp') return say(request, { flags: AA | TC, scope: 0 })
  const octets = written(request, plain(request))
  return [{ kind: 'pieces', after: 0, octets, sizes: [1, 1, 20, 20], ends: 'whole' }]
}

/** Over UDP four whole replies, then of each three one dropped, one slipped as TC, one whole. */
const rateLimited: Behaviour = (request, memory) => {
  if (request.transport === 'tcp') return say(request, plain(request))
  const before = counted(request, memory)
  if (before < 4 || before % 3 === 0) return say(request, plain(request))
  return before % 3 === 1 ? [] : say(request, { flags: AA | TC, scope: 0 })
}

/** Over TCP: the end comes before the message does. */
const closing: Behaviour = request => {
  if (request.transport === 'udp') return say(request, { flags: AA | TC, scope: 0 })
  const octets = written(request, plain(request))
  return [{ kind: 'pieces', after: 0, octets, sizes: [1, 1, 20], ends: 'early' }]
}

// biome-ignore format: table
export const FAULTS: readonly LabName[] = [
  { label: 'wrong-id',       does: 'a reply with another ID, then the right one',     dns2: 'fixed-list', ecs: 'static-pool', notices: 'DNS004 wrong-id',        behave: wrongId },
  { label: 'wrong-question', does: 'a reply to another question, then the right one', dns2: 'fixed-list', ecs: 'static-pool', notices: 'DNS004 wrong-question',  behave: wrongQuestion },
  { label: 'other-owner',    does: 'an address of another name among the answers',    dns2: 'fixed-list', ecs: 'static-pool', notices: 'DNS006 other-owner',     behave: otherOwner },
  { label: 'big',            does: 'sixty addresses: TC, and all of them over TCP',   dns2: 'fixed-list', ecs: 'static-pool', notices: 'tcp-retry',       behave: tooBig },
  { label: 'cut',            does: 'cut in the middle, without TC',                   dns2: 'unclear',    ecs: 'data',        notices: 'DNS003 truncated',       behave: cut },
  { label: 'silence',        does: 'no reply at all',                                 dns2: 'unclear',    ecs: 'data',        notices: 'timeout',         behave: silence },
  { label: 'no-edns',        does: 'FORMERR to every EDNS query',                     dns2: 'fixed-list', ecs: 'refused',     notices: 'DNS002 ECS017 no-edns-retry',   behave: noEdns },
  { label: 'alias-late',     does: 'the CNAME after the addresses it leads to',       dns2: 'fixed-list', ecs: 'static-pool', notices: 'DNS005 cname-after-address', behave: aliasLate },
  { label: 'alias-loop',     does: 'a CNAME and one back',                            dns2: 'empty',      ecs: 'empty',       notices: 'DNS001 DNS005 cname-loop',      behave: aliasLoop },
  { label: 'opt-astray',     does: 'OPT among the answers, addresses among the rest', dns2: 'empty',      ecs: 'empty',       notices: 'DNS001 DNS007 opt-misplaced',   behave: optAstray },
  { label: 'unknown-type',   does: 'a record of TYPE65280 before the addresses',      dns2: 'fixed-list', ecs: 'static-pool', notices: 'other-type',      behave: unknownType },
  { label: 'no-soa',         does: 'no error, and all sections empty',                dns2: 'empty',      ecs: 'empty',       notices: 'DNS001',          behave: noSoa },
  { label: 'pieces',         does: 'TC; over TCP the reply in five pieces',           dns2: 'fixed-list', ecs: 'static-pool', notices: 'tcp-retry',       behave: pieces },
  { label: 'closing',        does: 'TC; over TCP the end before the message',         dns2: 'unclear',    ecs: 'data',        notices: 'closed',          behave: closing },
  { label: 'rate-limited',   does: 'drops some replies, cuts some to TC; TCP gives all', dns2: 'fixed-list', ecs: 'static-pool', notices: 'DNS008 rate-slip',    behave: rateLimited },
]
