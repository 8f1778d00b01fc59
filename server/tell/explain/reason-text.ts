/** What decided, in words. */
import type { Point } from '../../geo/record.ts'
import { baseName, baseNames } from '../file.ts'
import type { Reason } from './explanation.ts'

/** One line. */
export function reasonText(reason: Reason): string {
  switch (reason.kind) {
    case 'all':
      return 'the rule lists pools for everybody'
    case 'alike':
      return 'all branches of the rule lead to the same pools'
    case 'default':
      return 'default: no branch knows this client'
    case 'rule':
      return `as rule ${reason.key} decides${written(reason)}`
    case 'network':
      return `network ${reason.key}, prefix ${reason.prefix}${written(reason)}`
    case 'latency':
      return `latency ${reason.key}, ${reason.prefix}: ${times(reason)}`
    case 'nearest':
      return nearestText(reason)
    case 'asn':
    case 'field':
    case 'city':
    case 'subdivision':
    case 'country':
    case 'continent':
      return placeText(reason)
  }
}

/** Where a branch is written. */
function written({ at }: { readonly at?: string }): string {
  return at === undefined ? '' : `, ${baseName(at)}`
}

type Of<Kind> = Extract<Reason, { readonly kind: Kind }>

const PLACES = { city: 'city ', subdivision: 'subdivision ', country: 'country ' }
const OTHERS = { continent: 'continent ', asn: '', field: '' } // their keys say what they are
const CALLED = { ...PLACES, ...OTHERS }

function placeText(reason: Of<keyof typeof CALLED>): string {
  const from = baseNames(reason.from)
  return `${CALLED[reason.kind]}${reason.key} (${from}), block ${reason.prefix}${written(reason)}`
}

function times({ pools }: Of<'latency'>): string {
  return pools.map(({ milliseconds, pool }) => `${pool} ${milliseconds} ms`).join(', ')
}

function nearestText({ country, instead, point, pools }: Of<'nearest'>): string {
  const why = instead === undefined ? '' : `${instead} tells nothing of this client, so `
  if (point === undefined) return `${why}nearest: it is not known where that is, so as listed`
  const from = `${country === undefined ? '' : `${country} `}point ${pointText(point)}`
  return `${why}nearest: ${from} → ${pools.map(farText).join(', ')}`
}

function farText({ bias, counts, kilometres, pool }: Of<'nearest'>['pools'][number]): string {
  if (kilometres === undefined) return pool
  const as = counts === undefined ? '' : ` (bias ${signed(bias)} %: ${thousands(counts)})`
  return `${pool} ${thousands(kilometres)} km${as}`
}

function pointText({ lat, lon }: Point): string {
  return `${lat.toFixed(1)},${lon.toFixed(1)}`
}

function signed(number: number): string {
  return number < 0 ? `−${-number}` : `+${number}`
}

function thousands(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ',')
}
