/** Two servers from npm: what a program in this language usually is. They know no client from another. */
import { fileURLToPath } from 'node:url'
import { STRICTNESS } from '../load/check.ts'
import type { Contender } from './contender.ts'

export const dgramPeer = peer('dgram + dns-packet', './dgram-peer.js')
export const dns2Peer = peer('dns2', './dns2-peer.js')

function peer(name: string, file: string): Contender {
  const path = fileURLToPath(new URL(file, import.meta.url))
  return {
    name,
    program: process.execPath,
    serves: ['steered'],
    tailors: true,
    tcp: false,
    strictness: { plain: STRICTNESS.addresses, steered: STRICTNESS.rcode },
    prepare: async (_site, _folder, port) => [path, String(port)],
  }
}
