/** What the transports carried, as metrics: datagrams, connections, and what went wrong with them. */
import { counter, type Family, gauge, type Sample, single } from './family.ts'
import type { Source, TcpFigure, UdpFigure } from './source.ts'

export const CARRIED: readonly Family[] = [
  udp('udp_received_total', 'Datagrams that came.', 'received'),
  udp('udp_sent_total', 'Datagrams that were sent.', 'answered'),
  udp('udp_silent_total', 'Datagrams that were read and not answered.', 'silent'),
  udp(
    'udp_drops_total',
    'Datagrams that were not read: from port 0, from ourselves, or while replies waited.',
    'dropped',
  ),
  udp(
    'udp_stale_total',
    'Datagrams that were not read, as they had waited longer than overload.max_age.',
    'stale',
  ),
  udp('udp_send_errors_total', 'Replies that the kernel would not send.', 'sendErrors'),
  udp('udp_receive_errors_total', 'Errors that the kernel told of sockets.', 'receiveErrors'),
  gauge('tcp_connections', 'TCP connections there are now.', source => single(source.tcp().open)),
  tcp('tcp_connections_accepted_total', 'TCP connections that were accepted.', 'accepted'),
  counter(
    'tcp_connections_cut_total',
    'TCP connections that were ended by us or by an error, by reason.',
    connectionsCut,
  ),
  tcp('tls_handshakes_total', 'Connections over which TLS was established.', 'handshakes'),
  tcp('tcp_received_total', 'Messages that came over TCP.', 'received'),
  tcp('tcp_sent_total', 'Messages that were sent over TCP.', 'answered'),
  tcp('tcp_silent_total', 'Messages that came over TCP and were not answered.', 'silent'),
  counter('panics_total', 'Faults of our own while a message was answered.', source =>
    single(source.udp().faults + source.tcp().faults),
  ),
  gauge('workers', 'Threads that serve UDP.', source => single(source.workers().count)),
  counter('worker_restarts_total', 'Threads that died and were replaced.', source =>
    single(source.workers().restarts),
  ),
]

function udp(name: string, help: string, figure: UdpFigure): Family {
  return counter(name, help, source => single(source.udp()[figure]))
}

function tcp(name: string, help: string, figure: TcpFigure): Family {
  return counter(name, help, source => single(source.tcp()[figure]))
}

function connectionsCut(source: Source): Sample[] {
  const { broken, displaced, errors, idle, unproxied: proxy, unsecured: tls } = source.tcp()
  return Object.entries({ broken, displaced, error: errors, idle, proxy, tls }).map(
    ([reason, value]) => ({
      labels: { reason },
      value,
    }),
  )
}
