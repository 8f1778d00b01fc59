/**
 * Rules that follow other rules: each must come to an end, and soon. A circle is told once, whole,
 * at one of its links.
 */
import { problemAt, type Remarks, type Wrong, wrong } from '../fault.ts'
import { MOST_DEEP, type Namings } from './reach.ts'
import { placeOf, type Source } from './source.ts'

/** The rules that each one follows, by the canonical text of their owners. */
type Links = ReadonlyMap<string, ReadonlySet<string>>

/** Reports circles, and rules that follow each other further than anybody can. */
export function checkFollowing(namings: Namings, source: Source, remarks: Remarks): void {
  const say = (from: string, to: string, reason: Wrong): void => {
    const follow = namings.get(from)?.follows.find(({ key }) => key === to)
    const at = placeOf(source, follow?.path ?? [], 'value')
    remarks.problems.push(problemAt(at, reason))
  }
  const links = linksIn(namings)
  const depths = depthsOf(links)
  for (const [from, tos] of links) {
    if (depths.get(from) !== MOST_DEEP + 1) continue
    const to = [...tos].find(next => depths.get(next) === MOST_DEEP) ?? ''
    const what = `more than ${MOST_DEEP} rules follow each other from here`
    say(from, to, wrong(what, 'name the pools here'))
  }
  for (const circle of circlesIn(links, depths)) {
    const [from = '', to = from] = circle
    say(from, to, circleFlaw(circle.map(key => namings.get(key)?.path[1] ?? key)))
  }
}

/** Nobody reads on after so many names of one circle. */
const MOST_SHOWN = 20

function circleFlaw(owners: readonly string[]): Wrong {
  const [first = ''] = owners
  if (owners.length === 1) return wrong(`${first} follows itself`, 'name its pools here')
  const more = owners.length - MOST_SHOWN
  const shown = more > 0 ? [...owners.slice(0, MOST_SHOWN), `… ${more} more`] : owners
  const what = `a circle of rules: ${[...shown, first].join(' → ')}`
  return wrong(what, 'let one of them name its pools itself')
}

/** Rules that are not there lead nowhere. */
function linksIn(namings: Namings): Links {
  const known = ({ key }: { readonly key: string }): boolean => namings.has(key)
  return new Map(
    [...namings].map(([key, { follows }]) => [
      key,
      new Set(follows.filter(known).map(follow => follow.key)),
    ]),
  )
}

function reversed(links: Links): Links {
  const back = new Map([...links.keys()].map(key => [key, new Set<string>()]))
  for (const [from, to] of eachLink(links)) back.get(to)?.add(from)
  return back
}

/** How many rules stand in a row from each one on, itself counted. None of those that circle. */
function depthsOf(links: Links): ReadonlyMap<string, number> {
  const back = reversed(links)
  const open = new Map([...links].map(([key, tos]) => [key, tos.size]))
  const depths = new Map<string, number>()
  for (const [key, count] of open) if (count === 0) depths.set(key, 1)
  // A map that grows while it is walked is walked to its new end.
  for (const [key] of depths) {
    for (const from of back.get(key) ?? []) {
      const left = (open.get(from) ?? 0) - 1
      open.set(from, left)
      if (left === 0) depths.set(from, 1 + deepest(links.get(from), depths))
    }
  }
  return depths
}

function deepest(keys: Iterable<string> = [], depths: ReadonlyMap<string, number>): number {
  let most = 0
  for (const key of keys) most = Math.max(most, depths.get(key) ?? 0)
  return most
}

/** Circles that together hold every link that is part of one. */
function* circlesIn(links: Links, depths: ReadonlyMap<string, number>): Generator<string[]> {
  const heights = depthsOf(reversed(links))
  const isLoose = (key: string): boolean => depths.has(key) || heights.has(key)
  const told = new Map<string, Set<string>>()
  for (const [from, to] of eachLink(links)) {
    if (isLoose(from) || isLoose(to) || told.get(from)?.has(to)) continue
    const circle = circleOver(from, to, links, isLoose)
    if (circle === undefined) continue
    for (const [at, key] of circle.entries()) {
      const next = circle[at + 1] ?? from
      told.set(key, (told.get(key) ?? new Set()).add(next))
    }
    yield circle
  }
}

function* eachLink(links: Links): Generator<readonly [from: string, to: string]> {
  for (const [from, tos] of links) for (const to of tos) yield [from, to]
}

/** The shortest circle with this link in it, its first rule once; `undefined` where there is none. */
function circleOver(
  from: string,
  to: string,
  links: Links,
  isLoose: (key: string) => boolean,
): string[] | undefined {
  const before = new Map([[to, from]])
  for (const [key] of before) {
    if (key === from) break
    for (const next of links.get(key) ?? []) {
      if (!before.has(next) && !isLoose(next)) before.set(next, key)
    }
  }
  if (!before.has(from)) return undefined
  const circle: string[] = []
  let key = from
  do {
    key = before.get(key) ?? from
    circle.unshift(key)
  } while (key !== from && circle.length <= before.size)
  return circle
}
