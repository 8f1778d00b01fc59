/**
 * Runs `lbprobe map` against one server, reads its document, and makes of its blocks the plainest
 * partition there is: a tree in which equal halves are one, to be compared with what was configured.
 */

import { type Cover, coverOf } from '../bench/site/networks.ts'
import type { Place } from '../kit/ask.ts'
import { LBPROBE, run } from '../kit/process.ts'

/** As much of `lbprobe.map/1` as is looked at. */
export type Mapped = {
  readonly kind: string
  readonly coverage: number
  readonly queries: { readonly asked: number; readonly unanswered: number }
  readonly replies: { readonly blocks: number; readonly samples: number; readonly repeats: number }
  readonly groups: readonly { readonly letter: string; readonly answers: readonly string[] }[]
  readonly leaves: readonly {
    readonly prefix: string
    readonly scope: number
    readonly groups: readonly string[]
  }[]
  readonly overlaps: readonly { readonly outer: string; readonly inner: string }[]
  readonly oracle: {
    readonly models: readonly { readonly model: string; readonly share: number }[]
  }
  readonly findings: readonly { readonly id: string }[]
}

export async function mapped({ host, port }: Place, args: string): Promise<Mapped> {
  const words = ['map', `@${host}:${port}`, ...args.split(' '), '--seed', '1', '--json']
  const { stdout, stderr } = await run(process.execPath, [LBPROBE, ...words])
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout)
}

/**
 * The blocks as a tree of site numbers.
 *
 * @param sites the answer that each site is known by
 */
export function coverFrom({ groups, leaves }: Mapped, sites: readonly string[]): Cover {
  const siteOf = new Map(
    groups.map(({ letter, answers }) => [
      letter,
      sites.findIndex(address => answers.includes(address)),
    ]),
  )
  const networks = leaves.map(({ prefix, groups: [letter = ''] }) => {
    const [address = '', bits] = prefix.split('/')
    const base = address.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0)
    return { base, bits: Number(bits), site: siteOf.get(letter) ?? -1 }
  })
  return coverOf(networks)
}

/** Blocks of a map as they stand in one of `lbdns map --csv`. */
export function prefixesOf({ leaves }: Mapped): string[] {
  return leaves.map(({ prefix, scope }) => `${prefix},${scope}`)
}

/** Where two trees differ, each place a line: the block, the site here and there. */
export function differences(one: Cover, other: Cover, at = 0, bits = 0): string[] {
  if (typeof one === 'number' && typeof other === 'number') {
    const octets = [24, 16, 8, 0].map(shift => Math.floor(at / 2 ** shift) % 256)
    return one === other ? [] : [`${octets.join('.')}/${bits}: ${one}, not ${other}`]
  }
  const half = (cover: Cover, side: 0 | 1): Cover =>
    typeof cover === 'number' ? cover : cover[side]
  return ([0, 1] as const).flatMap(side => {
    const start = at + side * 2 ** (31 - bits)
    return differences(half(one, side), half(other, side), start, bits + 1)
  })
}
