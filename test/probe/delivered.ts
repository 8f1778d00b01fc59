/** What tests of formats share: one use of lbprobe in the lab's world, with files in memory. */
import { labOf } from '../../probe/lab/lab.ts'
import { program } from '../../probe/program.ts'
import type { World } from '../../probe/world.ts'
import { deafAtNine, NS1, NS2 } from './checks-kit.ts'
import { ATLAS, wireTo } from './in-process.ts'
import { absent, labWorld, paper } from './world.ts'

export type Delivered = {
  readonly exit: number
  readonly out: string
  readonly err: string
  readonly files: ReadonlyMap<string, string>
}

export { NS1, NS2 }

const CHECKS = `version: 1
checks:
  - name: geo.lab.test
    type: A
    addresses: {within: [192.0.2.0/24]}
  - name: single.lab.test
    type: A
    rotation: shuffled-list
`

/** The same line of every command that has formats, of a lab that is a new one each time. */
// biome-ignore format: table
export const LINES = {
  dns2:     `dns2 -q A ${NS1} shuffled-list.lab.test`,
  ecs:      `ecs -q A ${NS1} geo.lab.test`,
  diff:     `diff -q A ${NS1} ${NS2} partial-ecs.lab.test`,
  resolver: `resolver -q ${NS1} --zone whoami.lab.test`,
  map:      `map -q ${NS1} geo.lab.test --within 128.0.0.0/8`,
  check:    `check ${NS1} x.yaml`,
  subnets:  'subnets list',
} as const

export type Line = keyof typeof LINES

/** @param over what the world does otherwise */
export async function deliver(
  line: string,
  over: Partial<World> = {},
  disk: Readonly<Record<string, string>> = {},
): Promise<Delivered> {
  const files = new Map(Object.entries({ 'x.yaml': CHECKS, ...disk }))
  const [out, err] = [paper(), paper()]
  const world = labWorld({
    out,
    err,
    wire: deafAtNine(wireTo(labOf(ATLAS, 5))),
    readText: async path => files.get(path) ?? absent(path),
    writeText: async (path, text) => {
      if (path.startsWith('full/')) throw Object.assign(new Error(path), { code: 'ENOSPC' })
      files.set(path, text)
    },
    appendText: async (path, text) => void files.set(path, (files.get(path) ?? '') + text),
    ...over,
  })
  const exit = await program(line.split(' '), world)
  const text = (stream: World['out'], kept: typeof out) => (stream === kept ? kept.text() : '')
  return { exit, out: text(world.out, out), err: text(world.err, err), files }
}
