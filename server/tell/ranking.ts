/**
 * Rankings in words: pools in order of preference, those that are equally good together.
 */

/** What stands for the ranking of a special block. */
export const SPECIAL_TEXT = '(by the source address of the query)'

/** `fra = iad, sfo`: the first two are equally good. */
export function rankingText(tiers: readonly (readonly string[])[]): string {
  return tiers.map(tierText).join(', ')
}

/** `fra = iad` */
export function tierText(tier: readonly string[]): string {
  return tier.join(' = ')
}
