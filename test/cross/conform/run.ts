/** All zones served twice over, all questions asked, all replies compared: what came of it, in numbers. */
import { type Authorities, SERVERS, startAuthorities } from './authorities.ts'
import { type Case, compare, type Outcome, type Row } from './compare.ts'
import { DIFFERENCES } from './differences.ts'
import { askAll } from './exchange.ts'
import { fixedQuestions } from './fixed-questions.ts'
import { drawnQuestions } from './questions.ts'
import { nameAt, type Question, type Told } from './wire.ts'
import { CUTS, ROOT } from './zone-cuts.ts'
import { DATA } from './zone-data.ts'
import { drawnZones } from './zone-drawn.ts'
import { SHAPES, type ZoneText } from './zone-texts.ts'

/** Below a root of ours nothing is out of zone: it has servers of its own. */
export const WORLDS: readonly (readonly ZoneText[])[] = [
  [...SHAPES, ...CUTS, ...DATA, ...drawnZones(2, 20)],
  ROOT,
]
/** Of ten questions, how many are asked of each world. */
const SHARE = [8, 2]

export type Tally = {
  readonly questions: number
  /** Questions on which all servers agree in every aspect. */
  readonly agreed: number
  /** Questions on which the only difference is a CD that came back, or did not. */
  readonly agreedButCd: number
  /** On how many questions each class of difference was met. */
  readonly hits: ReadonlyMap<Row, number>
  readonly unexplained: readonly string[]
  /** Questions to which a server said nothing. */
  readonly silent: readonly string[]
  /** Questions on which a row excuses us. */
  readonly alone: number
}

export async function startWorlds(): Promise<readonly Authorities[]> {
  return Promise.all(WORLDS.map(startAuthorities))
}

export async function runAll(
  started: readonly Authorities[],
  count: number,
  seed: number,
): Promise<Tally> {
  const cases = await Promise.all(
    WORLDS.map((zones, world) => {
      const drawn = drawnQuestions(zones, (count * (SHARE[world] ?? 0)) / 10, seed + world)
      const questions = [...fixedQuestions(world), ...drawn]
      const authorities = started[world]
      return authorities === undefined ? [] : casesOf(zones, authorities, questions)
    }),
  )
  return tallyOf(cases.flat())
}

async function casesOf(
  zones: readonly ZoneText[],
  authorities: Authorities,
  questions: readonly Question[],
): Promise<Case[]> {
  const told = await Promise.all(SERVERS.map(server => askAll(authorities[server], questions)))
  return questions.map((question, at) => {
    const name = nameAt(question.name, 0).text
    const without: readonly string[] = zoneOf(zones, name)?.without ?? []
    const replies = SERVERS.map((server, which) => [server, told[which]?.[at]] as const)
    const holding = replies.filter(([server]) => !without.includes(server))
    return { name, question, told: Object.fromEntries(holding) as Record<string, Told> }
  })
}

function zoneOf(zones: readonly ZoneText[], name: string): ZoneText | undefined {
  return zones.find(({ origin }) => name === origin || name.endsWith(`.${origin}`))
}

function tallyOf(cases: readonly Case[]): Tally {
  const hits = new Map<Row, number>()
  const unexplained: string[] = []
  const silent = cases.filter(({ told }) => Object.values(told).includes(undefined as never))
  let agreed = 0
  let agreedButCd = 0
  let alone = 0
  for (const one of cases.filter(each => !silent.includes(each))) {
    const outcome = compare(one, DIFFERENCES)
    if (outcome.used.length + outcome.unexplained.length === 0) agreed += 1
    else if (isOnlyCd(outcome)) agreedButCd += 1
    if (outcome.used.some(({ server }) => server === 'lbdns')) alone += 1
    for (const row of new Set(outcome.used.map(({ row }) => row))) {
      hits.set(row, (hits.get(row) ?? 0) + 1)
    }
    unexplained.push(...outcome.unexplained.map(words => `${inWords(one)}: ${words}`))
  }
  return {
    questions: cases.length,
    agreed,
    agreedButCd,
    hits,
    unexplained,
    silent: silent.map(inWords),
    alone,
  }
}

function isOnlyCd({ used, unexplained }: Outcome): boolean {
  return unexplained.length === 0 && used.every(({ row }) => row.aspects.join() === 'cd')
}

function inWords({ name, question }: Case): string {
  const { type, over, edns, flags } = question
  const size = edns === undefined ? 'no EDNS' : `EDNS ${edns.size}${edns.isDo ? ' DO' : ''}`
  return `${name} class ${question.class} TYPE${type} ${over} ${size} flags ${flags.toString(16)}`
}
