/**
 * How an operator has targets checked, as data: what is tried, how often, and what becomes of it.
 * Tries nothing.
 */

/** What is pushed is not tried: its `fall` and `rise` are 1, its `timeout` is 0. */
export type Check = {
  readonly name: string
  /** Seconds between two tries; of what is pushed, for which one push counts. */
  readonly every: number
  /** Seconds between two tries while it fails, or was down last: at most `every`. */
  readonly fastEvery: number
  /** Seconds after which a try has failed. */
  readonly timeout: number
  /** Failures in a row that make a target down. */
  readonly fall: number
  /** Passes in a row that make it up. */
  readonly rise: number
  /** What counts until something is known. `last`: what was known before a restart, else up. */
  readonly initial: 'up' | 'down' | 'last'
  /** Seconds for which a load or a capacity counts that a try has told. */
  readonly maxAge: number
  readonly trial: Trial
}

/** Checks that count together: a target is up while at least `need` of them say so. */
export type Checked = {
  readonly name: string
  /** 1 … as many as there are. */
  readonly need: number
  readonly of: readonly Check[]
}

/** Seconds for which a target stays up at least whose last try has passed, or push has said so. */
export function steadyFor({ every, fall, fastEvery }: Pick<Check, 'every' | 'fall' | 'fastEvery'>) {
  return every + (fall - 1) * fastEvery
}

/** Seconds until a check finds a target down that dies right after a try, or a push. */
export function downAfter(check: Pick<Check, 'every' | 'fall' | 'fastEvery' | 'timeout'>): number {
  return steadyFor(check) + check.timeout
}

/** The check whose verdict makes a target down that fails all of them at once. */
export function decisive({ need, of }: Checked): Check {
  const sorted = of.toSorted((a, b) => downAfter(a) - downAfter(b))
  const last = sorted[of.length - need]
  if (last === undefined) throw new RangeError('checks of which more are needed than there are')
  return last
}

/** What is tried at the address of a target, if anything. */
export type Trial =
  | HttpTrial
  /** Passes where a connection is made. */
  | { readonly kind: 'tcp'; readonly port: number }
  /** Passes where a handshake ends well. */
  | { readonly kind: 'tls'; readonly port: number; readonly tls: TlsTerms }
  | DnsTrial
  | ExecTrial
  /** Reads a file: `UP`, `DOWN`, or a number, which is its load and means that it is up. */
  | { readonly kind: 'file'; readonly path: string }
  | GrpcTrial
  /** Nothing: something pushes that it is up. */
  | { readonly kind: 'push' }

/** A request over HTTP/1.1. Redirects are answers like any other: they are not followed. */
export type HttpTrial = {
  readonly kind: 'http'
  readonly port: number
  readonly method: 'GET' | 'HEAD' | 'POST' | 'OPTIONS'
  /** As on the request line: path and query. */
  readonly path: string
  /** Of the Host header; absent: the address that is checked. */
  readonly host: string | undefined
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** Status codes that pass: ranges, both ends in them. */
  readonly status: readonly (readonly [from: number, to: number])[]
  /** What the first 64 KiB of the body must hold. */
  readonly body: Pattern | undefined
  /** What header fields of the response must hold. */
  readonly fields: readonly (readonly [name: string, pattern: Pattern])[]
  /** Absent: without TLS. */
  readonly tls: TlsTerms | undefined
  /** Where the response tells of its load, and of its capacity. */
  readonly load: Telling | undefined
  readonly capacity: Telling | undefined
}

export type TlsTerms = {
  /** The name that is asked for and that the certificate must be of: no address. Absent: neither. */
  readonly name: string | undefined
  /** `off`: any certificate will do. */
  readonly verify: 'on' | 'off'
  /** Who must have signed it; absent: whom this machine trusts. */
  readonly ca: Authority | undefined
  /** Days for which the certificate must still be good. */
  readonly days: number
}

/** Certificates of those who sign others: the file, and what was in it. */
export type Authority = { readonly path: string; readonly pem: string }

/** A query of our own codec. */
export type DnsTrial = {
  readonly kind: 'dns'
  readonly port: number
  readonly transport: 'udp' | 'tcp'
  /** Wire octets. */
  readonly name: Uint8Array
  readonly type: number
  /** RCODEs that pass. */
  readonly rcodes: readonly number[]
}

/** A program. `{address}` in an argument stands for what is checked. */
export type ExecTrial = {
  readonly kind: 'exec'
  /** The path of the program, and its arguments. */
  readonly command: readonly string[]
  /** Added to an environment that has but PATH. */
  readonly env: readonly (readonly [name: string, value: string])[]
}

/** `grpc.health.v1.Health/Check`: passes where it says SERVING. */
export type GrpcTrial = {
  readonly kind: 'grpc'
  readonly port: number
  /** Empty: the server as a whole. */
  readonly service: string
  readonly tls: TlsTerms | undefined
}

export type Pattern =
  | { readonly kind: 'holds'; readonly text: string }
  /** A regular expression, without flags. */
  | { readonly kind: 'matches'; readonly source: string }

/** Where a number stands in a response: in a header field, or in a JSON body. */
export type Telling =
  | { readonly kind: 'field'; readonly name: string }
  /** Keys and indices from the outermost value on. */
  | { readonly kind: 'json'; readonly path: readonly string[] }
