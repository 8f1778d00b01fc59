/**
 * Web servers on addresses of loopback, all at one port: tests kill and revive them, and look at what
 * was asked of them.
 */
import { createServer, type RequestListener, type Server } from 'node:http'
import { freePort } from './process.ts'

export type WebRequest = { readonly path: string; readonly host: string | undefined }

export class Webs {
  readonly port: number
  readonly #servers = new Map<string, Server>()
  readonly #answers = new Map<string, RequestListener>()
  readonly #asked = new Map<string, WebRequest[]>()
  readonly #connections = new Map<string, number>()

  private constructor(port: number) {
    this.port = port
  }

  static async at(hosts: readonly string[]): Promise<Webs> {
    const webs = new Webs(await freePort())
    await webs.revive(...hosts)
    return webs
  }

  /** Lets a host answer like that, from now on. */
  answer(host: string, answer: RequestListener): void {
    this.#answers.set(host, answer)
  }

  /** What was asked of a host so far. */
  asked(host: string): readonly WebRequest[] {
    return this.#asked.get(host) ?? []
  }

  /** How many connections a host has had. */
  connections(host: string): number {
    return this.#connections.get(host) ?? 0
  }

  async revive(...hosts: readonly string[]): Promise<void> {
    for (const host of hosts) {
      const server = createServer((request, response) => {
        const asked = { path: request.url ?? '', host: request.headers.host }
        this.#asked.set(host, [...this.asked(host), asked])
        const answer = this.#answers.get(host) ?? ((_, to) => to.end('fine'))
        answer(request, response)
      })
      server.on('connection', () => this.#connections.set(host, this.connections(host) + 1))
      await new Promise<void>(resolve => server.listen(this.port, host, resolve))
      this.#servers.set(host, server)
    }
  }

  async kill(...hosts: readonly string[]): Promise<void> {
    for (const host of hosts) {
      const server = this.#servers.get(host)
      this.#servers.delete(host)
      server?.closeAllConnections()
      await new Promise<void>(resolve =>
        server === undefined ? resolve() : server.close(() => resolve()),
      )
    }
  }

  killAll(): Promise<void> {
    return this.kill(...this.#servers.keys())
  }
}

const all: Webs[] = []

/** Web servers at these hosts, that `killWebs` kills. */
export async function websAt(...hosts: readonly string[]): Promise<Webs> {
  const made = await Webs.at(hosts)
  all.push(made)
  return made
}

/** Kills all there are. For `afterAll`. */
export async function killWebs(): Promise<void> {
  for (const one of all.splice(0)) await one.killAll()
}
