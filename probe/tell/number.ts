/** Numbers and counted things as text. */

/** `8 addresses`, `1 record`; only A and AAAA hold addresses. */
export function counted(count: number, type: string): string {
  return `${count} ${noun(count, type)}`
}

export function noun(count: number, type: string): string {
  if (type === 'A' || type === 'AAAA') return count === 1 ? 'address' : 'addresses'
  return count === 1 ? 'record' : 'records'
}

/** `3 queries`, `1 query` */
export function many(count: number, one: string, more: string): string {
  return `${count} ${count === 1 ? one : more}`
}

/** Whole up to a million, then `1.6e+30`; what is past any number, by the largest there is. */
export function bigText(count: number): string {
  if (count === Number.POSITIVE_INFINITY) return 'over 1e+308'
  return count < 1e6 ? `${count}` : count.toExponential(1)
}

/** Two significant digits: `p = 0.00026`. No p is nothing: that one was too small for a number. */
export function pText(p: number): string {
  if (p === 0) return 'p < 1e-300'
  if (p >= 0.995) return 'p = 1'
  return `p = ${Number(p.toPrecision(2))}`
}

/** `13.9 %` */
export function percent(share: number): string {
  return `${Number((100 * share).toPrecision(3))} %`
}

/** Text from the network, safe for a terminal: controls and invisible characters become `\xNN`. */
export function printable(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, char => {
    const code = char.codePointAt(0) ?? 0
    return `\\x${code.toString(16).padStart(2, '0')}`
  })
}
