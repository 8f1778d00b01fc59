/** The schema of what the process is: the user and the group that it becomes. */
import * as z from 'zod'
import { wrong } from '../fault.ts'
import { reading, refuse } from './brick.ts'

/** The system keeps the largest number for "none". */
const LARGEST = 0xffff_fffe

export function processOptions() {
  return {
    user: account()
      .optional()
      .describe('Who serves, by name or number, once all sockets are open. Default: who started.'),
    group: account()
      .optional()
      .describe('Its group, by name or number. Default: the one the system has for the user.'),
  }
}

/** A check that a group has its user. */
export function groupHasUser(
  { user, group }: Readonly<Record<string, unknown>>,
  context: z.core.$RefinementCtx,
): void {
  if (group === undefined || user !== undefined) return
  const reason = wrong('group stands without user', 'add user: …, or take group out')
  refuse(context, ['group'], { reason, spot: 'key', needs: ['user'] })
}

/** What is all digits is a number: no name is. */
function account() {
  const form = z
    .union([z.int().min(0).max(LARGEST), z.string()], { error: 'a name or a number' })
    .meta({ examples: ['lbdns', 65534] })
  return reading(form, written => {
    if (typeof written === 'number') return written
    if (/^\d+$/.test(written)) return Number(written) <= LARGEST ? Number(written) : NO_NAME
    return written === '' || /[\s:/\0]/.test(written) ? NO_NAME : written
  })
}

const NO_NAME = wrong('neither a name nor a number of this system', 'write it like lbdns or 65534')
