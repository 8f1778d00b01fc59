/** What a try told, before anybody looks at the time it took. */

export type Told = {
  readonly passed: boolean
  /** For a person: one short sentence without a full stop: `status 503`, `connection refused`. */
  readonly why: string
  /** What it told of the target's load (at least 0) and capacity (above 0). */
  readonly load: number | undefined
  readonly capacity: number | undefined
}

type Amounts = { readonly load?: number | undefined; readonly capacity?: number | undefined }

export function passed(why: string, { load, capacity }: Amounts = {}): Told {
  return { passed: true, why, load, capacity }
}

/** What has failed tells nothing of its load. */
export function failed(why: string): Told {
  return { passed: false, why, load: undefined, capacity: undefined }
}
