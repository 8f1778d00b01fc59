/**
 * From names to addresses, as the system has it. The system looks up two names at a time, however many
 * wait, and one whose name servers are silent takes it many seconds. So a name is looked up by but one
 * at a time; and while the system is late, or cannot tell, it is what it was before: that names cannot
 * be resolved does not take the targets down that they lead to.
 */
import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { inTime, type Limit } from './try-limit.ts'

export type Addresses = readonly LookupAddress[]

/** Rejects with an error that has a `code`. */
export type LookUp = (name: string) => Promise<Addresses>

/** What part of a try's time is waited for news of a name that is known. */
const PATIENCE = 1 / 4
/** That a name has no address is an answer; all else says nothing of the name. */
const NO_ADDRESS = 'ENOTFOUND'

type Known = { last: Addresses | undefined; underWay: Promise<Addresses> | undefined }

export class Names {
  readonly #lookUp: LookUp
  readonly #names = new Map<string, Known>()

  constructor(lookUp: LookUp) {
    this.#lookUp = lookUp
  }

  /** The addresses of a name; an address is its own. Rejects where there are none in time. */
  async addresses(place: string, limit: Limit): Promise<Addresses> {
    const family = isIP(place)
    if (family !== 0) return [{ address: place, family }]
    const known = this.#names.get(place) ?? { last: undefined, underWay: undefined }
    this.#names.set(place, known)
    const { last } = known
    const found = this.#found(place, known)
    if (last === undefined) return inTime(found, limit, 'address for the name')
    return otherwise(found, last, PATIENCE * limit.ms)
  }

  /** Joins the look-up that is under way. */
  #found(place: string, known: Known): Promise<Addresses> {
    known.underWay ??= this.#lookUp(place)
      .then(
        found => {
          known.last = found
          return found
        },
        error => {
          if (codeOf(error) === NO_ADDRESS) known.last = undefined
          throw error
        },
      )
      .finally(() => {
        known.underWay = undefined
      })
    return known.underWay
  }
}

/** What was known before, where news is late or says nothing. */
function otherwise(news: Promise<Addresses>, before: Addresses, ms: number): Promise<Addresses> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => resolve(before), ms)
    const fail = (error: unknown): void => {
      if (codeOf(error) === NO_ADDRESS) reject(error)
      else resolve(before)
    }
    news.then(resolve, fail).finally(() => clearTimeout(late))
  })
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

/** Those of this machine. */
export const NAMES = new Names(name => lookup(name, { all: true }))

/** Has a socket connect to these, whatever name it is given. */
export function only(addresses: Addresses): LookupFunction {
  return (_, { all }, done) => {
    const [first] = addresses
    if (all === true) done(null, [...addresses])
    else if (first === undefined) done(new Error('a name without addresses'), '')
    else done(null, first.address, first.family)
  }
}
