/** The lab over TLS and HTTPS on the loopback, with a certificate it is given. */

import { once } from 'node:events'
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2'
import { createServer, type Server } from 'node:tls'
import type { Lab } from './lab.ts'
import { converse, type LabPlace, type Open } from './listen.ts'
import { type Page, pageFor } from './pages.ts'

export type Identity = { readonly cert: string; readonly key: string }

export type SecurePlaces = {
  readonly tls: readonly LabPlace[]
  readonly https: readonly LabPlace[]
}

/** What is really listened at, and the end of it. */
export type SecureOpen = SecurePlaces & Pick<Open, 'close'>

/** Opens all places or none: the first failure closes what was opened. */
export async function openSecureLab(
  lab: Lab,
  places: SecurePlaces,
  identity: Identity,
): Promise<SecureOpen> {
  const opened: Listening[] = []
  const close = async (): Promise<void> => {
    await Promise.all(opened.map(closed))
  }
  try {
    const tls = await openAll(places.tls, opened, listener =>
      createServer({ ...identity, ALPNProtocols: ['dot'] }, socket => {
        converse(lab, socket, listener)
      }),
    )
    const https = await openAll(places.https, opened, listener =>
      createSecureServer({ ...identity, allowHTTP1: true }, (request, response) => {
        void answer(lab, listener, request, response)
      }),
    )
    return { tls, https, close }
  } catch (cause) {
    await close()
    throw cause
  }
}

/** @param opened gets each server before it listens */
async function openAll(
  places: readonly LabPlace[],
  opened: Listening[],
  make: (listener: number) => Listening['server'],
): Promise<readonly LabPlace[]> {
  const real: LabPlace[] = []
  for (const [listener, place] of places.entries()) {
    const listening = listeningOf(make(listener))
    opened.push(listening)
    real.push(await listen(listening, place))
  }
  return real
}

/** A server and who is connected: kept connections would keep it open. */
type Listening = {
  readonly server: Server | ReturnType<typeof createSecureServer>
  readonly sockets: Set<{ readonly destroy: () => void }>
}

function listeningOf(server: Listening['server']): Listening {
  const sockets: Listening['sockets'] = new Set()
  // a client that does not like the certificate goes away: nothing to be told of
  server.on('tlsClientError', () => undefined)
  server.on('sessionError', () => undefined)
  server.on('secureConnection', socket => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
  })
  return { server, sockets }
}

async function listen({ server }: Listening, { address, port }: LabPlace): Promise<LabPlace> {
  server.listen(port, address)
  await once(server, 'listening')
  const bound = server.address()
  return { address, port: typeof bound === 'object' && bound !== null ? bound.port : port }
}

async function closed({ server, sockets }: Listening): Promise<void> {
  for (const socket of sockets) socket.destroy()
  if (!server.listening) return
  await new Promise<void>(resolve => {
    server.close(() => resolve())
  })
}

const MOST_OCTETS = 65_535

async function answer(
  lab: Lab,
  listener: number,
  request: Http2ServerRequest,
  response: Http2ServerResponse,
): Promise<void> {
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of request) {
      length += (chunk as Uint8Array).length
      if (length > MOST_OCTETS) break
      chunks.push(chunk as Uint8Array)
    }
    const { method, url, headers } = request
    const type = headers['content-type']
    const asked = { method, url, type, body: Buffer.concat(chunks) }
    reply(response, await pageFor(lab, listener, asked))
  } catch {
    // gone meanwhile
    response.destroy()
  }
}

/** No page: silence, as over UDP. */
function reply(response: Http2ServerResponse, page: Page | undefined): void {
  if (page === undefined) return
  if (page.kind === 'end') {
    response.destroy()
    return
  }
  response.writeHead(page.status, {
    'content-type': page.type,
    // dig reads no reply without it
    'content-length': page.body.length,
    'cache-control': 'no-store',
  })
  response.end(page.body)
}
