/**
 * Who serves: found before anything is open, and become when all sockets are, by all threads at once
 * (the C library sees to that). Only the system knows who there is, whatever it asks to find out, and
 * of its calls those are used that take a name.
 */
import { accessSync, constants } from 'node:fs'
import { userInfo } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Account, Config } from './config/config.ts'
import { Fault, type Problem, problemAt, problemText, type Wrong, wrong } from './fault.ts'

export type Asked = Pick<Config, 'user' | 'group'>

/** Another user than the present one, who may be become. */
export type Successor = {
  readonly asked: Account
  readonly uid: number
  readonly gid: number
  /** Without one, only `gid` is its group. */
  readonly name: string | undefined
}

/** Node knows it, and its types do not. */
const SYSTEM: NodeJS.Process & {
  readonly initgroups?: (user: string, group: number) => void
} = process

/** A part of this program that is read while serving: beside this file where it is built. */
const PART = fileURLToPath(new URL('worker.js', import.meta.url))

/** Finds who is asked for; `undefined` where nothing need be done for it. */
export function findSuccessor({ user, group }: Asked): Successor | Problem | undefined {
  if (user === undefined) return undefined
  const found = tried(user, 'user', () => lookUp(user))
  if ('what' in found) return found
  const { uid, name } = found
  const own = group === undefined ? found : tried(group, 'group', () => lookUpGroup(group))
  if ('what' in own) return own
  const { gid } = own
  if (gid === undefined) {
    return problemAt(user.at, wrong(`the system knows no group of ${user.named}`, 'add group: …'))
  }
  const isPresent = uid === process.getuid?.() && gid === process.getgid?.()
  return isPresent ? undefined : { asked: user, uid, gid, name }
}

/** Tells whether two configurations ask for the same. */
export function isSame(one: Asked, other: Asked): boolean {
  return one.user?.named === other.user?.named && one.group?.named === other.group?.named
}

/** Becomes it for good. Throws a `Fault` where it may not, or could not go on afterwards. */
export function become({ asked, gid, name, uid }: Successor): void {
  try {
    if (name === undefined) process.setgroups?.([gid])
    else SYSTEM.initgroups?.(name, gid)
    process.setgid?.(gid)
    process.setuid?.(uid)
  } catch (cause) {
    const what = `lbdns cannot become ${asked.named}: ${told(cause)}`
    throw faultAt(asked, wrong(what, 'give it CAP_SETUID and CAP_SETGID'), cause)
  }
  if (mayRead(PART)) return
  const what = `${asked.named} may not read ${PART}, and could not reload`
  throw faultAt(asked, wrong(what, 'install lbdns where all may read it'))
}

/** Tells whether the process, as it is now, may read a file. */
export function mayRead(file: string): boolean {
  try {
    accessSync(file, constants.R_OK)
    return true
  } catch {
    return false
  }
}

type Found = { readonly uid: number; readonly gid?: number; readonly name?: string }

/** Only of whom it is does a process hear its group and its name: so it is that user for a moment. */
function lookUp({ named }: Account): Found {
  const before = process.geteuid?.() ?? 0
  process.seteuid?.(named)
  try {
    const uid = process.geteuid?.() ?? before
    return { uid, ...known() }
  } finally {
    process.seteuid?.(before)
  }
}

/** Nothing of a number without an entry. */
function known(): { readonly gid: number; readonly name: string } | undefined {
  try {
    const { gid, username: name } = userInfo()
    return { gid, name }
  } catch {
    return undefined
  }
}

function lookUpGroup({ named }: Account): { readonly gid: number } {
  const before = process.getegid?.() ?? 0
  process.setegid?.(named)
  try {
    return { gid: process.getegid?.() ?? before }
  } finally {
    process.setegid?.(before)
  }
}

function tried<T extends object>(
  { at, named }: Account,
  kind: 'user' | 'group',
  find: () => T,
): T | Problem {
  if (process.seteuid === undefined) return problemAt(at, wrong(`${kind}: not on this system`))
  try {
    return find()
  } catch (cause) {
    const code = codeOf(cause)
    if (code === 'ERR_UNKNOWN_CREDENTIAL') {
      return problemAt(
        at,
        wrong(`there is no ${kind} ${named}`, `make it, or name another ${kind}`),
      )
    }
    const what = `lbdns may not become ${kind} ${named}`
    if (code !== 'EPERM') return problemAt(at, wrong(`${what}: ${told(cause)}`))
    return problemAt(at, wrong(what, `start it as root, or take ${kind} out`))
  }
}

function faultAt({ at }: Account, reason: Wrong, cause?: unknown): Fault {
  return new Fault('NOT_PERMITTED', problemText(problemAt(at, reason)), { cause })
}

function codeOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : ''
}

function told(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
