/**
 * `diff`: two loaded configurations beside each other, name by name, and a log of questions put to
 * both. Finds which rules serve one name; what that means in figures is told in `tell/`.
 */
import { nameText } from './dns/name.ts'
import { slotOf } from './explain.ts'
import { isWrong, type Wrong, wrong } from './fault.ts'
import type { Serving } from './load.ts'
import type { Question } from './questions.ts'
import type { Policy } from './steer/rule.ts'
import type { Diff, LogTotal, NameDiff, Version } from './tell/diff/diff.ts'
import { movesOf } from './tell/diff/moves.ts'
import { type Comparing, comparing } from './tell/diff/overlaps.ts'
import { populationOf } from './tell/diff/population.ts'
import { poolDiffs, ruleChanges } from './tell/diff/settings.ts'
import { rankingAt } from './tell/ranking.ts'

/** A configuration as far as it is compared, and the file it came from. */
export type Compared = {
  readonly file: string
  readonly serving: Pick<Serving, 'world' | 'sites' | 'geo'> & {
    readonly config: Pick<Serving['config'], 'policy'>
  }
}

export type DiffOptions = {
  /** This name only, as wire octets. */
  readonly name?: Uint8Array | undefined
  readonly log?: { readonly file: string; readonly questions: readonly Question[] } | undefined
}

/** Compares two configurations. Wrong only where the name that is asked for is steered in neither. */
export function compared(old: Compared, now: Compared, options: DiffOptions = {}): Diff | Wrong {
  const { name, log } = options
  const steered = steeredNames(old.serving, now.serving, name)
  const [first] = steered
  if (name !== undefined && first?.old === undefined && first?.now === undefined) {
    return wrong(
      `${nameText(name)} is steered in neither`,
      'name one that stands under steer: in one of the configurations',
    )
  }
  const asked = questionsOf(old.serving, now.serving, log?.questions ?? [])
  const { steering } = now.serving.world
  const population = populationOf(steering, now.serving.sites)
  const policies = { old: old.serving.config.policy, now: now.serving.config.policy }
  const maps = comparing(old.serving.world.steering, steering, population)
  const names = steered.map(one => nameDiff(one, { maps, policies, asked }))
  return {
    old: versionOf(old),
    now: versionOf(now),
    basis: population.basis,
    names,
    pools: poolDiffs(policies.old, policies.now),
    log: log && totalOf(log.file, names, asked, name),
  }
}

/** The slots that serve one name, before and after. */
type Slots = { readonly old: number | undefined; readonly now: number | undefined }
type Steered = Slots & { readonly name: string }

/** Every owner of either, those of the new one first; or the one name that is asked for. */
function steeredNames(old: Loaded, now: Loaded, name: Uint8Array | undefined): Steered[] {
  const owners = [...now.world.steering.owners, ...old.world.steering.owners]
  const names = name === undefined ? owners : [name]
  const texts = new Map(names.map(wire => [nameText(wire), wire]))
  return [...texts].map(([text, wire]) => ({ name: text, ...slotsOf(old, now, wire) }))
}

/** As much of what was loaded as tells who serves a name. */
type Loaded = Pick<Serving, 'world'>

function slotsOf(old: Loaded, now: Loaded, name: Uint8Array): Slots {
  const [before, after] = [slotOf(old.world, name), slotOf(now.world, name)]
  return { old: isWrong(before) ? undefined : before, now: isWrong(after) ? undefined : after }
}

type Both = {
  readonly maps: Comparing
  readonly policies: { readonly old: Policy; readonly now: Policy }
  readonly asked: AskedBy
}

function nameDiff({ name, ...slots }: Steered, { maps, policies, asked }: Both): NameDiff {
  const questions = asked.get(keyOf(slots)) ?? []
  if (slots.old === undefined || slots.now === undefined) {
    const kind = slots.old === undefined ? 'added' : 'removed'
    return { name, kind, queries: sumOf(questions) }
  }
  const pair = { old: slots.old, now: slots.now }
  const log = questions.map(({ client, queries }) => ({
    from: rankingAt(maps.old, pair.old, client),
    to: rankingAt(maps.now, pair.now, client),
    queries,
  }))
  const [before, after] = [policies.old.rules[pair.old], policies.now.rules[pair.now]]
  const changes = before && after ? ruleChanges(policies.old, before, policies.now, after) : []
  return { name, kind: 'both', moves: movesOf(maps, pair, log), changes }
}

/** Questions by the slots that they go to. */
type AskedBy = ReadonlyMap<string, readonly Question[]>

function keyOf({ old, now }: Slots): string {
  return `${old} ${now}`
}

const UNSTEERED = keyOf({ old: undefined, now: undefined })

function questionsOf(old: Loaded, now: Loaded, questions: readonly Question[]): AskedBy {
  const keys = new Map<string, string>()
  const asked = new Map<string, Question[]>()
  for (const question of questions) {
    const text = nameText(question.name)
    const key = keys.get(text) ?? keyOf(slotsOf(old, now, question.name))
    keys.set(text, key)
    if (!asked.has(key)) asked.set(key, [])
    asked.get(key)?.push(question)
  }
  return asked
}

function sumOf(questions: readonly Question[]): number {
  return questions.reduce((total, { queries }) => total + queries, 0)
}

/** Where one name is asked for, only questions for it count. */
function totalOf(
  file: string,
  names: readonly NameDiff[],
  asked: AskedBy,
  name: Uint8Array | undefined,
): LogTotal {
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)
  const unsteered = name === undefined ? sumOf(asked.get(UNSTEERED) ?? []) : 0
  const steered = names.map(diff => (diff.kind === 'both' ? diff.moves.all.queries : diff.queries))
  const moved = names.map(diff => {
    if (diff.kind === 'both') return diff.moves.moved.queries
    return diff.kind === 'removed' ? diff.queries : 0
  })
  return { file, queries: sum(steered) + unsteered, moved: sum(moved), unsteered }
}

function versionOf({ file, serving: { geo, world } }: Compared): Version {
  return { file, digest: world.digest, geo }
}
