/** Numbers for places, so that a tree's leaves can hold them: equal places have one number. */
import { NOWHERE, type Place } from './record.ts'

/** 0 is nowhere. */
export type Roll = { readonly places: Place[]; readonly numbers: Map<string, number> }

export function placeRoll(): Roll {
  const roll: Roll = { places: [], numbers: new Map() }
  numberOf(roll, NOWHERE)
  return roll
}

/** The number of a place; a new one where it has none yet. */
export function numberOf(roll: Roll, place: Place): number {
  const key = keyOf(place)
  const known = roll.numbers.get(key)
  if (known !== undefined) return known
  roll.numbers.set(key, roll.places.length)
  return roll.places.push(place) - 1
}

export function placeAt(roll: Roll, number: number): Place {
  return roll.places[number] ?? NOWHERE
}

/** Stands for what is absent: no text of a database is likely to be it, and none is hurt by it. */
const ABSENT = '\u0001'

function keyOf({ country, continent, subdivision, city, asn, point, fields }: Place): string {
  const own = `${point?.lat} ${point?.lon} ${asn}\n${country ?? ABSENT}\n${continent ?? ABSENT}`
  const named = `${subdivision ?? ABSENT}\n${city ?? ABSENT}`
  if (fields.length === 0) return `${own}\n${named}`
  return `${own}\n${named}\n${fields.map(value => value ?? ABSENT).join('\n')}`
}
