/**
 * A listen address as text: `127.0.0.1`, `127.0.0.1:5353`, `::1`, `[::1]:5353`.
 */
import { isWrong, type Wrong, wrong } from '../fault.ts'
import { addressFrom } from './prefix.ts'

const DNS_PORT = 53

export type ListenAddress = { readonly host: string; readonly port: number }

/**
 * Reads a listen address.
 *
 * @param usual the port where none is written
 */
export function listenFrom(text: string, usual = DNS_PORT): ListenAddress | Wrong {
  const bracketed = /^\[([^\]]*)\](?::(.*))?$/.exec(text)
  if (bracketed !== null) return joined(text, bracketed[1] ?? '', bracketed[2], usual)
  const colon = text.indexOf(':')
  const isBare = colon < 0 || colon !== text.lastIndexOf(':')
  if (isBare) return joined(text, text, undefined, usual)
  return joined(text, text.slice(0, colon), text.slice(colon + 1), usual)
}

/** Two listen addresses are the same socket where this text is the same. */
export function listenKey({ host, port }: ListenAddress): string {
  const [bare = '', zone = ''] = host.split('%')
  const address = addressFrom(bare)
  return `${isWrong(address) ? host : address.octets.join('.')}%${zone} ${port}`
}

function joined(
  text: string,
  host: string,
  portText: string | undefined,
  usual: number,
): ListenAddress | Wrong {
  const [bare = ''] = /^[^.]*:.*%[\w.-]+$/.test(host) ? host.split('%') : [host]
  const address = addressFrom(bare)
  if (isWrong(address)) {
    const like = usual === 0 ? DNS_PORT : usual
    const fix = `write an address of this machine, like 127.0.0.1:${like} or "[::1]:${like}"`
    return wrong(`cannot listen on ${text}: ${address.wrong}`, fix)
  }
  if (portText === undefined) return { host, port: usual }
  const port = /^[1-9]\d{0,4}$/.test(portText) ? Number(portText) : 0
  if (port < 1 || port > 65_535) {
    return wrong(
      `cannot listen on ${text}: "${portText}" is not a port`,
      'write a port, 1 to 65535',
    )
  }
  return { host, port }
}
