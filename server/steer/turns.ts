/**
 * Whose turn it is in every rotation: one number for each slot, pool and kind of target, kept by
 * each thread for itself. Turns outlive a reload where owner and pool keep their names.
 */
import { hexText } from '../dns/octets.ts'
import { type Chance, draw } from './chance.ts'
import { KINDS, type Steering } from './steering.ts'

export function turnsLength(steering: Steering): number {
  return KINDS * steering.turnPools.length
}

/** Turns that start anywhere, so that many servers do not march in step. */
export function startTurns(steering: Steering, chance: Chance): Uint32Array {
  return new Uint32Array(turnsLength(steering)).map(() => draw(chance))
}

/** Turns for a new map: those of the old one where owner, pool and kind are still there. */
export function carryTurns(
  old: Steering,
  oldTurns: Uint32Array,
  now: Steering,
  chance: Chance,
): Uint32Array {
  const kept = new Map<string, number>()
  const turns = startTurns(now, chance)
  eachTurn(old, (key, turn) => kept.set(key, turn))
  eachTurn(now, (key, turn) => {
    const before = kept.get(key)
    if (before === undefined) return
    turns.set(oldTurns.subarray(before, before + KINDS), turn)
  })
  return turns
}

function eachTurn(steering: Steering, visit: (key: string, turn: number) => void): void {
  for (const [slot, owner] of steering.owners.entries()) {
    const start = steering.turnStart[slot] ?? 0
    const pools = steering.turnPools.subarray(start, steering.turnStart[slot + 1])
    for (const [i, pool] of pools.entries()) {
      visit(`${hexText(owner)} ${steering.poolNames[pool]}`, KINDS * (start + i))
    }
  }
}

/**
 * Where the turn of a pool within a slot is kept. Hot.
 *
 * @param pool one of the slot's
 */
export function turnOf(steering: Steering, slot: number, pool: number, kind: number): number {
  const { turnStart, turnPools } = steering
  let low = turnStart[slot]!
  let high = turnStart[slot + 1]! - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (turnPools[middle]! < pool) low = middle + 1
    else high = middle
  }
  return KINDS * low + kind
}
