/**
 * The file of a unix socket: made so that at no moment anybody but its owner can connect, put in the
 * place of one that a dead server left, never of one behind which somebody lives, and removed only
 * while it is still ours. Knows nothing of what is said on it.
 */
import { chmod, lstat, mkdtemp, rename, rmdir, unlink } from 'node:fs/promises'
import { connect, type Server } from 'node:net'
import { dirname, join } from 'node:path'
import { type Wrong, wrong } from '../fault.ts'

/** A path at which a server of ours listens. */
export type SocketFile = {
  readonly path: string
  readonly server: Server
  /** Which file it is, whatever else may come to lie at the path. */
  readonly device: number
  readonly inode: number
}

/** What an address holds, without the octet that ends it. A longer path is cut off, without a word. */
export const LONGEST_PATH = 107

/** Beside the socket, so that it can be moved; only we may enter. */
const ROOM = '.lb-'
const OWNER_ONLY = 0o600

/** Has a server listen at a path, or says why it cannot. */
export async function claim(path: string, server: Server): Promise<SocketFile | Wrong> {
  const flaw = await flawOf(path)
  if (flaw !== undefined) return flaw
  try {
    return await placed(path, server)
  } catch (cause) {
    server.close()
    return wrong(`cannot be made: ${messageOf(cause)}`, 'name a place that lbdns may write to')
  }
}

/** Listens no more; connections stay. The file goes, unless another has taken its place. */
export async function release(file: SocketFile): Promise<void> {
  file.server.close()
  if (await isOurs(file)) await unlink(file.path).catch(() => {}) // it is going anyway
}

/** Tells whether the file at the path is still the one we made. */
export async function isOurs({ path, device, inode }: SocketFile): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined)
  return found?.dev === device && found.ino === inode
}

/** In a folder that only we may enter, until its mode is right: a rename does the rest at one stroke. */
async function placed(path: string, server: Server): Promise<SocketFile> {
  const room = await mkdtemp(join(dirname(path), ROOM))
  const inside = join(room, 's')
  try {
    await bound(server, inside)
    await chmod(inside, OWNER_ONLY)
    const { dev, ino } = await lstat(inside)
    await rename(inside, path)
    return { path, server, device: dev, inode: ino }
  } catch (cause) {
    await unlink(inside).catch(() => {}) // perhaps it was never made
    throw cause
  } finally {
    await rmdir(room)
  }
}

function bound(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

/** Why nobody can listen there. */
async function flawOf(path: string): Promise<Wrong | undefined> {
  const most = LONGEST_PATH - `${ROOM}XXXXXX/s`.length
  if (Buffer.byteLength(path) > LONGEST_PATH || Buffer.byteLength(dirname(path)) + 1 > most) {
    return wrong('is too long a path for a socket', 'name a shorter one in control:')
  }
  try {
    if ((await lstat(path)).isSocket()) return taken(await knock(path))
    return wrong('is there, and is no socket', 'remove it, or name another path in control:')
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return undefined
    return wrong(`cannot be looked at: ${messageOf(cause)}`, 'name another path in control:')
  }
}

function taken(heard: string): Wrong | undefined {
  if (heard === 'ECONNREFUSED' || heard === 'ENOENT') return undefined
  if (heard === 'EACCES') return wrong('belongs to another user', 'name another path in control:')
  return wrong('is the socket of another server', 'end that one, or name another path in control:')
}

/** Looks whether somebody is there. Where not, says so in the system's word. */
function knock(path: string): Promise<string> {
  return new Promise(resolve => {
    const socket = connect(path)
    socket.once('error', cause => resolve(codeOf(cause)))
    socket.once('connect', () => {
      socket.destroy()
      resolve('somebody')
    })
  })
}

function codeOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : ''
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
