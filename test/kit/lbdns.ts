/** A running `lbdns` for tests: its configuration and files in a folder of its own, on a free port. */
import { join } from 'node:path'
import {
  type Files,
  folder,
  freePort,
  LBDNS,
  LOOPBACK,
  type Program,
  startReady,
} from './process.ts'

export type Server = Program & {
  readonly port: number
  /** Where its files are, for tests that change them. */
  readonly folder: string
}

/**
 * Starts `lbdns run`; ready once it has said where it listens.
 *
 * @param config the configuration without `listen`, which becomes the loopback addresses
 * @param files  the files that it names, by path
 */
export async function startLbdns(config: string, files: Files): Promise<Server> {
  const port = await freePort()
  const made = folder({ ...files, 'lbdns.yaml': `${listenAt(port)}\n${config}` })
  const args = [LBDNS, 'run', '-c', join(made, 'lbdns.yaml')]
  const program = await startReady(process.execPath, args, ({ stdout }) =>
    stdout().includes('listening'),
  )
  return { ...program, port, folder: made }
}

/** The `listen` line for a port. */
export function listenAt(port: number): string {
  const places = LOOPBACK.map(host =>
    host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`,
  )
  return `listen: ${JSON.stringify(places)}`
}
