/** The lab over TLS and HTTPS in tests, with certificates for `www.example.org`, and one question to it. */
import type { AddressInfo } from 'node:net'
import { type Asked, ask, asker } from '../../probe/ask/ask.ts'
import type { Secure, Server, Transport } from '../../probe/ask/server.ts'
import { sockets } from '../../probe/ask/sockets.ts'
import type { Wire } from '../../probe/ask/wire.ts'
import { labOf } from '../../probe/lab/lab.ts'
import { type Identity, openSecureLab, type SecureOpen } from '../../probe/lab/listen-secure.ts'
import { chanceFrom } from '../../probe/plan/chance.ts'
import type { Subnet } from '../../probe/plan/question.ts'
import { readSubnet } from '../../probe/plan/subnet.ts'
import { isWrong } from '../../probe/plan/wrong.ts'
import { ATLAS } from './in-process.ts'

const ANYWHERE = [{ address: '127.0.0.1', port: 0 }]

export function secureLab(identity: Identity): Promise<SecureOpen> {
  return openSecureLab(labOf(ATLAS, 1), { tls: ANYWHERE, https: ANYWHERE }, identity)
}

export function serverAt(port: number, transport: Transport, over: Partial<Secure> = {}): Server {
  const path = { tls: '', https: '/dns-query', json: '/resolve' }[transport as 'tls']
  const secure = {
    name: undefined,
    pins: [],
    ca: undefined,
    path,
    method: 'post',
    ...over,
  } as const
  return { address: '127.0.0.1', port, transport, recursion: 'desired', secure }
}

export const NET = subnet('198.51.100.0/24')

function subnet(text: string): Subnet {
  const read = readSubnet(text, 'usual')
  if (isWrong(read)) throw new Error(read.wrong)
  return read
}

/** Ample for a handshake on a busy machine. */
const TIMEOUT_MS = 8000

/** Asks once, without a second try. */
export async function put(
  server: Server,
  label: string,
  { wire = sockets(), timeoutMs = TIMEOUT_MS }: { wire?: Wire; timeoutMs?: number } = {},
): Promise<Asked> {
  const who = asker(wire, chanceFrom(1), { tries: 1, timeoutMs, size: 1232 })
  const question = { name: `${label}.lab.test`, type: 'A', subnet: NET, round: 1 } as const
  const [seen] = await ask(who, { ...question, purpose: 'sample' }, server)
  if (seen === undefined) throw new Error('nothing came of it')
  return seen
}

export function portOf(server: { readonly address: () => AddressInfo | string | null }): number {
  const at = server.address()
  if (at === null || typeof at === 'string') throw new Error('not listening')
  return at.port
}
