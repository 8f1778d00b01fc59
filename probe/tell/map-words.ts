/** What a map shows, in sentences. */
import type { MapJudgement } from '../judge/map.ts'
import { spanText } from '../judge/span.ts'
import type { Stop } from '../judge/swept.ts'
import { many, percent } from './number.ts'

/** Without a full stop. */
export function mapSentence(one: MapJudgement): string {
  const { groups, kind, leaves, overlaps, short } = one
  const blocks = many(leaves.length, 'block', 'blocks')
  const sorts = many(groups.length, 'answer group', 'answer groups')
  switch (kind) {
    case 'unanswered':
      return 'no answer to any query: there is nothing to map'
    case 'no-ecs':
      return groups.length === 1
        ? 'the same for everybody, and no client subnet option comes back as it was sent'
        : `${sorts}, but no client subnet option comes back as it was sent: caches cannot keep them apart`
    case 'same':
      return sameText(one)
    case 'partition':
      return `${sorts} in ${blocks}, none in another, each true as far as it was tried`
    case 'sampled':
      return groups.length === 1
        ? 'the same for everybody in the sample, yet a scope of its own for every network asked for'
        : `${sorts}, and a scope of its own for every network asked for: sampled, not mapped`
    case 'untrue':
      return `${sorts} in ${blocks} that are not true: ${untrueText(overlaps.length, short.length)}`
  }
}

function sameText({ groups, leaves }: MapJudgement): string {
  if (groups[0]?.answers.length === 0) return 'no record of this type for anybody'
  return leaves.some(({ span }) => span.bits > 0)
    ? `the same for everybody, though cut into ${many(leaves.length, 'block', 'blocks')}`
    : 'the same for everybody, and the scope says so'
}

function untrueText(overlaps: number, short: number): string {
  const inside = `${overlaps} ${overlaps === 1 ? 'lies' : 'lie'} in another`
  const mixed = `${short} ${short === 1 ? 'holds' : 'hold'} different answers`
  return [...(overlaps > 0 ? [inside] : []), ...(short > 0 ? [mixed] : [])].join(', ')
}

const STOPPED: Readonly<Record<Stop, string>> = {
  budget: 'the most queries of a run were asked',
  refused: 'the server refuses',
  silent: 'the server stopped answering',
  interrupted: 'interrupted',
  deadline: 'its time was over',
}

/** How much was seen, and why no more; nothing where all was. */
export function partialText(one: MapJudgement): string | undefined {
  const { coverage, swept, missable } = one
  const { stop, drawn, covered } = swept
  const seen = covered === 0n ? 'nothing' : percent(Math.max(coverage, 1e-9))
  if (missable !== undefined && drawn.length > 0) {
    const draws = many(drawn.length, 'network', 'networks')
    const missed = `what fewer than ${percent(missable)} of networks are given is missed once in 20`
    return `${seen} of the space gone through, then ${draws} drawn at random from all of it: ${missed}`
  }
  if (stop !== undefined) return `partial: ${seen} of the space was seen, then ${STOPPED[stop]}`
  return swept.lost === 0
    ? undefined
    : `${many(swept.lost, 'query', 'queries')} without an answer: ${percent(coverage)} of the space was seen`
}

/** How well the blocks were tried: a block of which a part is wrong is caught with 1 − (1 − part)^samples. */
export function triedText({ samples, least, leaves, swept }: MapJudgement): string | undefined {
  if (swept.mode === 'sampled') return undefined
  if (samples === 0) return 'no block was tried inside: nothing is known of whether they are true'
  const tried = `${many(samples, 'sample', 'samples')} inside ${many(leaves.length, 'block', 'blocks')}`
  if (least === undefined) return `${tried}: every network of them was asked for`
  const odds = (part: number): string => percent(1 - (1 - part) ** least)
  const more =
    least < THOROUGH ? `; with --samples ${THOROUGH}: ${percent(1 - 0.9 ** THOROUGH)}` : ''
  return `${tried}, ${least} in each: half a block wrong is caught with ${odds(0.5)}, a tenth with ${odds(0.1)}${more}`
}

/** Samples that find a wrong tenth of a block with 95 %. */
const THOROUGH = 29

/** A share that is not all is never shown as all. */
export function partText(share: number): string {
  return share < 1 && share >= 0.9995 ? '> 99.9 %' : percent(share)
}

export function finenessText({ fragmentation }: MapJudgement): string | undefined {
  if (fragmentation === undefined || fragmentation < 1.005) return undefined
  return `${Number(fragmentation.toFixed(2))} blocks for each that these answers need: as a ranking may differ behind equal answers, not all are needless`
}

/** Overlaps as places, so many of them. */
export function overlapTexts({ overlaps }: MapJudgement, most: number): readonly string[] {
  const some = overlaps.slice(0, most)
  const rest = overlaps.length - some.length
  return [
    ...some.map(({ inner, outer }) => `${spanText(inner)} lies in ${spanText(outer)}`),
    ...(rest > 0 ? [`… and ${rest} more`] : []),
  ]
}
