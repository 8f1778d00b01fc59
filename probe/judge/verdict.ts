/**
 * What can be said of a name: four plain answers, a stable code under each, and the figures that the
 * code rests on. Codes are printed, scripted against and never renamed. Knows no sentences: those
 * are in `tell/words.ts`.
 */

/**
 * real: answers depend on the client's network, and the scope says so truthfully.
 * fake: something claims tailoring that is not there, or is not true.
 * none: the same for everyone as far as was seen; anycast may still steer.
 * unclear: too little was seen, or the path spoils it.
 */
export type Answer = 'real' | 'fake' | 'none' | 'unclear'

/** What `ecs` can find, and the plain answer it stands for. */
export const ECS_ANSWER = {
  geo: 'real',
  'geo-unaggregated': 'real',
  'scope-theatre': 'fake',
  'lying-scope': 'fake',
  'broken-scope': 'fake',
  'prefix-sharding': 'fake',
  'no-echo': 'fake',
  'single-answer': 'none',
  'static-pool': 'none',
  rotation: 'none',
  'no-ecs': 'none',
  empty: 'none',
  'partial-ecs': 'unclear',
  data: 'unclear',
  path: 'unclear',
  cached: 'unclear',
  refused: 'unclear',
} as const satisfies Readonly<Record<string, Answer>>

/**
 * What `dns2` can find. It speaks for one client only, so it never says real or fake: `none` means
 * that nothing was seen that depends on who asks.
 */
export const ROTATION_ANSWER = {
  'shuffled-list': 'none',
  'cyclic-list': 'none',
  'fixed-list': 'none',
  'rotating-one': 'none',
  'rotating-subset': 'none',
  single: 'none',
  drifting: 'none',
  empty: 'none',
  cached: 'unclear',
  unclear: 'unclear',
} as const satisfies Readonly<Record<string, Answer>>

export type EcsCode = keyof typeof ECS_ANSWER
export type RotationCode = keyof typeof ROTATION_ANSWER

export type Verdict = {
  readonly answer: Answer
  readonly code: EcsCode | RotationCode
  /** `weighted`, `rotates-within-region`, `cname-to:edge.example.net`, `mixed-negative`, `by-instance`, … */
  readonly modifiers: readonly string[]
  readonly evidence: Evidence
}

export type Evidence = RotationEvidence | EcsEvidence

/** Probabilities are p-values: how often chance alone would look at least so much like it. */
export type RotationEvidence = {
  readonly kind: 'rotation'
  /** Queries sent, and replies that could be used. */
  readonly queries: number
  readonly replies: number
  /** Replies without a record of the type asked. */
  readonly empty: number
  /** The reply code seen most often, or absent without any reply. */
  readonly rcode: string | undefined
  /** Distinct addresses seen: a lower bound of the pool. */
  readonly atLeast: number
  /** Chao's estimate of the pool, never below `atLeast`; absent where the pool is plainly complete. */
  readonly probably: number | undefined
  /** The greatest share of replies that an address not seen at all may still have, 95 % confidence. */
  readonly unseen: number
  /** Addresses per answer. */
  readonly perAnswer: { readonly min: number; readonly max: number }
  /** Distinct orders, and how often a reply's order differed from the one before. */
  readonly orders: number
  readonly orderChanges: number
  /** How often each address came first, most often first. */
  readonly first: readonly { readonly address: string; readonly count: number }[]
  /** Would equal chances give first addresses as uneven as these? */
  readonly uniform: number | undefined
  /** Would chance give a turn as regular as this? */
  readonly cyclic: number | undefined
  /** Would a fair choice between two look this constant? */
  readonly constant: number | undefined
  /** Would chance put equal answers side by side like this? */
  readonly drift: number | undefined
  /** Does what is answered go with the instance, by chance? */
  readonly instance: number | undefined
  /** Seconds; absent without any record. */
  readonly ttl: { readonly min: number; readonly max: number } | undefined
  readonly countsDown: boolean
  readonly authoritative: boolean
}

/** One permutation test. */
export type Test = {
  /** Mean distance between groups less mean distance within, −1 … 1. */
  readonly effect: number
  readonly p: number
  /** How many arrangements p was counted over, the observed one included. */
  readonly arrangements: number
  /** Whether those were all there are. */
  readonly exact: boolean
}

/** Level 2, with the mean distances that it compares. */
export type RegionTest = Test & {
  /** Of two subnets of one region, and of two regions. */
  readonly within: number
  readonly across: number
  /** The least p that these classes could have given: above the limit, the test could not speak. */
  readonly attainable: number
}

export type EcsEvidence = {
  readonly kind: 'ecs'
  /** Queries sent for this name and type, of all purposes. */
  readonly queries: number
  /** Client subnets that were compared, and rounds in which enough of them were answered. */
  readonly subnets: number
  readonly rounds: number
  readonly seed: number
  /** The p-value that a level must stay under at this look. */
  readonly limit: number
  /** Does the answer depend on the subnet? Absent where nothing varied or nothing came. */
  readonly subnet: Test | undefined
  /** Does it go with the region? Absent where it was not tested. */
  readonly region: RegionTest | undefined
  /** Replies per scope: `{ '24': 80 }`. */
  readonly scopes: Readonly<Record<string, number>>
  /** A steered share of networks that a panel of this size misses once in twenty. */
  readonly missable: number
  /** Blocks whose inside was sampled, samples, and the wrong share of a block found with 95 %. */
  readonly verified: {
    readonly blocks: number
    readonly samples: number
    readonly detectable: number | undefined
  }
  /** How many times finer the scopes are than the answers need; absent where it was not measured. */
  readonly fragmentation: number | undefined
  /** How the replies failed: `timeout`, `REFUSED`, `echo-mismatch`, … and how often. */
  readonly failures: Readonly<Record<string, number>>
}
