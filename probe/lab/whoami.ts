/**
 * The lab's mirror: `whoami.lab.test` and every name below it tell in a TXT record what arrived, so
 * that a resolver on the way shows what it passes on. A fresh name each time gets around its cache.
 */

import { addressText } from '../plan/subnet.ts'
import { type Behaviour, type LabName, run } from './behaviour.ts'
import type { Request } from './request.ts'
import { addresses, say, soaOf } from './write.ts'

export const MIRROR = 'whoami'

/** A first label `s16-…` asks for the scope 16; else the scope is the length that arrived. */
const SCOPE_LABEL = /^s(\d{1,3})-/

const whoami: Behaviour = request => {
  const scope = scopeOf(request)
  if (request.type === 'A' || request.type === 'AAAA') {
    return say(request, { answers: addresses(request, run(0, 1)), scope: 0 })
  }
  if (request.type !== 'TXT') return say(request, { authorities: [soaOf('lab.test')], scope: 0 })
  const record = { name: request.name, type: 'TXT', ttl: 60, data: textOf(request, scope) }
  return say(request, { answers: [record], scope })
}

function scopeOf({ name, subnet }: Request): number {
  if (subnet === undefined || subnet.source === 0) return 0
  const wished = SCOPE_LABEL.exec(name.toLowerCase())?.[1]
  return wished === undefined
    ? subnet.source
    : Math.min(Number(wished), subnet.family === 1 ? 32 : 128)
}

/** `ecs=198.51.100.0/24 source=24 scope=24 transport=udp from=127.0.0.1`, octets as they came. */
function textOf({ subnet, transport, peer }: Request, scope: number): string {
  const client =
    subnet === undefined
      ? 'ecs=none'
      : `ecs=${addressText(subnet.octets)}/${subnet.source} source=${subnet.source} scope=${scope}`
  return `${client} transport=${transport} from=${peer ?? 'unknown'}`
}

export const MIRRORS: readonly LabName[] = [
  {
    label: MIRROR,
    does: 'TXT, also of any name below it: what arrived',
    takes: 'any-option',
    behave: whoami,
  },
]
