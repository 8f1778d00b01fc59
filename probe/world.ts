/**
 * Everything outside that a command touches, as one argument: streams, files, clock, chance, sockets,
 * the system's resolver, the interrupt. Tests bring their own.
 */

import { randomInt } from 'node:crypto'
import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { text } from 'node:stream/consumers'
import type { System } from './ask/nameservers.ts'
import { sockets } from './ask/sockets.ts'
import { systemResolver } from './ask/system.ts'
import type { Wire } from './ask/wire.ts'
import type { Live } from './live.ts'
import { openRegions, type RegionOf } from './region.ts'
import { versionOf } from './version.ts'

export type Stream = {
  readonly write: (text: string) => void
  readonly isTerminal: boolean
  /** Width of the terminal, where it is one. */
  readonly columns: number | undefined
}

export type World = {
  readonly out: Stream
  readonly err: Stream
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly wire: Wire
  readonly system: System
  /** Servers to ask where a line names none, as words without `@`; absent: the command knows. */
  readonly usual?: readonly string[]
  /** Questions under way at once. */
  readonly width: number
  readonly seed: () => number
  /** The table of `data/subnets`. */
  readonly table: () => Promise<string>
  /** Countries by a database in MaxMind's format; by the installed one where none is named. */
  readonly regions: (file?: string) => Promise<RegionOf>
  /** A file, or stdin for `-`. */
  readonly readText: (path: string) => Promise<string>
  readonly writeText: (path: string, text: string) => Promise<void>
  readonly appendText: (path: string, text: string) => Promise<void>
  /** What the calendar says, for what is written down. */
  readonly today: () => Date
  readonly interrupt: AbortSignal
  readonly version: string
  /** For commands that go on for long; absent where none is used. */
  readonly live?: () => Promise<Live>
}

const WIDTH = 8

export function realWorld(interrupt: AbortSignal): World {
  return {
    out: streamOf(process.stdout),
    err: streamOf(process.stderr),
    environment: process.env,
    wire: sockets(),
    system: systemResolver(),
    width: WIDTH,
    seed: () => randomInt(2 ** 32),
    table: () => readFile(dataFile('#data/subnets/subnets.csv'), 'utf8'),
    regions: openRegions,
    readText: path => (path === '-' ? text(process.stdin) : readFile(path, 'utf8')),
    writeText: (path, text) => writeFile(path, text),
    appendText: (path, text) => appendFile(path, text),
    today: () => new Date(),
    interrupt,
    version: versionOf(),
    live: async () => (await import('./live.ts')).live(),
  }
}

function dataFile(name: string): string {
  return createRequire(import.meta.url).resolve(name)
}

function streamOf(stream: NodeJS.WriteStream): Stream {
  return {
    write: text => void stream.write(text),
    isTerminal: stream.isTTY === true,
    columns: stream.columns,
  }
}
