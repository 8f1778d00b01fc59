/** Users: running the server as another one than root, and what a user may do on this machine. */
import { chmodSync, existsSync, readFileSync } from 'node:fs'
import type { TestContext } from 'vitest'
import { LBDNS, type Ran, run } from './process.ts'
import { type Files, lbdns, site } from './server.ts'

export const IS_ROOT = process.getuid?.() === 0

/** `nobody`, as every Linux has it. */
export const NOBODY = 65_534

/** Some containers let every user have every port. */
const FLOOR = '/proc/sys/net/ipv4/ip_unprivileged_port_start'
export const MAY_REFUSE = !existsSync(FLOOR) || readFileSync(FLOOR, 'latin1').trim() !== '0'

/** Runs one command as somebody who is not root; where nobody else can, the test is skipped. */
export async function asUser(context: TestContext, args: readonly string[]): Promise<Ran> {
  if (!IS_ROOT) return lbdns(...args)
  await needsReaders(context)
  return run('setpriv', [...asNobody(), ...args])
}

/** `setpriv` and what makes it run lbdns as nobody. */
export function asNobody(): string[] {
  const user = [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups']
  return [...user, process.execPath, LBDNS]
}

/** Skips a test where no other user than root can read the program. */
export async function needsReaders(context: TestContext): Promise<void> {
  const able = await run('setpriv', [...asNobody(), '--version']).catch(() => undefined)
  context.skip(able?.code !== 0, 'root may do all, and no other user can run this')
}

/** A folder with files that every user may read, and change. */
export function openSite(files: Files): string {
  const folder = site(files)
  chmodSync(folder, 0o777)
  return folder
}
