/**
 * A moment as operators write it: RFC 3339, always with its offset.
 */
import { type Wrong, wrong } from '../fault.ts'

const FORM = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d)(\.\d+)?([Zz]|[+-]\d\d:\d\d)?$/
const LIKE = 'write it like 2026-12-24T06:00:00Z'

/** Reads a moment, in milliseconds since 1970 in UTC. */
export function instantFrom(text: string): number | Wrong {
  const [, day = '', time = '', fraction = '', offset] = FORM.exec(text) ?? []
  if (day === '') return wrong(`${text} is no moment in time`, LIKE)
  if (offset === undefined)
    return wrong(`${text} has no offset`, 'add Z for UTC, or one like +01:00')

  const ms = Date.parse(`${day}T${time}Z`)
  // Some days that there are not are read as later ones: 31 April as 1 May.
  const exists = !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(`${day}T${time}`)
  if (!exists) return wrong(`${text} is no day or hour that there is`, LIKE)
  const minutes = minutesOf(offset)
  if (minutes === undefined)
    return wrong(`${text} has no such offset`, 'write Z, or one like +01:00')
  return ms + Math.floor(Number(`0${fraction}`) * 1000) - minutes * 60_000
}

/** Minutes east of Greenwich. */
function minutesOf(offset: string): number | undefined {
  if (/^[Zz]$/.test(offset)) return 0
  const hours = Number(offset.slice(1, 3))
  const minutes = Number(offset.slice(4))
  if (hours > 23 || minutes > 59) return undefined
  return (offset.startsWith('-') ? -1 : 1) * (60 * hours + minutes)
}
