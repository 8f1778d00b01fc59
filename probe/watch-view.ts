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
  readonly close: () => void
}

/** @param ended called as soon as a key ends it */
export function onTerminal(
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
  return { refresh, tell: refresh, ring: terminal.bell, close: terminal.close }
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
  return { refresh: () => undefined, tell, ring, close: () => undefined }
}
