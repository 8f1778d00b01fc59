/**
 * What goes on while a command runs for long: the time of day, and a terminal that is drawn on and
 * listened to. The terminal is left as it was found, whatever ends the process.
 */

export type Live = {
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** The terminal behind stdout, or `undefined` where there is none that can be drawn on. */
  readonly terminal: () => Terminal | undefined
  /** Calls back on each SIGHUP, from now on. */
  readonly onHangup: (again: () => void) => void
}

export type Terminal = {
  /** Takes the screen over. `key` gets what is typed, `changed` is called when all must be redrawn. */
  readonly open: (key: (typed: string) => void, changed: () => void) => void
  readonly size: () => { readonly columns: number; readonly rows: number }
  readonly draw: (lines: readonly string[]) => void
  readonly bell: () => void
  /** Stops the process as Ctrl-Z does, until it is brought back. */
  readonly suspend: () => void
  readonly close: () => void
}

// DEC private modes: 1049 the other screen, 25 the cursor, 7 wrapping at the right margin
const TAKE = '\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[2J'
const GIVE_BACK = '\x1b[?7h\x1b[?25h\x1b[?1049l'

export function live(): Live {
  return {
    now: () => Date.now(),
    terminal: () => (canDraw() ? terminal() : undefined),
    onHangup: again => void process.on('SIGHUP', again),
  }
}

function canDraw(): boolean {
  const { TERM } = process.env
  return process.stdout.isTTY === true && TERM !== 'dumb' && TERM !== ''
}

function terminal(): Terminal {
  const { stdin, stdout } = process
  let taken = false
  const take = (): void => {
    if (taken) return
    taken = true
    if (stdin.isTTY) stdin.setRawMode(true)
    stdout.write(TAKE)
  }
  const close = (): void => {
    if (!taken) return
    taken = false
    stdout.write(GIVE_BACK)
    if (stdin.isTTY) stdin.setRawMode(false)
  }
  const suspend = (): void => {
    close()
    // the group, as the terminal does: whoever started this through npx waits in it too
    process.kill(0, 'SIGSTOP')
  }
  return {
    open: (key, changed) => {
      take()
      process.on('exit', close)
      process.on('SIGTSTP', suspend)
      process.on('SIGCONT', () => {
        take()
        changed()
      })
      stdout.on('resize', changed)
      if (!stdin.isTTY) return
      stdin.setEncoding('utf8').on('data', typed => key(String(typed)))
      stdin.unref()
    },
    size: () => ({ columns: stdout.columns || 80, rows: stdout.rows || 24 }),
    draw: lines => {
      if (!taken) return
      stdout.write(`\x1b[H${lines.map(line => `${line}\x1b[K`).join('\r\n')}\x1b[J`)
    },
    bell: () => void stdout.write('\x07'),
    suspend,
    close: () => {
      close()
      if (stdin.isTTY) stdin.pause()
    },
  }
}
