/**
 * The control plane of a running server: how operators ask it things, and who is told of what happens.
 * All of it may hang or fail, and answers go on: nothing here is waited for by what serves.
 */

import { type Problem, problemText } from './fault.ts'
import { MACHINE } from './health/clock.ts'
import { log } from './log.ts'
import { Admin } from './ops/admin.ts'
import type { Obey } from './ops/control.ts'
import type { Events } from './ops/events.ts'
import { ControlSocket } from './ops/socket.ts'
import { Webhooks } from './ops/webhooks.ts'
import type { Footing } from './served.ts'

export class Plane {
  readonly control: ControlSocket
  readonly admin: Admin
  readonly webhooks: Webhooks

  constructor(obey: Obey, events: Events) {
    const warn = (problem: Problem) => log.warn(problemText(problem))
    this.control = new ControlSocket(obey, listener => events.subscribe(listener), warn)
    this.admin = new Admin({ obey, events, clock: MACHINE, warn })
    this.webhooks = new Webhooks({ events, clock: MACHINE, chance: Math.random, warn })
  }

  /** Is there as the configuration has it from now on. Never rejects. */
  async follow({ admin, control, webhooks }: Footing): Promise<void> {
    this.webhooks.follow(webhooks)
    await Promise.all([this.control.follow(control), this.admin.follow(admin)])
  }

  /** Says goodbye, for a second at most. */
  async close(): Promise<void> {
    await Promise.all([this.control.close(), this.admin.close(), this.webhooks.close()])
  }
}
