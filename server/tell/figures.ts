/** Shares and counts for a person to read. */

/** `no warnings`, `1 problem`, `2 zones` */
export function counted(count: number, noun: string): string {
  return `${count === 0 ? 'no' : count} ${noun}${count === 1 ? '' : 's'}`
}

/** `12.3 %`: three figures. Nothing but none is `0 %`, and nothing but all is `100 %`. */
export function shareText(share: number): string {
  const percent = 100 * share
  if (percent === 0) return '0 %'
  if (percent < 0.001) return '< 0.001 %'
  if (percent > 100 - ROUNDING) return '100 %'
  if (percent >= 99.95) return '> 99.9 %'
  const places = percent >= 10 ? 1 : percent >= 1 ? 2 : 3
  return `${percent.toFixed(places)} %`
}

/** What sums of shares may lack of all. */
const ROUNDING = 1e-9

/** `81,234`; `2.8e+14` where figures would fill a line. */
export function countText(count: number): string {
  if (count >= 1e12) return count.toPrecision(2)
  return Math.round(count).toLocaleString('en-US')
}

/** Where a server listens: what is encrypted says so itself, all else is plain DNS. */
export function listeningText(addresses: readonly string[]): string {
  const plain = addresses.filter(address => !address.endsWith(')'))
  const secure = addresses.filter(address => address.endsWith(')'))
  const both = plain.length === 0 ? [] : [`${plain.join(', ')} (UDP and TCP)`]
  return [...both, ...secure].join(', ')
}
