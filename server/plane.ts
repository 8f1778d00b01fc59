/**
 * The control plane of a running server: how operators ask it things, and who is told of what happens.
 * All of it may hang or fail, and answers go on: nothing here is waited for by what serves.
 */

import { MACHINE } from './health/clock.ts'
import { warn } from './log.ts'
import { Admin } from './ops/admin.ts'
import type { Obey } from './ops/control.ts'
import type { Events } from './ops/events.ts'
import { ControlSocket } from './ops/socket.ts'
import type { ToldFigures } from './ops/source.ts'
import { Webhooks } from './ops/webhooks.ts'
import type { Footing } from './served.ts'

export class Plane {
  readonly #events: Events
  readonly control: ControlSocket
  readonly admin: Admin
  readonly webhooks: Webhooks

  constructor(obey: Obey, events: Events) {
    this.#events = events
    this.control = new ControlSocket(obey, listener => events.subscribe(listener), warn)
    this.admin = new Admin({ obey, events, clock: MACHINE, warn })
    this.webhooks = new Webhooks({ events, clock: MACHINE, chance: Math.random, warn })
  }

  /** Is there as the configuration has it from now on. Never rejects. */
  async follow({ admin, control, webhooks }: Footing): Promise<void> {
    this.webhooks.follow(webhooks)
    await Promise.all([this.control.follow(control), this.admin.follow(admin)])
  }

  /** What was told, and who asked. */
  told(): Omit<ToldFigures, 'queryLog'> {
    const { counts: admin } = this.admin
    return { events: this.#events.counts.told, webhooks: this.webhooks.counts, admin }
  }

  /** Says goodbye, for a second at most. */
  async close(): Promise<void> {
    await Promise.all([this.control.close(), this.admin.close(), this.webhooks.close()])
  }
}
