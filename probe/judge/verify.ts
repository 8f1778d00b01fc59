/**
 * Which networks to ask for next, so that the scopes seen so far can be believed or not: networks
 * inside each block that a reply claimed to cover, neighbours of some blocks, which should be
 * different if the scope is no finer than needed, and shorter sources, where every scope so far was
 * the source. Plain data: the planner makes questions of them.
 */
import { type Block, blockText, contains, cut, flip, isSpecial, memberOf } from './block.ts'
import { below, type Chance, chance } from './chance.ts'
import { gridOf } from './grid.ts'
import type { Observation } from './observation.ts'
import type { EcsOptions } from './options.ts'
import { blocksOf, comparable, type Scoped, scopedReplies } from './scoped.ts'

/** A client network to ask for, in the shape of a question's subnet. */
export type Network = {
  readonly text: string
  readonly family: 1 | 2
  readonly source: number
  readonly octets: Uint8Array
  readonly region: string | undefined
}

/** Networks to ask for once each, with purpose `scope`. */
export type Verification = { readonly block: string; readonly samples: readonly Network[] }

/** Blocks whose neighbours are asked for. */
const NEIGHBOURED = 8
/** How many of a block's last bits are turned over, one by one: fragmentation up to 2³ shows. */
export const NEIGHBOURS = 3
/** Networks that are asked for with shorter sources. */
const SHORTENED = 4

/** Call when `look` says enough and dependent; empty where no scope was given. */
export function blocksToVerify(
  observations: readonly Observation[],
  options: EcsOptions,
): readonly Verification[] {
  const grid = gridOf(observations, options)
  const scoped = comparable(scopedReplies(grid, grid.replies))
  const blocks = blocksOf(scoped)
  const state = chance(options.seed)
  const step = Math.ceil(blocks.length / NEIGHBOURED)
  const plans = blocks.map((block, at) => {
    const around = at % step === 0 ? neighbours(block, scoped) : []
    const samples = [...inside(block, scoped, options.samples ?? 5, state), ...around]
    return { block: blockText(block), samples: samples.map(network) }
  })
  return [...plans, ...shortened(scoped)].filter(({ samples }) => samples.length > 0)
}

/** Of these only the places inside blocks: what is left to verify when groups are known. */
export function placesInside(
  observations: readonly Observation[],
  options: EcsOptions,
): readonly Verification[] {
  const grid = gridOf(observations, options)
  const scoped = comparable(scopedReplies(grid, grid.replies))
  const state = chance(options.seed)
  return blocksOf(scoped).map(block => ({
    block: blockText(block),
    samples: inside(block, scoped, options.samples ?? 5, state).map(network),
  }))
}

/**
 * A network of the panel again, to notice if answers have changed since, then the first and the last
 * in the block, then random ones. Nothing where the block is no wider than the networks.
 */
function inside(
  block: Block,
  scoped: readonly Scoped[],
  wanted: number,
  state: Chance,
): readonly Block[] {
  const own = scoped.filter(({ network }) => contains(block, network)).map(on => on.network)
  const [anchor] = own
  if (anchor === undefined || anchor.bits <= block.bits) return []
  const taken = new Map(own.map(on => [blockText(on), on]))
  const found: Block[] = []
  const mayBeSpecial = isSpecial(anchor)
  for (let tries = 0; tries < 8 * wanted && found.length < wanted; tries += 1) {
    const one = memberOf(block, anchor.bits, picker(tries, state))
    if (taken.has(blockText(one)) || (isSpecial(one) && !mayBeSpecial)) continue
    taken.set(blockText(one), one)
    found.push(one)
  }
  return found.length === 0 ? [] : [anchor, ...found]
}

function picker(tries: number, state: Chance): () => number {
  if (tries === 0) return () => 0
  return tries === 1 ? () => 255 : () => below(state, 256)
}

/** A network in the block's sibling, in its parent's, and in its grandparent's. */
function neighbours(block: Block, scoped: readonly Scoped[]): readonly Block[] {
  const own = scoped.find(({ network }) => contains(block, network))?.network
  if (own === undefined || block.bits < 8) return []
  const all = Array.from({ length: NEIGHBOURS }, (_, up) => {
    return memberOf(flip(block, block.bits - 1 - up), own.bits, () => 0)
  })
  return all.filter(on => !isSpecial(on) || isSpecial(own))
}

/** Where scope was source every time, the same places with a source four and eight bits shorter. */
function shortened(scoped: readonly Scoped[]): readonly Verification[] {
  if (!scoped.every(({ scope, source }) => scope === source)) return []
  const some = scoped.filter(({ source }) => source > 16).slice(0, SHORTENED)
  return some.map(({ network: on, text }) => ({
    block: text,
    samples: [8, 4].map(bits => network(cut(on, on.bits - bits))),
  }))
}

function network(block: Block): Network {
  const octets = block.octets.slice(0, Math.ceil(block.bits / 8))
  const { family, bits } = block
  return { text: blockText(block), family, source: bits, octets, region: undefined }
}
