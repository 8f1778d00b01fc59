/** Where `watch` is shown: drawn on a terminal, or a line for each change. */

import type { Live, Terminal } from './live.ts'
import { printable } from './tell/number.ts'
import { changeJson } from './tell/watch-json.ts'
import { type Logged, screenLines } from './tell/watch-screen.ts'
import type { WatchStyle } from './tell/watch-style.ts'
import { changeText, momentText } from './tell/watch-words.ts'
import { type Board, press, viewOf } from './watch-board.ts'
import type { World } from './world.ts'

export type Viewer = {
  /** Shows what stands on the board now. */
  readonly refresh: () => void
  readonly tell: (news: readonly Logged[]) => void
  readonly ring: () => void
  /** Of how it is asked; said where it is not drawn over. */
  readonly warn: (warning: string) => void
  readonly close: () => void
}

/** @param ended called as soon as a key ends it */
export function onTerminal(
  world: World,
  on: Board,
  terminal: Terminal,
  live: Live,
  style: WatchStyle,
  ended: () => void,
): Viewer {
  const refresh = (): void => {
    terminal.draw(screenLines(viewOf(on, live.now()), terminal.size(), style))
  }
  const key = (typed: string): void => {
    for (const one of typed) {
      if (one === '\x1a') terminal.suspend()
      else press(on, one, live.now())
    }
    if (on.ending !== 'none') ended()
    refresh()
  }
  terminal.open(key, refresh)
  const close = (): void => {
    terminal.close()
    for (const warning of on.warnings) world.err.write(`lbprobe: warning: ${warning}\n`)
  }
  return { refresh, tell: refresh, ring: terminal.bell, warn: refresh, close }
}

export function inLines(world: World, format: 'person' | 'json'): Viewer {
  const tell = (news: readonly Logged[]): void => {
    for (const { name, type, change } of news) {
      const line = `${momentText(change.at)} ${printable(name)} ${type}: ${changeText(change)}\n`
      world.out.write(format === 'json' ? changeJson({ name, type }, change) : line)
    }
  }
  const ring = (): void => {
    if (world.out.isTerminal) world.out.write('\x07')
  }
  const warn = (warning: string): void => world.err.write(`lbprobe: warning: ${warning}\n`)
  return { refresh: () => undefined, tell, ring, warn, close: () => undefined }
}
