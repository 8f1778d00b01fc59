/**
 * Names of master files as texts: made absolute against an origin. Labels and escapes stay as they
 * are written. Knows nothing of records.
 */

/** A name with its last dot; `@` is the origin. */
export function absolute(name: string, origin: string): string {
  if (name === '@') return origin
  if (/(^|[^\\])(\\\\)*\.$/.test(name)) return name
  return origin === '.' ? `${name}.` : `${name}.${origin}`
}

/** A name as configurations write it: in lower case, without the last dot. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/\.$/, '')
}

/** A plain name without its first label; empty where there is no other. */
export function parentOf(name: string): string {
  const dot = name.indexOf('.')
  return dot < 0 ? '' : name.slice(dot + 1)
}

/** Whether a name is another or below it; both as `plainName` writes them. */
export function isIn(name: string, zone: string): boolean {
  return zone === '' || name === zone || name.endsWith(`.${zone}`)
}

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }

/** Seconds of a TTL such as `300`, `5m` or `1h30m`; `undefined` where it is none. */
export function secondsOf(text: string): number | undefined {
  if (/^\d{1,10}$/.test(text)) return Number(text)
  if (!/^(\d{1,10}[smhdw])+$/i.test(text)) return undefined
  const parts = [...text.toLowerCase().matchAll(/(\d+)([smhdw])/g)]
  return parts.reduce((sum, [, number, unit]) => sum + Number(number) * (UNITS[unit ?? ''] ?? 1), 0)
}
