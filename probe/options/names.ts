/** Names out of files: the flag of every command that measures several names. */

import { collected, type FlagRow } from './read.ts'

export type NameFlags = { readonly list?: readonly string[] }

// biome-ignore format: table
export const NAME_FLAGS: readonly FlagRow[] = [
  ['-l, --list <file>', 'names, one a line, # for comments; - is stdin; may repeat', collected],
]
