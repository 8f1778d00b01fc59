/** A figure that a model gives, and what it is held to. */

export type Figure = {
  readonly name: string
  /** Of the mean; absent: it is only shown. */
  readonly wanted: Wanted | undefined
  /** One for each seed. */
  readonly measure: () => readonly number[]
}

export type Wanted = { readonly text: string; readonly least: number; readonly most: number }

export const SEEDS = [1, 2, 3, 4, 5] as const

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

export function about(figure: number, percent: number): Wanted {
  const part = percent / 100
  return between(`${figure.toFixed(2)} ± ${percent} %`, figure * (1 - part), figure * (1 + part))
}

export function above(text: string, least: number): Wanted {
  return between(`> ${text}`, least, Number.POSITIVE_INFINITY)
}

export function between(text: string, least: number, most: number): Wanted {
  return { text, least, most }
}
