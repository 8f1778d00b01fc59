/** The flags of `diff`, and what its help says of them. */

import { SERVER_FORMATS } from './formats.ts'
import { LIMIT_FLAGS } from './limits.ts'
import { outputFlags } from './output.ts'
import { PANEL_FLAGS } from './panel.ts'
import type { FlagRow } from './read.ts'
import { SERVER_FLAGS } from './servers.ts'

// biome-ignore format: table
export const DIFF_FLAGS: readonly FlagRow[] = [
  ['--all-ns', 'every address of every name server of the zone (what happens without @server)'],
  ...SERVER_FLAGS,
  ['-n, --count <number>', 'most rounds (default: 3, or 8 where answers rotate)'],
  ['--alpha <number>', 'chance taken to call equal servers different (default: 0.001)'],
  ...PANEL_FLAGS,
  ...LIMIT_FLAGS,
  ...outputFlags(SERVER_FORMATS),
  ['--exit-zero', 'exit 0 where servers differ'],
]

export const DIFF_MORE = `
Every client is asked for at every server before the next one is, so that a change over time meets
all alike. Servers that rotate one pool, each in its own time, are the same.

Exit: 0 the same · 1 different · 2 wrong usage · 3 fewer than two servers answer · 9 no reply ·
10 our fault · 130 interrupted`
