/**
 * The numbers of the kernel's interface, as Linux has them on every 64-bit little-endian machine whose
 * headers are the generic ones (`MACHINES`); glibc and musl agree there. Offsets are in 32-bit words:
 * of a 64-bit field they name the lower half, and the upper one follows it. Does nothing.
 */

/** By `process.arch`. Others, such as mips64el, number their options in their own way. */
export const MACHINES = ['x64', 'arm64', 'riscv64', 'loong64']

/** `struct mmsghdr`: a `struct msghdr`, and how many octets came or went. */
export const HEADER = {
  name: 0,
  nameLength: 2,
  pieces: 4,
  pieceCount: 6,
  control: 8,
  controlLength: 10,
  /** Written by the kernel only. */
  flags: 12,
  length: 14,
  words: 16,
} as const

/** `struct iovec` */
export const PIECE = { base: 0, length: 2, words: 4 } as const

/**
 * `struct sockaddr_in` and `struct sockaddr_in6`. The first word holds the family in its lower half
 * and the port, as it is on the wire, in its upper one.
 */
export const NAME = { head: 0, ipv4: 1, ipv6: 2, scope: 6, octets4: 16, octets6: 28 } as const

/** `struct cmsghdr`; the next one starts at a multiple of 8 octets. */
export const CONTROL = { length: 0, level: 2, type: 3, data: 4 } as const

/** `struct in_pktinfo`, in words of its data: `local` is the address that a reply leaves from. */
export const PKTINFO4 = { interface: 0, local: 1, words: 3 } as const
/** `struct in6_pktinfo` */
export const PKTINFO6 = { local: 0, interface: 4, words: 5 } as const

/** `struct pollfd`: the second word holds what to look for, and above it what was seen. */
export const POLL = { fd: 0, events: 1, words: 2 } as const
export const POLLIN = 0x1

export const AF_INET = 2
export const AF_INET6 = 10
export const SOCK_DGRAM = 2
export const SOCK_CLOEXEC = 0x8_0000

/** Sets the flags of a file: none of them means that it waits. */
export const F_SETFL = 4
export const F_DUPFD_CLOEXEC = 1030

export const MSG_DONTWAIT = 0x40
/** Waits for the first datagram and takes what else is there. */
export const MSG_WAITFORONE = 0x1_0000

export const SOL_SOCKET = 1
export const SO_RCVBUF = 8
export const SO_REUSEPORT = 15
export const SO_RCVTIMEO = 20
export const SO_BINDTODEVICE = 25
/** SO_RCVBUF past the system's limit: for CAP_NET_ADMIN. */
export const SO_RCVBUFFORCE = 33
/** As an option, and as the type of what comes with a datagram. */
export const SO_TIMESTAMPNS = 35

export const IPPROTO_IP = 0
export const IP_PKTINFO = 8
export const IP_MTU_DISCOVER = 10

export const IPPROTO_UDP = 17
/** One send becomes datagrams of so many octets each, but for the last, which may be shorter. */
export const UDP_SEGMENT = 103

export const IPPROTO_IPV6 = 41
export const IPV6_MTU_DISCOVER = 23
export const IPV6_V6ONLY = 26
export const IPV6_RECVPKTINFO = 49
export const IPV6_PKTINFO = 50

/** Never "do not fragment", and no path MTU that somebody told us: only the interface's own counts. */
export const PMTUDISC_OMIT = 5

export const EINTR = 4
export const EIO = 5
export const EAGAIN = 11
export const EINVAL = 22
