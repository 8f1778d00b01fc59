/**
 * One query as the command line of `dig` that sends the same octets, but for ID and case; of `curl`
 * for a service that answers in JSON. RFC 1035 §4.1, dig(1) of BIND 9.18.
 */

export type DigQuery = {
  readonly name: string
  readonly type: string
  readonly recursion: 'desired' | 'not-desired'
  /** UDP payload size; absent: no EDNS. */
  readonly size: number | undefined
  /** `198.51.100.0/24` */
  readonly subnet: string | undefined
  readonly nsid: 'asked' | 'unasked'
  readonly padding: 'blocks' | 'none'
  /** Options without a word of dig's. */
  readonly others: readonly { readonly code: number; readonly hex: string }[]
  readonly to: DigServer
}

export type DigServer = {
  readonly address: string
  readonly port: number
  /** Where it is asked from: `address` or `address#port`. */
  readonly from?: string
  readonly transport: 'udp' | 'tcp' | 'tls' | 'https' | 'json'
  /** Name its certificate must be for. */
  readonly name?: string | undefined
  /** File of trusted certificates. */
  readonly ca?: string | undefined
  readonly path?: string
  readonly method?: 'post' | 'get'
  readonly pins?: number
  /** The URL asked, for `json`. */
  readonly url?: string
}

/** Without a line end. */
export function digLine(query: DigQuery): string {
  const { to, name, type } = query
  if (to.transport === 'json') return curlLine(to)
  const words = [
    ...['dig', `@${to.address}`],
    ...(to.from === undefined ? [] : ['-b', to.from]),
    ...(to.port === PORT[to.transport] ? [] : ['-p', `${to.port}`]),
    // a name that dig would take for something else
    ...(/^[-+@]|^[^.]*$/.test(name) ? ['-q', name] : [name]),
    type,
    ...(query.subnet === undefined ? [] : [`+subnet=${query.subnet}`]),
    query.recursion === 'desired' ? '+recurse' : '+norecurse',
    ...['+noadflag', '+nocookie'],
    ...ednsWords(query),
    ...carrierWords(to, type),
  ]
  return words.map(quoted).join(' ') + pinned(to)
}

const PORT = { udp: 53, tcp: 53, tls: 853, https: 443 } as const

function ednsWords({ size, nsid, others, padding }: DigQuery): readonly string[] {
  if (size === undefined) return ['+noedns']
  return [
    ...(nsid === 'asked' ? ['+nsid'] : []),
    ...others.map(({ code, hex }) => `+ednsopt=${code}:${hex}`),
    `+bufsize=${size}`,
    ...(padding === 'blocks' ? ['+padding=128'] : []),
  ]
}

function carrierWords({ transport, path, method, name, ca }: DigServer, type: string): string[] {
  // dig asks for ANY over TCP unless told
  if (transport === 'udp') return type === 'ANY' ? ['+notcp'] : []
  if (transport === 'tcp') return ['+tcp']
  const word = method === 'get' ? '+https-get' : '+https'
  // without +tls-ca dig looks at no certificate
  const checked = name !== undefined || ca !== undefined
  return [
    transport === 'tls' ? '+tls' : `${word}=${path}`,
    ...(checked ? [ca === undefined ? '+tls-ca' : `+tls-ca=${ca}`] : []),
    ...(name === undefined ? [] : [`+tls-hostname=${name}`]),
  ]
}

/** Said as a comment of the shell. */
function pinned({ pins = 0 }: DigServer): string {
  return pins === 0 ? '' : ' # dig checks no pinned key'
}

/** No dig speaks JSON. */
function curlLine({ url = '', name, port, address, ca, from }: DigServer): string {
  const host = address.includes(':') ? `[${address}]` : address
  const words = [
    ...['curl', '-s', '-H', 'accept: application/dns-json'],
    ...(from === undefined ? [] : ['--interface', from]),
    ...(name === undefined ? [] : ['--resolve', `${name}:${port}:${host}`]),
    ...(ca === undefined ? [] : ['--cacert', ca]),
    url,
  ]
  return words.map(quoted).join(' ')
}

/** For a POSIX shell. */
function quoted(word: string): string {
  if (/^[A-Za-z0-9@%+=:,./_-]+$/.test(word)) return word
  return `'${word.replaceAll("'", "'\\''")}'`
}
