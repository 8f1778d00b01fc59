/**
 * Servers made of a function, measured the way `lbprobe` measures: complete rounds in random order,
 * a look after each, then the networks that the judge wants verified. No sockets, no clock.
 */
import { below, type Chance, chance } from '../../probe/judge/chance.ts'
import { judgeEcs } from '../../probe/judge/ecs.ts'
import type { Judgement } from '../../probe/judge/judgement.ts'
import { lastRound, look } from '../../probe/judge/look.ts'
import type { Observation } from '../../probe/judge/observation.ts'
import { blocksToVerify, type Network } from '../../probe/judge/verify.ts'

/** What a simulated server sees, and the chance it may use. */
export type Asked = {
  readonly network: Network | undefined
  readonly chance: Chance
  /** Queries it has had so far. */
  readonly turn: number
  readonly round: number
}

export type Answered = {
  readonly answers?: readonly string[]
  /** Absent: no option comes back. */
  readonly scope?: number | undefined
} & Partial<Observation>

export type Server = (asked: Asked) => Answered

/** Four regions of five subnets, none beside another: 20.x is US, 60.x DE, 120.x JP, 180.x BR. */
export const REGIONS = { US: 20, DE: 60, JP: 120, BR: 180 } as const
export type Region = keyof typeof REGIONS

export function panel(each = 5): readonly Network[] {
  return Object.entries(REGIONS).flatMap(([region, first]) =>
    Array.from({ length: each }, (_, at) => network4(first, 16 + 37 * at, 0, region)),
  )
}

export function network4(a: number, b: number, c: number, region?: string): Network {
  const octets = Uint8Array.of(a, b, c)
  return { text: `${a}.${b}.${c}.0/24`, family: 1, source: 24, octets, region }
}

/** The region by its honest border: each owns the /6 that its panel lies in; everybody else is US. */
export function regionOf(network: Network | undefined): Region {
  const first = (network?.octets[0] ?? 0) & 0xfc
  const found = Object.entries(REGIONS).find(([, octet]) => (octet & 0xfc) === first)
  return (found?.[0] ?? 'US') as Region
}

/** One observation, everything as it should be unless said otherwise. */
export function observe(
  network: Network | undefined,
  answered: Answered,
  rest: Partial<Observation>,
): Observation {
  const { answers = [], scope, ...more } = answered
  const address = network === undefined ? '' : hex(network.octets)
  const { text = '', family = 1, source = 0, region } = network ?? {}
  return {
    sequence: 0,
    at: 0,
    name: 'www.example.com',
    type: 'A',
    server: '192.0.2.53#53',
    transport: 'udp',
    round: 1,
    purpose: 'sample',
    sent: network === undefined ? undefined : { text, family, source, address, region },
    error: undefined,
    rcode: 'NOERROR',
    flags: { aa: true, tc: false, ra: false },
    echo:
      network === undefined || scope === undefined ? undefined : { family, source, scope, address },
    edns: true,
    answers,
    chain: [],
    ttl: answers.length === 0 ? undefined : 60,
    soa: answers.length === 0,
    instance: undefined,
    milliseconds: 1,
    oddities: [],
    ...rest,
    ...more,
  }
}

function hex(octets: Uint8Array): string {
  return [...octets].map(octet => octet.toString(16).padStart(2, '0')).join('')
}

export type Run = {
  readonly networks?: readonly Network[]
  readonly seed?: number
  readonly permutations?: number
  readonly samples?: number
}

/** Measures and judges a simulated server. */
export function measure(server: Server, run: Run = {}): Judgement {
  const { networks = panel(), seed = 1, permutations = 19_999, samples = 5 } = run
  const options = { name: 'www.example.com', type: 'A', seed, permutations, samples }
  const dice = chance(seed ^ 0x5eed)
  const seen: Observation[] = []
  const ask = (network: Network | undefined, round: number, purpose: Observation['purpose']) => {
    const sequence = seen.length
    const answered = server({ network, chance: dice, turn: sequence, round })
    seen.push(observe(network, answered, { sequence, at: sequence * 50, round, purpose }))
  }
  let view = look(seen, options)
  for (let round = 1; view.kind === 'more' && round <= lastRound(networks.length); round += 1) {
    for (const network of shuffled([...networks, undefined], dice)) {
      ask(network, round, network === undefined ? 'control' : 'sample')
    }
    view = look(seen, options)
  }
  const verify = view.kind === 'enough' && view.dependent ? blocksToVerify(seen, options) : []
  for (const { samples: wanted } of verify) for (const one of wanted) ask(one, 9, 'scope')
  return judgeEcs(seen, options)
}

export function shuffled<T>(values: readonly T[], dice: Chance): readonly T[] {
  const rest = [...values]
  const drawn: T[] = []
  while (rest.length > 0) drawn.push(...rest.splice(below(dice, rest.length), 1))
  return drawn
}

/** A pool of addresses `192.0.2.first …`. */
export function pool(first: number, size: number): readonly string[] {
  return Array.from({ length: size }, (_, at) => `192.0.2.${first + at}`)
}

/** `many` of a pool, drawn without putting back. */
export function some(from: readonly string[], many: number, dice: Chance): readonly string[] {
  return shuffled(from, dice).slice(0, many)
}

/** In how many of the runs, seeded 1 … runs, the judgement has this code. */
export function timesOf(
  code: string,
  runs: number,
  server: (seed: number) => Server,
  run: Run = {},
) {
  const codes: Record<string, number> = {}
  for (let seed = 1; seed <= runs; seed += 1) {
    const { verdict } = measure(server(seed), { ...run, seed })
    codes[verdict.code] = (codes[verdict.code] ?? 0) + 1
  }
  return { hits: codes[code] ?? 0, codes }
}
