/**
 * What `dig` and `kdig` print, read back into one shape, so that a test row means the same for both.
 * Knows only their output.
 */
import type { Ran } from '../kit/process.ts'

export type Shown = {
  readonly opcode: string
  readonly status: string
  readonly id: number
  /** The header's flags in the order they are printed, such as `qr aa`. */
  readonly flags: string
  /** The OPT record: version, flags, size. `none` without one. */
  readonly edns: string
  /** The client subnet option, `address/source/scope`. */
  readonly ecs: string | undefined
  readonly question: string | undefined
  /** Records, one a line, fields one blank apart. */
  readonly answer: readonly string[]
  readonly authority: readonly string[]
  readonly additional: readonly string[]
}

/** What these tools say where a reply is not as it should be. */
export const COMPLAINT =
  /\b(warning|error)\b|mismatch|malformed|extra (bytes|data)|garbage|unexpected|unknown|not match/i

export function shown({ stdout }: Ran): Shown {
  const lines = stdout.split('\n').map(line => line.replace(/\s+/g, ' ').trim())
  const text = lines.join('\n')
  const first = (pattern: RegExp) => pattern.exec(text)?.slice(1).filter(Boolean)[0]
  return {
    opcode: first(/opcode: (\w+)/) ?? 'none',
    status: first(/status: (\w+)/) ?? 'none',
    id: Number(first(/ id: (\d+)/)),
    flags: first(/^;; flags: ([a-z ]+);/im) ?? 'none',
    edns: ednsIn(text),
    ecs: first(/CLIENT-SUBNET: (\S+)/),
    question: sectionIn(lines, 'QUESTION')[0]?.replace(/^;+ ?/, ''),
    answer: sectionIn(lines, 'ANSWER'),
    authority: sectionIn(lines, 'AUTHORITY'),
    additional: sectionIn(lines, 'ADDITIONAL'),
  }
}

/** `; EDNS: version: 0, flags: do; udp: 1232` of dig, `;; Version: 0; flags: do; UDP size: 1232 B …` of kdig. */
function ednsIn(text: string): string {
  const found = /version: (\d+)[,;] flags: ?(\w*) ?; udp(?: size)?: (\d+)/i.exec(text)
  return found === null ? 'none' : found.slice(1).filter(Boolean).join(' ')
}

/** The lines after a section's title, up to an empty one. */
function sectionIn(lines: readonly string[], title: string): readonly string[] {
  const start = lines.indexOf(`;; ${title} SECTION:`)
  if (start === -1) return []
  const after = lines.slice(start + 1)
  const end = after.indexOf('')
  return after.slice(0, end === -1 ? undefined : end)
}
