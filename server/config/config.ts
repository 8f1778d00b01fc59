/**
 * The operator's file, read and checked: what the process opens, and the policy that steers.
 * Paths stand as they were written; the loader resolves them against the file's folder.
 */
import type { Name } from '../dns/name.ts'
import type { At } from '../fault.ts'
import type { Policy, Prefix } from '../steer/rule.ts'
import type { CheckedHost } from './checked-hosts.ts'
import type { ListenAddress } from './listen.ts'
import type { Outside } from './outside.ts'

/** Where the control socket is when nothing is said of it. */
export const CONTROL = 'lbdns.sock'

/** What is spoken: UDP and TCP, DNS over TLS, DNS over HTTPS. */
export type Over = 'dns' | 'tls' | 'https'

/** A certificate with those above it, and its key. */
export type TlsFiles = { readonly cert: Path; readonly key: Path }

/** One socket address to serve on. */
export type Listen = {
  /** Text without brackets; an IPv6 one may end in a zone (`fe80::1%eth0`). */
  readonly host: string
  /** 1 … 65535. */
  readonly port: number
  /** False: the client subnet option is neither read nor sent here. */
  readonly ecs: boolean
  readonly over: Over
  /** Of what is encrypted. */
  readonly tls?: TlsFiles | undefined
  /** Of HTTPS: where queries are taken. */
  readonly path: string
  /** Whose TCP connections begin with a header of the PROXY protocol. */
  readonly proxy: readonly Prefix[]
  readonly at: At
}

/** An address for HTTP, as `Listen` has it for DNS. */
export type Metrics = ListenAddress & { readonly at: At }

/** A file the operator named. */
export type Path = { readonly path: string; readonly at: At }

/** A user or a group: a name, or the number of one. */
export type Account = { readonly named: string | number; readonly at: At }

/** Where the admin API is, and the file of the tokens that it asks for; absent: it asks for none. */
export type AdminPlace = ListenAddress & {
  readonly tokenFile?: Path | undefined
  readonly at: At
}

/** Where events are posted, and the files of what they are posted with. */
export type Hook = {
  /** Of scheme http or https. */
  readonly url: string
  /** Of the token that the receiver asks for. */
  readonly tokenFile?: Path | undefined
  /** Of the secret that bodies are signed with. */
  readonly secretFile?: Path | undefined
  /** Absent: all. */
  readonly kinds?: readonly EventKind[] | undefined
  readonly at: At
}

/** What can happen. */
export type EventKind =
  | ('verdict' | 'pool' | 'override')
  | ('reloaded' | 'reload refused' | 'planned')

/** A sample of what is asked and answered. */
export type QueryLog = {
  readonly path: string
  /** The chance of each query to be in it, above 0, up to 1. */
  readonly sample: number
  /** Octets, beyond which a file does not grow. */
  readonly maxSize: number
  /** How many full files are kept, at least 1. */
  readonly keep: number
}

/** Replies a second to one network, by what they are, and of whatever kind; 0: no limit. */
export type Rates = Readonly<
  Record<'answer' | 'referral' | 'nodata' | 'nxdomain' | 'error' | 'all', number>
>

/** What keeps the server standing. */
export type GuardOptions = {
  /** Milliseconds that a query may have waited. */
  readonly maxAgeMs: number
  readonly shedding: 'on' | 'off'
  /** Response rate limiting; absent: there is none. */
  readonly rrl?:
    | {
        readonly rates: Rates
        /** Of what is over the limit, every so many is truncated instead; 0: none. */
        readonly slip: number
        /** Seconds. */
        readonly window: number
        readonly bits4: number
        readonly bits6: number
        readonly exempt: readonly Prefix[]
        readonly mode: 'on' | 'log-only'
      }
    | undefined
}

export type Cookies = {
  /** False: the option is neither read nor sent. */
  readonly enabled: boolean
  /** 16 octets each: the first signs, all are accepted; absent: the process has its own. */
  readonly secrets?: readonly Uint8Array[] | undefined
  /** When a query over UDP must bring a valid cookie. */
  readonly require: 'never' | 'load' | 'always'
}

export type Config = Outside & {
  /** Never empty. */
  readonly listen: readonly Listen[]
  /** What connections may take. */
  readonly tcp: {
    readonly idleMs: number
    /** Absent: the process decides. */
    readonly connections?: { readonly count: number; readonly at: At } | undefined
    readonly perSource: number
  }
  /** UDP worker threads, at least 1; absent: the process decides. */
  readonly workers?: { readonly count: number; readonly at: At } | undefined
  /** Who serves, once all sockets are open; absent: whoever started. */
  readonly user?: Account | undefined
  /** Only where there is a user; absent: the user's own. */
  readonly group?: Account | undefined
  /** Path of the control socket. */
  readonly control: string
  /** The admin API; absent: there is none. */
  readonly admin?: AdminPlace | undefined
  /** Where events are posted. */
  readonly webhooks: readonly Hook[]
  /** Where the process tells of itself over HTTP; absent: nowhere. */
  readonly metrics?: Metrics | undefined
  /** What outlives a restart, and for how many seconds it holds. */
  readonly state: { readonly path: string; readonly maxAge: number }
  /** The query log; absent: there is none. */
  readonly querylog?: QueryLog | undefined
  /** What `id.server` answers; absent: the process decides. */
  readonly identity?: string | undefined
  readonly cookies: Cookies
  /** What NSID answers, with {node} and {digest} in it, or `off`; absent: the identity, if any. */
  readonly nsid?: string | undefined
  /** Names that tell who asks. */
  readonly whoami: readonly { readonly owner: Name; readonly at: At }[]
  readonly ecs: {
    readonly enabled: boolean
    /** Sources whose client subnet option is read; empty: all. */
    readonly allow: readonly Prefix[]
    /** Sources whose option is not read, whatever `allow` says. */
    readonly deny: readonly Prefix[]
  }
  readonly guard: GuardOptions
  /** Master files. Never empty. */
  readonly zones: readonly Path[]
  /** What ships with the package, or MaxMind-format files: of each field, the first that knows. */
  readonly geo: 'builtin' | readonly Path[]
  /** The networks files that were read, in order. */
  readonly networkFiles: readonly Path[]
  /** The latency files that were read, each once, where it is first named. */
  readonly latencyFiles: readonly Path[]
  /** The files that loads are read from while serving, each once; nobody has opened them yet. */
  readonly loadFiles: readonly Path[]
  /** The host names that checks connect to. */
  readonly checkedHosts: readonly CheckedHost[]
  /** When this file is meant to take over from the one before; absent: at once. */
  readonly activateAt?: { readonly ms: number; readonly at: At } | undefined
  readonly policy: Policy
}
