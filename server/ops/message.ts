/**
 * How a message gets to a service manager: Node has no datagrams to other than IP addresses, so that
 * it goes through koffi, or where that cannot be had through a program of systemd's.
 */
import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { setTimeout } from 'node:timers/promises'
import { getSystemErrorName, promisify } from 'node:util'
import type { Send } from './notify.ts'

const AF_UNIX = 1
const SOCK_DGRAM = 2
const SOCK_CLOEXEC = 0x8_0000
const MSG_DONTWAIT = 0x40
const MSG_NOSIGNAL = 0x4000
const EAGAIN = 11
/** `sun_path` of a `struct sockaddr_un`. */
const LONGEST_PATH = 108

/** A manager that is busy takes no message for a while; we do not wait for it in the kernel. */
const PATIENCE_MS = 100
const TRIES = 50

/** Sends from this process. Loads koffi, which must be known to work here. */
export function sendDirectly(path: string): Send {
  const koffi: typeof import('koffi') = createRequire(import.meta.url)('koffi')
  const libc = koffi.load(null)
  const sendto = libc.func('int64 sendto(int, void *, uint64, int, void *, uint32)')
  const fd = libc.func('int socket(int, int, int)')(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)
  const flags = MSG_DONTWAIT | MSG_NOSIGNAL

  return async lines => {
    const to = unixName(path)
    const octets = Buffer.from(lines.join('\n'))
    for (let tries = TRIES; ; tries -= 1) {
      if (Number(sendto(fd, octets, octets.length, flags, to, to.length)) >= 0) return
      const error = koffi.errno()
      if (error !== EAGAIN || tries === 1) throw new Error(getSystemErrorName(-error))
      await setTimeout(PATIENCE_MS)
    }
  }
}

/** A `struct sockaddr_un`, no longer than it need be: an abstract name has no end of its own. */
export function unixName(path: string): Uint8Array {
  const octets = Buffer.from(path.startsWith('@') ? `\0${path.slice(1)}` : path)
  if (octets.length > LONGEST_PATH) throw new Error(`${path} is too long for a socket`)
  return Buffer.concat([Uint8Array.of(AF_UNIX, 0), octets])
}

const run = promisify(execFile)

/**
 * Sends through `systemd-notify`, which speaks for itself unless it is root: the unit must have
 * `NotifyAccess=all`.
 */
export function sendThroughProgram(path: string): Send {
  const env = { PATH: process.env.PATH, NOTIFY_SOCKET: path }
  return async lines => {
    await run('systemd-notify', lines, { env })
  }
}
