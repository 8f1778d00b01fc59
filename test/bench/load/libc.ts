/** As much of the C library as the generator needs, through `koffi`; `undefined` where that is not here. */
import { createRequire } from 'node:module'

/** An address in memory: of a view's octets. */
type Octets = Uint8Array
type Function = (...values: (number | Octets | undefined)[]) => number

export type Libc = {
  readonly socket: Function
  readonly setsockopt: Function
  readonly connect: Function
  readonly recvmmsg: Function
  readonly sendmmsg: Function
  readonly close: Function
  readonly clock_gettime: Function
  readonly addressOf: (octets: Octets) => number
}

/** The few calls of `koffi` that are used. */
type Koffi = {
  readonly load: (library: undefined | string) => { readonly func: (declared: string) => Function }
  readonly address: (octets: Octets) => bigint
}

export function openLibc(): Libc | undefined {
  if (process.platform !== 'linux' || process.env.KOFFI === '0') return undefined
  try {
    const koffi: Koffi = createRequire(import.meta.url)('koffi')
    const library = koffi.load('libc.so.6')
    const func = (declared: string) => library.func(declared)
    return {
      socket: func('int socket(int, int, int)'),
      setsockopt: func('int setsockopt(int, int, int, void *, uint32)'),
      connect: func('int connect(int, void *, uint32)'),
      recvmmsg: func('int recvmmsg(int, void *, uint32, int, void *)'),
      sendmmsg: func('int sendmmsg(int, void *, uint32, int)'),
      close: func('int close(int)'),
      clock_gettime: func('int clock_gettime(int, void *)'),
      addressOf: octets => Number(koffi.address(octets)),
    }
  } catch {
    return undefined // not installed, or not for this machine
  }
}
