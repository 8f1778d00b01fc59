/**
 * Spans of time in master files: plain seconds, or with the units of BIND (`1h30m`, `2W`).
 */

const UNIT: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }

/**
 * Reads `3600`, `1h`, `1w2d3h4m5s`, in any case.
 *
 * @returns seconds, 0 … 2³² − 1, or `undefined`
 */
export function secondsFromText(text: string): number | undefined {
  if (!/^([0-9]+|([0-9]+[smhdw])+)$/i.test(text)) return undefined
  let seconds = 0
  for (const [, count, unit] of text.toLowerCase().matchAll(/([0-9]+)([smhdw]?)/g)) {
    seconds += Number(count) * (UNIT[unit ?? ''] ?? 1)
  }
  return seconds <= 0xffff_ffff ? seconds : undefined
}
