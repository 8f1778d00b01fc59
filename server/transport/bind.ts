/**
 * A UDP socket with all its options, bound: what the batched engine asks of the kernel before it
 * serves. What a system may not have and we can do without is asked for and no more.
 */
import { type Kernel, kernelError } from './kernel.ts'
import {
  AF_INET6,
  F_SETFL,
  IP_MTU_DISCOVER,
  IP_PKTINFO,
  IPPROTO_IP,
  IPPROTO_IPV6,
  IPV6_MTU_DISCOVER,
  IPV6_RECVPKTINFO,
  IPV6_V6ONLY,
  NAME,
  PMTUDISC_OMIT,
  SO_BINDTODEVICE,
  SO_RCVBUF,
  SO_RCVBUFFORCE,
  SO_RCVTIMEO,
  SO_REUSEPORT,
  SO_TIMESTAMPNS,
  SOL_SOCKET,
} from './layout.ts'
import { machineError, refusal } from './refusal.ts'
import { type Bound, boundTo, sockaddr } from './sockaddr.ts'

export type Binding = {
  readonly sharing: 'alone' | 'shared'
  /** Octets. */
  readonly receiveBuffer: number
  /** Only what comes through this interface. */
  readonly device: string | undefined
}

/** Opens a socket and binds it. Throws a `Fault` where the address cannot be had. */
export function bind(kernel: Kernel, address: string, port: number, binding: Binding): number {
  const name = sockaddr(address, port, kernel.interfaceNumber)
  if (name === undefined) throw refusal('UDP', address, port, machineError('EINVAL'))
  const fd = kernel.socket(name[0] ?? 0)
  if (fd < 0) throw refusal('UDP', address, port, kernelError(fd))
  const outcome = prepare(kernel, fd, name, binding) || kernel.bind(fd, name)
  if (outcome === 0) return fd
  kernel.close(fd)
  throw refusal('UDP', address, port, kernelError(outcome))
}

/**
 * Gives a socket that others have bound what ours have. How much it queues they have chosen, and they
 * may do more than we: it is changed only where no limit can make it less. Throws a `Fault`.
 */
export function adopt(kernel: Kernel, fd: number, bound: Bound, receiveBuffer: number): void {
  const set = setter(kernel, fd)
  kernel.control(fd, F_SETFL, 0) // whoever waits in the kernel must not be told to come again
  set(SOL_SOCKET, SO_RCVBUFFORCE, receiveBuffer)
  const outcome = tune(set, bound)
  if (outcome < 0) throw refusal('UDP', bound.address, bound.port, kernelError(outcome))
}

/** Tells where a socket is bound. Throws a `Fault` where it is none. */
export function boundAt(kernel: Kernel, fd: number, address: string, port: number): Bound {
  const name = new Uint8Array(NAME.octets6)
  const outcome = kernel.nameOf(fd, name)
  if (outcome !== 0) throw refusal('UDP', address, port, kernelError(outcome))
  return boundTo(name)
}

/** Sets how long receiving may wait. */
export function setWait(kernel: Kernel, fd: number, waitMs: number): void {
  const time = new BigInt64Array([
    BigInt(Math.trunc(waitMs / 1000)),
    BigInt((waitMs % 1000) * 1000),
  ])
  kernel.setOption(fd, SOL_SOCKET, SO_RCVTIMEO, new Uint8Array(time.buffer))
}

/** @returns 0, or the error of an option that must be had */
function prepare(kernel: Kernel, fd: number, name: Uint8Array, binding: Binding): number {
  const { device, receiveBuffer, sharing } = binding
  const set = setter(kernel, fd)
  const isIpv6 = name[0] === AF_INET6

  if (set(SOL_SOCKET, SO_RCVBUFFORCE, receiveBuffer) < 0) set(SOL_SOCKET, SO_RCVBUF, receiveBuffer)
  if (device !== undefined) {
    const outcome = kernel.setOption(fd, SOL_SOCKET, SO_BINDTODEVICE, Buffer.from(`${device}\0`))
    if (outcome < 0) return outcome
  }
  if (sharing === 'shared') {
    const outcome = set(SOL_SOCKET, SO_REUSEPORT, 1)
    if (outcome < 0) return outcome
  }
  if (isIpv6) set(IPPROTO_IPV6, IPV6_V6ONLY, 0)
  return tune(set, boundTo(name))
}

type SetOption = (level: number, option: number, value: number) => number

function setter(kernel: Kernel, fd: number): SetOption {
  return (level, option, value) =>
    kernel.setOption(fd, level, option, new Uint8Array(Int32Array.of(value).buffer))
}

/** Sets what can be set at any time: 0, or the error of an option that must be had. */
function tune(set: SetOption, { isWildcard, name }: Bound): number {
  const isIpv6 = ((name[0] ?? 0) & 0xffff) === AF_INET6
  set(SOL_SOCKET, SO_TIMESTAMPNS, 1)
  // A forged "too big" (ICMP) makes others send fragments, which can be forged too: RFC 9715 §3.1.
  set(IPPROTO_IP, IP_MTU_DISCOVER, PMTUDISC_OMIT)
  if (isIpv6) set(IPPROTO_IPV6, IPV6_MTU_DISCOVER, PMTUDISC_OMIT)
  if (!isWildcard) return 0 // replies leave from where it is bound
  return isIpv6 ? set(IPPROTO_IPV6, IPV6_RECVPKTINFO, 1) : set(IPPROTO_IP, IP_PKTINFO, 1)
}
