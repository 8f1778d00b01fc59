/**
 * The calls of the C library that a batched engine makes, through koffi. They answer as the kernel
 * itself does: 0 or more, or the negative number of an error. What is handed over must hold all that
 * it points to. Knows no datagrams.
 */
import { createRequire } from 'node:module'
import { getSystemErrorName } from 'node:util'
import { F_DUPFD_CLOEXEC, SOCK_CLOEXEC, SOCK_DGRAM } from './layout.ts'
import { machineError } from './refusal.ts'

export type Kernel = {
  /** A UDP socket of that family, which our children do not inherit. */
  readonly socket: (family: number) => number
  /** @param address a `struct sockaddr` */
  readonly bind: (fd: number, address: Uint8Array) => number
  /** Fills in a `struct sockaddr`; it has room for either family. */
  readonly nameOf: (fd: number, address: Uint8Array) => number
  readonly setOption: (fd: number, level: number, option: number, value: Uint8Array) => number
  /** `recvmmsg` into `count` headers. Hot. */
  readonly receive: (fd: number, headers: Uint8Array, count: number, flags: number) => number
  /** `sendmmsg` of `count` headers: those that went, where any did. Hot. */
  readonly send: (fd: number, headers: Uint8Array, count: number, flags: number) => number
  /** @param places `count` times `struct pollfd`. Hot. */
  readonly poll: (places: Uint8Array, count: number, waitMs: number) => number
  /** @param command of `fcntl`, one that takes a number */
  readonly control: (fd: number, command: number, value: number) => number
  readonly close: (fd: number) => number
  /** The number of an interface, 0 where there is none of that name. */
  readonly interfaceNumber: (name: string) => number
  /** Where memory lies; it stays there, for as long as somebody holds it. */
  readonly addressOf: (memory: ArrayBuffer) => bigint
}

/** Loads koffi, which may fail in any way at all: see `batching.ts`. */
export function openKernel(): Kernel {
  const koffi: typeof import('koffi') = createRequire(import.meta.url)('koffi')
  const libc = koffi.load(null) // the one that this process runs on
  const socket = libc.func('int socket(int, int, int)')
  const bind = libc.func('int bind(int, void *, uint32)')
  const getsockname = libc.func('int getsockname(int, void *, void *)')
  const setsockopt = libc.func('int setsockopt(int, int, int, void *, uint32)')
  const recvmmsg = libc.func('int recvmmsg(int, void *, uint32, int, void *)')
  const sendmmsg = libc.func('int sendmmsg(int, void *, uint32, int)')
  const poll = libc.func('int poll(void *, uint64, int)')
  const fcntl = libc.func('int fcntl(int, int, ...)')
  const close = libc.func('int close(int)')
  const { errno } = koffi

  return {
    socket: family => outcome(socket(family, SOCK_DGRAM | SOCK_CLOEXEC, 0)),
    bind: (fd, address) => outcome(bind(fd, address, address.length)),
    nameOf: (fd, address) => outcome(getsockname(fd, address, Uint32Array.of(address.length))),
    setOption: (fd, level, option, value) =>
      outcome(setsockopt(fd, level, option, value, value.length)),
    receive: (fd, headers, count, flags) => outcome(recvmmsg(fd, headers, count, flags, undefined)),
    send: (fd, headers, count, flags) => outcome(sendmmsg(fd, headers, count, flags)),
    poll: (places, count, waitMs) => outcome(poll(places, count, waitMs)),
    control: (fd, command, value) => outcome(fcntl(fd, command, 'int', value)),
    close: fd => outcome(close(fd)),
    interfaceNumber: libc.func('uint32 if_nametoindex(const char *)'),
    addressOf: memory => koffi.address(memory),
  }

  /** Hot. */
  function outcome(value: number): number {
    return value < 0 ? -errno() : value
  }
}

/** Another descriptor of a file, which our children do not inherit. Throws where there is no more. */
export function copyOf(kernel: Kernel, fd: number): number {
  const copy = kernel.control(fd, F_DUPFD_CLOEXEC, 0)
  if (copy < 0) throw kernelError(copy)
  return copy
}

/** The error behind a negative outcome, with its code. */
export function kernelError(outcome: number): Error {
  return machineError(getSystemErrorName(outcome))
}
