/**
 * One try of a health check against one address: begins it, measures it, and makes an outcome of
 * whatever happens. Knows nothing of what came before, and not when to try again.
 */
import type { Trial } from '../steer/trial.ts'
import { tryDns } from './try-dns.ts'
import { tryExec } from './try-exec.ts'
import { tryFile } from './try-file.ts'
import { tryGrpc } from './try-grpc.ts'
import type { Limit } from './try-limit.ts'
import { tryTcp } from './try-tcp.ts'
import { tryTls } from './try-tls.ts'
import { failed, type Told } from './try-told.ts'
import { whyOf } from './try-why.ts'

/** What came of one try, and the milliseconds it took. */
export type Outcome = Told & { readonly ms: number }

/**
 * Tries once. Never rejects, never throws: whatever happens is an outcome. Ends within the time it
 * has, and leaves nothing open.
 *
 * @param place an IP address, or a host name that the system resolves
 */
export async function tryOnce(trial: Trial, place: string, timeoutMs: number): Promise<Outcome> {
  let since = performance.now()
  const end = new AbortController()
  let timer: NodeJS.Timeout | undefined
  try {
    const attempt = await attemptOf(trial)
    since = performance.now()
    // A process that stood still first hears what has come meanwhile, and only then gives up.
    timer = setTimeout(() => setImmediate(() => end.abort()), timeoutMs)
    const told = await attempt(place, { signal: end.signal, ms: timeoutMs })
    return { ...told, ms: performance.now() - since }
  } catch (error) {
    return { ...failed(whyOf(error)), ms: performance.now() - since }
  } finally {
    clearTimeout(timer)
  }
}

type Attempt = (place: string, limit: Limit) => Promise<Told>

/** How a kind is tried. The library of HTTP is opened by the first who needs it, and not on its time. */
async function attemptOf(trial: Trial): Promise<Attempt> {
  switch (trial.kind) {
    case 'http': {
      const { tryHttp } = await import('./try-http.ts')
      return (place, limit) => tryHttp(trial, place, limit)
    }
    case 'tcp':
      return (place, limit) => tryTcp(trial.port, place, limit)
    case 'tls':
      return (place, limit) => tryTls(trial, place, limit)
    case 'dns':
      return (place, limit) => tryDns(trial, place, limit)
    case 'exec':
      return (place, limit) => tryExec(trial, place, limit)
    case 'file':
      return (place, limit) => tryFile(trial.path, place, limit)
    case 'grpc':
      return (place, limit) => tryGrpc(trial, place, limit)
    case 'push':
      return async () => failed('nothing is tried: something pushes')
  }
}
