/**
 * Sockets that whoever started us has bound already: sd_listen_fds(3). They outlive this process, so
 * that what comes while it is replaced waits in them. Which is which the system tells in /proc/net,
 * with either engine. Serves nothing: whoever opens a door takes what is there for it.
 */
import { closeSync, readFileSync, readlinkSync } from 'node:fs'
import { endianness } from 'node:os'
import { addressText } from '../dns/address.ts'
import { placeText } from './refusal.ts'

/** The first descriptor that is handed over: SD_LISTEN_FDS_START. */
const FIRST = 3

export type Protocol = 'UDP' | 'TCP'

export type HandedSocket = {
  readonly fd: number
  /** As its giver calls it; systemd: the name of the unit, unless it has FileDescriptorName=. */
  readonly name: string
  /** `undefined`: it is nothing that a DNS server can use. */
  readonly bound: BoundAt | undefined
}

export type BoundAt = {
  readonly protocol: Protocol
  readonly address: string
  readonly port: number
}

/** A child of whoever is meant has them too, and finds the number of another process in the first. */
const VARIABLES = ['LISTEN_PID', 'LISTEN_FDS', 'LISTEN_FDNAMES'] as const

/**
 * Finds what was handed to this process, as far as it is sockets, and takes it out of the environment: our children shall not
 * think that it is theirs. Node has seen to it already that they do not inherit the sockets.
 */
export function handedIn(environment: NodeJS.ProcessEnv): HandedSocket[] {
  const { LISTEN_PID: pid, LISTEN_FDS: count = '', LISTEN_FDNAMES: names = '' } = environment
  for (const variable of VARIABLES) delete environment[variable]
  if (pid !== `${process.pid}` || !/^\d{1,4}$/.test(count) || count === '0') return []
  const bound = boundSockets()
  const called = names.split(':')
  return Array.from({ length: Number(count) }).flatMap((_, at) => {
    const inode = inodeOf(FIRST + at)
    if (inode === undefined) return []
    return [{ fd: FIRST + at, name: called[at] ?? '', bound: bound.get(inode) }]
  })
}

/** `192.0.2.1:53 (UDP), called lbdns.socket` */
export function handedText({ bound, fd, name }: HandedSocket): string {
  const where = bound && `${placeText(bound.address, bound.port)} (${bound.protocol})`
  return `${where ?? `descriptor ${fd}`}${name === '' ? '' : `, called ${name}`}`
}

/** What is handed over, until it is taken. */
export class Handed {
  readonly #copy: ((fd: number) => number) | undefined
  readonly #taken = new Set<HandedSocket>()
  #sockets: readonly HandedSocket[]

  /** @param copy makes another descriptor of a socket; absent: it can be taken once */
  constructor(sockets: readonly HandedSocket[], copy?: (fd: number) => number) {
    this.#sockets = sockets
    this.#copy = copy
  }

  /** Tells whether there is anything for this place, over either protocol. */
  has(address: string, port: number): boolean {
    return this.#sockets.some(({ bound }) => bound?.address === address && bound.port === port)
  }

  /**
   * Takes sockets for several that serve one place side by side. Where there are several of one place
   * (ReusePort= of systemd), each is taken by somebody; those for whom there is nobody are left.
   *
   * @returns a descriptor for each taker, or `undefined` where there is nothing for this place
   */
  take(protocol: Protocol, address: string, port: number, takers: number): number[] | undefined {
    const copy = this.#copy
    const free = this.#sockets.filter(socket => copy !== undefined || !this.#taken.has(socket))
    const found = free.filter(({ bound }) => isAt(bound, protocol, address, port)).slice(0, takers)
    if (found.length === 0) return undefined
    for (const socket of found) this.#taken.add(socket)
    const give = ({ fd }: HandedSocket) => copy?.(fd) ?? fd
    return Array.from({ length: takers }, (_, at) => give(found[at % found.length]!))
  }

  /** Closes what nobody has taken. */
  dropRest(): HandedSocket[] {
    const rest = this.#sockets.filter(socket => !this.#taken.has(socket))
    this.#sockets = this.#sockets.filter(socket => this.#taken.has(socket))
    for (const { fd } of rest) closeSync(fd)
    return rest
  }
}

function isAt(
  bound: BoundAt | undefined,
  protocol: Protocol,
  address: string,
  port: number,
): boolean {
  return bound?.protocol === protocol && bound.address === address && bound.port === port
}

/** `undefined` where it is no socket. */
function inodeOf(fd: number): string | undefined {
  try {
    return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/self/fd/${fd}`))?.[1]
  } catch {
    return undefined // there is no such descriptor
  }
}

const TABLES = [
  ['udp', 'UDP'],
  ['udp6', 'UDP'],
  ['tcp', 'TCP'],
  ['tcp6', 'TCP'],
] as const

/** Every bound socket of this network namespace, by inode. */
function boundSockets(): ReadonlyMap<string, BoundAt> {
  return new Map(TABLES.flatMap(([table, protocol]) => [...socketsIn(table, protocol)]))
}

/** Of a TCP socket: it listens. */
const LISTENS = '0A'

function* socketsIn(table: string, protocol: Protocol): Generator<readonly [string, BoundAt]> {
  for (const line of linesOf(`/proc/self/net/${table}`)) {
    const fields = line.trim().split(/\s+/)
    const [, local = '', , state] = fields
    if (protocol === 'TCP' && state !== LISTENS) continue
    const [address = '', port = ''] = local.split(':')
    const octets = octetsOf(address)
    yield [fields[9] ?? '', { protocol, address: addressText(octets), port: Number(`0x${port}`) }]
  }
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'latin1').trimEnd().split('\n').slice(1)
  } catch {
    return [] // a machine without IPv6, or without /proc
  }
}

/** Words of 32 bits, each as this machine has it in memory. */
function octetsOf(hex: string): Uint8Array {
  const octets = Uint8Array.from(Buffer.from(hex, 'hex'))
  if (endianness() === 'LE') {
    for (let word = 0; word < octets.length; word += 4) octets.subarray(word, word + 4).reverse()
  }
  return octets
}
