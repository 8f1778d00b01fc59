/**
 * Sizes of files as operators write them: `100MB`, `1GiB`, or a plain number of octets.
 */
import { type Wrong, wrong } from '../fault.ts'

/** As the SI and IEC 80000-13 have them: what other programs read in two ways, `100M`, is refused. */
const UNITS = {
  '': 1,
  kB: 1e3,
  MB: 1e6,
  GB: 1e9,
  TB: 1e12,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
  TiB: 2 ** 40,
} as const

const FIX = 'write it like 100MB, which is 100,000,000 octets, or 100MiB, which is 104,857,600'

/** Reads a size, in octets. */
export function octetsFrom(written: number | string): number | Wrong {
  const [, digits = '', unit = ''] = /^(\d+)([A-Za-z]*)$/.exec(String(written)) ?? []
  if (digits === '' || !isUnit(unit)) return wrong(`${written || '""'} is no size`, FIX)
  const octets = Number(digits) * UNITS[unit]
  return Number.isSafeInteger(octets) ? octets : wrong(`${written} is too large`, FIX)
}

function isUnit(unit: string): unit is keyof typeof UNITS {
  return Object.hasOwn(UNITS, unit)
}
