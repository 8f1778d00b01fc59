/**
 * `ctl`: asks the server behind a control socket, and prints what it told. What is wrong with a
 * question ends the command as wrong usage does, whoever found it.
 */
import { answers, ask as askAt, login, replyIn } from './ctl-client.ts'
import { printable } from './fault.ts'
import type { Reply } from './ops/control.ts'
import type { Call, Ctl } from './options-ctl.ts'
import { good, Misused, print, Refused } from './output.ts'
import { eventText } from './tell/control/event-text.ts'
import { toldText } from './tell/control/text.ts'
import type { Event, Told } from './tell/control/told.ts'
import { counted } from './tell/figures.ts'

export const ask: Ctl['ask'] = async (request, call) => {
  const author = authorOf(call)
  const value = told(await askAt(await socketOf(call), { ...request, author }))
  await print([call.json ? `${json(value, 2)}\n` : shown(request.kind, value)])
}

export const events: Ctl['events'] = async call => {
  const path = await socketOf(call)
  const signal = interrupted()
  const request = { kind: 'events', author: authorOf(call) } as const
  let isFirst = true
  for await (const line of answers(path, request, { signal })) {
    if (isFirst) told(replyIn(line, path))
    else await print([call.json ? `${json(line)}\n` : eventLine(line)])
    isFirst = false
  }
  if (!signal.aborted) throw new Refused(`the server at ${path} left`)
}

/** Who names the socket needs no reader of configurations. */
export async function socketOf({ file, socket }: Call): Promise<string> {
  if (socket !== undefined) return socket
  const { controlPath } = await import('./ctl-path.ts')
  return good(controlPath(file))
}

export function authorOf({ author }: Call): string {
  return author ?? login()
}

/** What was asked for, or the end of the command. */
export function told(reply: Reply): unknown {
  if (reply.ok) return reply.value
  const problems = reply.problems.map(problem => printable(String(problem)))
  const [only = 'refused', ...more] = problems
  if (more.length > 0) process.stderr.write(problems.map(problem => `${problem}\n`).join(''))
  const message = more.length > 0 ? counted(problems.length, 'problem') : only
  throw reply.code === 'usage' ? new Misused(message) : new Refused(message)
}

/** Ends what goes on without end. */
export function interrupted(): AbortSignal {
  const control = new AbortController()
  process.once('SIGINT', () => control.abort())
  return control.signal
}

/** A server of another version may tell what is not known here. */
export function shown<Kind extends keyof Told>(kind: Kind, value: unknown): string {
  return orElse(() => toldText(kind, clean(value) as Told[Kind], Date.now()).join('\n'))
}

function eventLine(line: unknown): string {
  const lost = (line as { readonly lost?: number } | undefined)?.lost
  if (lost !== undefined)
    return `${counted(lost, 'event')} lost: they came faster than they were read\n`
  return orElse(() => eventText(clean(line) as Event))
}

export const OTHER_VERSION = 'the server is of another version than this lbdns · ask with --json'

function orElse(text: () => string): string {
  try {
    return `${text()}\n`
  } catch {
    throw new Refused(OTHER_VERSION)
  }
}

/** No control character that others wrote gets to a terminal. */
function clean(value: unknown): unknown {
  if (typeof value === 'string') return printable(value)
  if (Array.isArray(value)) return value.map(clean)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [printable(key), clean(inner)]),
  )
}

/** Past ASCII there are control characters too, which JSON leaves as they are. */
export function json(value: unknown, indent?: number): string {
  return JSON.stringify(value ?? {}, undefined, indent).replace(/[\x7f-\x9f]/g, character => {
    return `\\u00${character.charCodeAt(0).toString(16)}`
  })
}
