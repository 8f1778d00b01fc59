/** What decided, in words. */
import type { Point } from '../geo/record.ts'
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
      return `network ${reason.key}: ${reason.prefix}${written(reason)}`
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

function written({ at }: { readonly at?: string }): string {
  return at === undefined ? '' : ` (${at})`
}

type Of<Kind> = Extract<Reason, { readonly kind: Kind }>

const PLACES = { city: 'city ', subdivision: 'subdivision ', country: 'country ' }
const OTHERS = { continent: 'continent ', asn: '', field: '' } // their keys say what they are
const CALLED = { ...PLACES, ...OTHERS }

function placeText(reason: Of<keyof typeof CALLED>): string {
  const from = reason.from.map(path => path.slice(path.lastIndexOf('/') + 1)).join(', ')
  const source = from === '' ? '' : ` by ${from}`
  return `${CALLED[reason.kind]}${reason.key}${source}, block ${reason.prefix}${written(reason)}`
}

function times({ pools }: Of<'latency'>): string {
  return pools.map(({ pool, milliseconds }) => `${pool} ${milliseconds} ms`).join(', ')
}

function nearestText({ country, instead, point, pools }: Of<'nearest'>): string {
  const why = instead === undefined ? '' : `${instead} has nothing of this client, so `
  if (point === undefined) return `${why}nearest: but nobody knows where, so as the rule lists them`
  const from = `${country === undefined ? '' : `${country} `}point ${pointText(point)}`
  const far = pools.map(({ bias, kilometres, pool }) => {
    const by = bias === 0 ? '' : ` (bias ${signed(bias)} %)`
    return kilometres === undefined ? pool : `${pool} ${thousands(kilometres)} km${by}`
  })
  return `${why}nearest: ${from} → ${far.join(', ')}`
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
