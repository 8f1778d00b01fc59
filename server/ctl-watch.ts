/**
 * `ctl health --watch`: asks each second until Ctrl-C. A terminal shows the table as it is now; without
 * one, each change is a line. A server that goes away is waited for.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { authorOf, interrupted, json, OTHER_VERSION, shown, socketOf, told } from './command-ctl.ts'
import { ask } from './ctl-client.ts'
import { printable } from './fault.ts'
import type { Call, Ctl } from './options-ctl.ts'
import { Misused, print, Refused } from './output.ts'
import { changed, changeLine, healthHead } from './tell/control/health-text.ts'
import { moment } from './tell/control/overrides.ts'
import { roomText, screenText } from './tell/control/screen.ts'
import type { Health } from './tell/control/told.ts'

const EVERY_MS = 1000

/** Where what is seen is shown. `gone` is told why nothing is. */
type View = {
  readonly show: (health: Health) => Promise<void>
  readonly gone: (why: string) => Promise<void>
}

export const watch: Ctl['watch'] = async call => {
  const path = await socketOf(call)
  const signal = interrupted()
  const view = process.stdout.isTTY && !call.json ? onScreen() : inLines(call)
  let hasSeen = false
  while (!signal.aborted) {
    const seen = await look(path, call, signal)
    if (signal.aborted) return
    if (seen instanceof Error && !hasSeen) throw seen // it never was there: a mistake of the caller's
    await (seen instanceof Error ? view.gone(seen.message) : view.show(seen))
    hasSeen = true
    await pause(EVERY_MS, undefined, { signal }).catch(() => {}) // Ctrl-C
  }
}

async function look(path: string, call: Call, signal: AbortSignal): Promise<Health | Error> {
  try {
    const value = told(await ask(path, { kind: 'health', author: authorOf(call) }, signal))
    return isHealth(value) ? value : new Refused(OTHER_VERSION)
  } catch (cause) {
    if (cause instanceof Refused || cause instanceof Misused) return cause
    throw cause
  }
}

function isHealth(value: unknown): value is Health {
  return typeof value === 'object' && value !== null && 'watches' in value
}

function inLines(call: Call): View {
  let before: Health | undefined
  let missed = ''
  return {
    async show(health) {
      if (missed !== '') process.stderr.write('lbdns: the server answers again\n')
      missed = ''
      const changes = changed(before, health)
      before = health
      await print(
        changes.map(watch => `${call.json ? json(watch) : printable(changeLine(watch))}\n`),
      )
    },
    async gone(why) {
      if (missed === '') process.stderr.write(`lbdns: ${why}: trying again\n`)
      missed = why
    },
  }
}

/** The size is asked for each time: it may have changed. */
function onScreen(): View {
  const { stdout } = process
  let lines: readonly string[] = []
  const draw = () => print([screenText(lines, stdout.columns || 80, stdout.rows || 24)])
  const put = (head: string, table: readonly string[]) => {
    lines = [head, '', ...table]
    return draw()
  }
  stdout.write(roomText(stdout.rows || 24))
  stdout.on('resize', () => void draw())
  let table: readonly string[] = []
  return {
    show(health) {
      table = shown('health', health).trimEnd().split('\n')
      return put(`${now()}  ${healthHead(health)}`, table)
    },
    gone: why => put(`${now()}  ${why}: trying again`, table),
  }
}

function now(): string {
  return moment(Date.now())
}
