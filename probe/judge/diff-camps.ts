/**
 * Servers that say the same stand together; who stands apart from most is the odd one out. Knows
 * nothing of what is compared.
 */

export type Camp<T> = {
  readonly value: T
  readonly servers: readonly string[]
}

/** Something that servers hold, to be compared. */
export type Held<T> = { readonly server: string; readonly value: T }

/**
 * The camps, greatest first; each server joins the first whose founder says the same.
 *
 * @param alike whether two values are the same thing
 */
export function campsOf<T>(
  held: readonly Held<T>[],
  alike: (one: T, other: T) => boolean,
): readonly Camp<T>[] {
  const camps: { readonly value: T; readonly servers: string[] }[] = []
  for (const { server, value } of held) {
    const camp = camps.find(on => alike(on.value, value))
    if (camp === undefined) camps.push({ value, servers: [server] })
    else camp.servers.push(server)
  }
  return camps.sort((a, b) => b.servers.length - a.servers.length)
}

/** Servers outside the greatest camp; none where two are greatest: that is no majority. */
export function oddOnes(camps: readonly Camp<unknown>[]): readonly string[] {
  const [most, ...others] = camps
  const second = others[0]?.servers.length ?? 0
  return (most?.servers.length ?? 0) > second ? others.flatMap(({ servers }) => servers) : []
}
