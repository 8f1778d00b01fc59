/** Numbers of things, in words. */

/** `no warnings`, `1 problem`, `2 zones` */
export function counted(count: number, noun: string): string {
  return `${count === 0 ? 'no' : count} ${noun}${count === 1 ? '' : 's'}`
}
