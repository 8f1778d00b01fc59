/**
 * `listen` on addresses that stand for all of a machine: whoever asks any of them hears from that one,
 * over both protocols and families, whichever engine serves.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withoutBatches } from '../kit/engine.ts'
import { freePort, LBDNS, LOOPBACK, startReady, stopAll } from '../kit/process.ts'
import { config, whole } from '../kit/reload.ts'
import { dataOf, site } from '../kit/server.ts'
import { tcpClient, udpClient } from '../kit/transport.ts'
import { queryOf, said } from '../kit/world.ts'

afterAll(stopAll)

const QUERY = queryOf('www.example.com', { subnet: '198.51.100.0/24' })
/** Enough for any answer on a machine that is busy. */
const PATIENCE_MS = 10_000

async function serveEverywhere(listen: string, engine: 'batched' | 'dgram'): Promise<number> {
  const port = await freePort()
  const folder = site(whole(config(`["${listen}:${port}"]`)))
  const line = `${engine === 'dgram' ? 'KOFFI=0 ' : ''}exec "${process.execPath}" "${LBDNS}" run -c "${folder}/lbdns.yaml"`
  await startReady('bash', ['-c', line], ({ stdout }) => stdout().includes('listening'))
  return port
}

/** From where it is answered, and what. */
async function overUdp(address: string, port: number) {
  const client = await udpClient(address.includes(':') ? '::1' : '127.0.0.1')
  const heard = await client.ask(QUERY, { address, port }, PATIENCE_MS)
  client.close()
  return { from: heard?.from.address, port: heard?.from.port, data: heard && read(heard.octets) }
}

async function overTcp(address: string, port: number) {
  const client = await tcpClient({ address, port })
  const heard = await client.ask(QUERY, PATIENCE_MS)
  client.socket.destroy()
  return heard && read(heard)
}

const read = (octets: Uint8Array) => dataOf(said(octets))
const HAS_IPV6 = LOOPBACK.includes('::1')

// A machine has all of 127.0.0.0/8, but an interface names one address of it: node:dgram cannot choose
// whence it replies, so it binds what interfaces name, and nobody answers at the others.
// biome-ignore format: table
const TABLE = [
  // listen     engine     asked over UDP
  ['0.0.0.0',  'batched', ['127.0.0.1', '127.0.0.2', '127.0.0.3']],
  ['0.0.0.0',  'dgram',   ['127.0.0.1']],
  ['[::]',     'batched', ['127.0.0.1', '127.0.0.2', '127.0.0.3', '::1']],
  ['[::]',     'dgram',   ['127.0.0.1', '::1']],
] as const

describe.each(TABLE)('listen: %s, %s engine', (listen, engine, asked) => {
  const isMissing =
    (engine === 'batched' && withoutBatches !== undefined) || (listen === '[::]' && !HAS_IPV6)
  describe.skipIf(isMissing)('served', () => {
    let port = 0
    beforeAll(async () => {
      port = await serveEverywhere(listen, engine)
    })

    test('BC-171 the reply leaves from the address asked', async () => {
      for (const address of asked) {
        expect(await overUdp(address, port)).toEqual({ from: address, port, data: ['192.0.2.1'] })
      }
    })

    test('BC-174 UDP and TCP, of all families it stands for', async () => {
      for (const address of listen === '[::]' ? ['127.0.0.1', '::1'] : ['127.0.0.1']) {
        expect((await overUdp(address, port)).data).toEqual(['192.0.2.1'])
        expect(await overTcp(address, port)).toEqual(['192.0.2.1'])
      }
    })
  })
})
