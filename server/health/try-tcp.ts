/** Opens a TCP connection; and the try that wants no more than that. */
import { connect, type Socket } from 'node:net'
import { Failure, inTime, type Limit } from './try-limit.ts'
import { NAMES, only } from './try-name.ts'
import { passed, type Told } from './try-told.ts'

export async function tryTcp(port: number, place: string, limit: Limit): Promise<Told> {
  const socket = await connected(port, place, limit)
  socket.destroy()
  return passed('connected')
}

/** A connection of its own; whoever asked for it destroys it. */
export async function connected(port: number, place: string, limit: Limit): Promise<Socket> {
  const lookup = only(await NAMES.addresses(place, limit))
  const socket = connect({ host: place, port, noDelay: true, lookup })
  await reached(socket, 'connect', limit, 'connection')
  return socket
}

/**
 * Waits for a socket to get somewhere. Where it does not, it is destroyed.
 *
 * @param missing what there is none of when time is up
 */
export async function reached(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  limit: Limit,
  missing: string,
): Promise<void> {
  try {
    await inTime(come(socket, event), limit, missing)
  } catch (error) {
    socket.destroy()
    throw error
  }
}

/** Listens for errors as long as the socket lives: one that nobody hears would end the process. */
function come(socket: Socket, event: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const tooSoon = (): void => reject(new Failure('connection closed'))
    socket.on('error', reject)
    socket.once('close', tooSoon)
    if (socket.destroyed) reject(socket.errored ?? new Failure('connection closed'))
    socket.once(event, () => {
      socket.off('close', tooSoon) // whatever comes later, an error costs its stack
      resolve()
    })
  })
}
