/**
 * gdnsd's options (gdnsd.config(5), "OPTIONS HASH"): where to listen, what TTLs may be, and what
 * has no counterpart here.
 */
import type { Gdnsd } from './gdnsd-house.ts'
import { itemsOf, textOf, truthOf, type Vscf, type VscfHash, valueAt } from './gdnsd-syntax.ts'
import { changed, exact, type Spot, unsupported } from './ledger.ts'

const DNS_PORT = 53

/** What an option that has no counterpart comes to. */
const SAID: Readonly<Record<string, string>> = {
  udp_threads: 'workers: one thread a core by default',
  tcp_threads: 'TCP is served by one thread',
  tcp_timeout: 'left out: connections have limits of their own',
  tcp_clients_per_thread: 'left out: connections have limits of their own',
  max_edns_response: 'left out: UDP replies have at most 1232 octets',
  max_edns_response_v6: 'left out: UDP replies have at most 1232 octets',
  chaos_response: 'left out: identity: sets what id.server answers',
  zones_strict_data: 'every mistake in a zone refuses the load',
  disable_text_autosplit: 'long texts were split by the import',
  tcp_control: 'left out: control: is a Unix socket',
  tcp_proxy: 'left out: no PROXY protocol here',
  run_dir: 'control: names the socket',
  state_dir: 'nothing is kept there',
}

const CLAMPED = 'applied to steered names; other records keep their TTL'

export function readOptions(gdnsd: Gdnsd, options: VscfHash): void {
  for (const { key, at, value } of options.entries) readOption(gdnsd, options, key, at, value)
  if (gdnsd.draft.listen.length > 0) return
  gdnsd.draft.listen.push(...anyAddress(portOf(options)))
  exact(gdnsd.ledger, options.at, 'no listen', 'listen on every address')
}

function readOption(gdnsd: Gdnsd, options: VscfHash, key: string, at: Spot, value: Vscf): void {
  const { ledger, ttl } = gdnsd
  const text = textOf(value) ?? ''
  const what = `option ${key} ${text}`.trim()
  switch (key) {
    case 'listen':
      return void readListen(gdnsd, options, at, value)
    case 'dns_port':
      return void exact(ledger, at, what)
    case 'edns_client_subnet':
      if (!truthOf(value)) gdnsd.draft.ecs = false
      return void exact(ledger, at, what, gdnsd.draft.ecs ? '' : 'ecs: enabled: off')
    case 'zones_default_ttl':
      ttl.usual = secondsIn(text, ttl.usual)
      return void exact(ledger, at, what, '$TTL at the head of each zone')
    case 'min_ttl':
      ttl.least = secondsIn(text, ttl.least)
      return void changed(ledger, at, what, CLAMPED)
    case 'max_ttl':
      ttl.most = secondsIn(text, ttl.most)
      return void changed(ledger, at, what, CLAMPED)
    default:
      return void unsupported(ledger, at, what, SAID[key] ?? 'left out: no counterpart')
  }
}

function secondsIn(text: string, usual: number): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : usual
}

function readListen(gdnsd: Gdnsd, options: VscfHash, at: Spot, value: Vscf): void {
  const port = portOf(options)
  const { draft, ledger } = gdnsd
  if (textOf(value) === 'any') {
    draft.listen.push(...anyAddress(port))
    return void exact(ledger, at, 'option listen any')
  }
  if (value.kind === 'hash') {
    for (const entry of value.entries) listenWith(gdnsd, entry.key, entry.at, entry.value, port)
    return
  }
  for (const item of itemsOf(value)) {
    if (item.kind !== 'text') continue
    draft.listen.push(withPort(item.text, port))
    exact(ledger, item.at, `option listen ${item.text}`)
  }
}

/** An address with options of its own. */
function listenWith(gdnsd: Gdnsd, address: string, at: Spot, value: Vscf, port: number): void {
  const options = value.kind === 'hash' ? value.entries : []
  const what = `option listen ${address}`
  const proxy = options.find(({ key }) => key === 'tcp_proxy')
  if (proxy !== undefined && truthOf(proxy.value)) {
    return void unsupported(gdnsd.ledger, at, what, SAID.tcp_proxy ?? '')
  }
  gdnsd.draft.listen.push(withPort(address, port))
  exact(gdnsd.ledger, at, what)
  for (const option of options) {
    const here = SAID[option.key] ?? 'left out: no counterpart'
    unsupported(gdnsd.ledger, option.at, `${option.key} of ${what}`, here)
  }
}

function portOf(options: VscfHash): number {
  return Number(textOf(valueAt(options, 'dns_port'))) || DNS_PORT
}

function anyAddress(port: number): string[] {
  return [`0.0.0.0:${port}`, `[::]:${port}`]
}

function withPort(text: string, port: number): string {
  if (/^\[.*\]:\d+$/.test(text) || /^[\d.]+:\d+$/.test(text)) return text
  const bare = text.replace(/^\[(.*)\]$/, '$1')
  return bare.includes(':') ? `[${bare}]:${port}` : `${bare}:${port}`
}
