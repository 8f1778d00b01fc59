/**
 * Why an address cannot be listened on, as one sentence with what to do. Knows the operating
 * system's codes; opens nothing.
 */
import { Fault, type FaultCode } from '../fault.ts'

/** Puts a failed bind or listen into the words of an operator. A `Fault` comes back as it is. */
export function refusal(
  protocol: 'UDP' | 'TCP',
  address: string,
  port: number,
  cause: unknown,
): Fault {
  if (cause instanceof Fault) return cause
  const { code, why, fix } = reasonFor(cause, port)
  const place = `${placeText(address, port)} (${protocol})`
  return new Fault(code, `cannot listen on ${place}: ${why} · ${fix}`, { cause })
}

/** `192.0.2.1:53`, `[2001:db8::1]:53` */
export function placeText(address: string, port: number): string {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`
}

/** What the operating system said, by its code: `EADDRINUSE`. */
export function machineError(code: string): Error {
  return Object.assign(new Error(code), { code })
}

type Reason = { readonly code: FaultCode; readonly why: string; readonly fix: string }

const REASONS: Readonly<Record<string, Reason>> = {
  EADDRINUSE: {
    code: 'ADDRESS_IN_USE',
    why: 'another process has it',
    fix: 'stop that one (`ss -lnp` names it), or choose another address or port',
  },
  EACCES: {
    code: 'NOT_PERMITTED',
    why: 'something forbids it',
    fix: 'look at what guards this process: SELinux, AppArmor, the sandbox of systemd',
  },
  EADDRNOTAVAIL: {
    code: 'ADDRESS_UNAVAILABLE',
    why: 'this machine does not have the address',
    fix: 'choose one that `ip address` shows',
  },
  EAFNOSUPPORT: {
    code: 'ADDRESS_UNAVAILABLE',
    why: 'this machine does not have that address family',
    fix: 'switch it on, or leave the address out',
  },
  ENOPROTOOPT: {
    code: 'NOT_SUPPORTED',
    why: 'this system cannot share it among threads',
    fix: 'set `workers: 1`',
  },
  EINVAL: {
    code: 'ADDRESS_UNAVAILABLE',
    why: 'a link-local address needs an interface of this machine',
    fix: 'write it as in fe80::1%eth0',
  },
}

/** Every user may have this one and those above, unless the system is told otherwise. */
export const FIRST_FREE_PORT = 1024
const LOW_PORT: Reason = {
  code: 'NOT_PERMITTED',
  why: `ports below ${FIRST_FREE_PORT} are not for this user`,
  fix:
    'grant it CAP_NET_BIND_SERVICE (AmbientCapabilities= of systemd), ' +
    'or lower net.ipv4.ip_unprivileged_port_start',
}

function reasonFor(cause: unknown, port: number): Reason {
  const name = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)
  if (name === 'EACCES' && port < FIRST_FREE_PORT) return LOW_PORT
  return (
    REASONS[name] ?? {
      code: 'IMPOSSIBLE',
      why: `the system says ${name}`,
      fix: 'see the limits of this process and the log of the system',
    }
  )
}
