/**
 * What is asked, and what is right to be answered: sets of queries from fixed seeds, as flat columns
 * that a generator reads one after the other.
 */
import { below, type Chance, chance, draw } from '../../../server/steer/chance.ts'
import { coverOf, isPublic, locate, networks } from '../site/networks.ts'
import { MANY, NAMES, ownRow, plainRow, poolRow, type Row, STEERED, ZONE } from '../site/site.ts'
import { malform } from './malform.ts'
import { LONGEST, putQuery } from './message.ts'

export const KINDS = ['mixed', 'ecs', 'cold', 'reload', 'malformed'] as const
export type Kind = (typeof KINDS)[number]

/** One row a query. */
export type Questions = {
  /** All messages, one behind the other; a sender puts ids into them. */
  readonly octets: Uint8Array
  readonly start: Int32Array
  readonly length: Int32Array
  /** Octets of the header and the question. */
  readonly asked: Int32Array
  /** NOERROR or NXDOMAIN. */
  readonly rcode: Uint8Array
  /** The addresses that belong into the answer, all of them and each once. */
  readonly first: Uint32Array
  readonly count: Uint8Array
  /** Steps in which the row may be shifted; 0: it may not. */
  readonly step: Uint8Array
  /** The SCOPE PREFIX-LENGTH that is right; −1: the query has no subnet. */
  readonly scope: Int16Array
}

const NOERROR = 0
const NXDOMAIN = 3
const NONE: Row = { first: 0, count: 0 }

type Right = { readonly rcode: number; readonly row: Row; readonly step: number; scope: number }
type Maker = (write: (name: string, right: Right, subnet?: number) => void) => void

/** Makes a set. The same kind gives the same set everywhere. */
export function questionsOf(kind: Kind): Questions {
  const size = kind === 'cold' ? MANY : 100_000
  const set = emptySet(size)
  const make = MAKERS[kind]()
  let at = 0
  for (let number = 0; number < size; number += 1) {
    make((name, right, subnet) => {
      const end = putQuery(set.octets, at, name, subnet)
      set.start[number] = at
      set.length[number] = end - at
      set.asked[number] = 12 + name.length + 2 + 4
      putRight(set, number, right)
      at = end
    })
  }
  if (kind === 'malformed') malform(set, chance(13))
  return set
}

function emptySet(size: number): Questions {
  return {
    octets: new Uint8Array(new ArrayBuffer(size * LONGEST)),
    start: new Int32Array(size),
    length: new Int32Array(size),
    asked: new Int32Array(size),
    rcode: new Uint8Array(size),
    first: new Uint32Array(size),
    count: new Uint8Array(size),
    step: new Uint8Array(size),
    scope: new Int16Array(size),
  }
}

function putRight(set: Questions, number: number, { rcode, row, step, scope }: Right): void {
  set.rcode[number] = rcode
  set.first[number] = row.first
  set.count[number] = row.count
  set.step[number] = step
  set.scope[number] = scope
}

const MAKERS: Readonly<Record<Kind, () => Maker>> = {
  mixed: () => mixed(chance(1), 0),
  reload: () => mixed(chance(2), plainRow().count),
  ecs,
  cold,
  malformed: () => mixed(chance(3), 0),
}

/** Eighty in a hundred about names that exist. */
function mixed(drawn: Chance, step: number): Maker {
  return write => {
    const exists = below(drawn, 10) < 8
    const name = exists ? `h${below(drawn, NAMES)}` : `x${draw(drawn)}`
    const row = exists ? plainRow() : NONE
    write(`${name}.${ZONE}`, { rcode: exists ? NOERROR : NXDOMAIN, row, step, scope: -1 })
  }
}

/** A random /24 of a public client in every query. */
function ecs(): Maker {
  const drawn = chance(5)
  const cover = coverOf(networks())
  return write => {
    let subnet = draw(drawn)
    while (!isPublic(subnet)) subnet = draw(drawn)
    const { site, scope } = locate(cover, subnet)
    write(STEERED, { rcode: NOERROR, row: poolRow(site), step: 0, scope }, subnet)
  }
}

/** Every name of the large zone once, in random order. */
function cold(): Maker {
  const drawn = chance(6)
  const order = Uint32Array.from({ length: MANY }, (_, i) => i)
  let left = MANY
  return write => {
    const at = below(drawn, left)
    const name = order[at] ?? 0
    left -= 1
    order[at] = order[left] ?? 0
    write(`h${name}.${ZONE}`, { rcode: NOERROR, row: ownRow(name, 1), step: 0, scope: -1 })
  }
}
