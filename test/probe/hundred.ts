/**
 * A name of the lab a hundred times with a hundred seeds, through plan, exchange and judge. The clock
 * jumps, so nobody waits.
 */
import { expect } from 'vitest'
import { asker, DEFAULT_MANNER } from '../../probe/ask/ask.ts'
import type { Server } from '../../probe/ask/server.ts'
import { judgeEcs } from '../../probe/judge/ecs.ts'
import type { Judgement } from '../../probe/judge/judgement.ts'
import { judgeRotation } from '../../probe/judge/rotation.ts'
import { compareTwins } from '../../probe/judge/twins.ts'
import { type Answer, ECS_ANSWER } from '../../probe/judge/verdict.ts'
import type { LabName } from '../../probe/lab/behaviour.ts'
import type { Run } from '../../probe/ledger.ts'
import { measureEcs, measureRotation } from '../../probe/measure.ts'
import { DEFAULT_QUERIES } from '../../probe/plan/budget.ts'
import { chanceFrom } from '../../probe/plan/chance.ts'
import { DEFAULT_COUNTRIES, panelOf, SUBNETS_A_COUNTRY } from '../../probe/plan/panel.ts'
import type { Subnet } from '../../probe/plan/question.ts'
import { isWrong } from '../../probe/plan/wrong.ts'
import { labWire, TABLE } from './in-process.ts'

const RUNS = 100
const ENOUGH = 99

const PANEL = defaultPanel()

function defaultPanel(): readonly Subnet[] {
  const panel = panelOf(TABLE, DEFAULT_COUNTRIES, SUBNETS_A_COUNTRY)
  if (isWrong(panel)) throw new Error(panel.wrong)
  return panel
}

function serverAt(address: string): Server {
  return { address, port: 5300, transport: 'udp', recursion: 'not-desired' }
}

function runWith(seed: number): Run {
  const chance = chanceFrom(seed)
  return {
    asker: asker(labWire(seed), chance, DEFAULT_MANNER),
    chance,
    budget: { queries: DEFAULT_QUERIES, rate: Number.POSITIVE_INFINITY },
    width: 1,
    intervalMs: 0,
    signal: new AbortController().signal,
    progress: () => undefined,
  }
}

async function rotationCode(label: string, seed: number): Promise<string> {
  const subject = { name: `${label}.lab.test`, type: 'A' }
  const servers = [serverAt('127.0.0.1')]
  const wish = { count: 20, subnet: undefined }
  const seen = await measureRotation(runWith(seed), subject, servers, wish)
  return judgeRotation(seen, { ...subject, seed }).verdict.code
}

/** What `ecs` finds of a name of the lab, asked as that name needs: the last type's judgement. */
export async function judgedOf(name: LabName, seed: number): Promise<Judgement> {
  const { label, asked } = name
  const types = asked === 'both-families' ? ['A', 'AAAA'] : ['A']
  const servers = ['127.0.0.1', '127.0.0.2']
    .slice(0, asked === 'both-servers' ? 2 : 1)
    .map(serverAt)
  const hostile = asked === 'hostile' ? 'sent' : 'unsent'
  const wish = { panel: PANEL, rounds: undefined, samples: 5, alpha: 0.001, seed, hostile } as const
  const judgements: Judgement[] = []
  for (const type of types) {
    const subject = { name: `${label}.lab.test`, type }
    const seen = await measureEcs(runWith(seed), subject, servers, wish)
    judgements.push(judgeEcs(seen, { ...subject, seed, alpha: wish.alpha }))
  }
  return both(compareTwins(judgements))
}

/** The first judgement with the findings of all. */
function both(judgements: readonly Judgement[]): Judgement {
  const [first] = judgements
  if (first === undefined) throw new Error('nothing was judged')
  return { ...first, findings: judgements.flatMap(({ findings }) => findings) }
}

/** What was seen, as one word each way it came. */
type Counts = Readonly<Record<string, number>>

async function tally(say: (seed: number) => Promise<string>): Promise<Counts> {
  const counts: Record<string, number> = {}
  for (let seed = 1; seed <= RUNS; seed += 1) {
    const given = await say(seed)
    counts[given] = (counts[given] ?? 0) + 1
  }
  return counts
}

/** The plain answer of each code. */
export const ANSWERS: ReadonlyMap<string, Answer> = new Map(Object.entries(ECS_ANSWER))

/** Holds a name to what `dns2` must say of it in at least ninety-nine runs of a hundred. */
export async function expectRotation(label: string, code: string): Promise<void> {
  const counts = await tally(seed => rotationCode(label, seed))
  expect(counts[code] ?? 0, JSON.stringify(counts)).toBeGreaterThanOrEqual(ENOUGH)
}

/** Holds a name to its code and to exactly its findings, in ninety-nine runs of a hundred. */
export async function expectEcs(name: LabName): Promise<void> {
  const counts = await tally(async seed => {
    const { verdict, findings } = await judgedOf(name, seed)
    return wordsOf(
      verdict.code,
      findings.map(({ id }) => id),
    )
  })
  const wanted = wordsOf(name.ecs ?? '', findingsOf(name))
  expect(counts[wanted] ?? 0, `${wanted}: ${JSON.stringify(counts)}`).toBeGreaterThanOrEqual(ENOUGH)
}

function wordsOf(code: string, ids: readonly string[]): string {
  return [code, ...[...new Set(ids)].sort()].join(' ')
}

/** The findings among what a name must be noticed for. */
export function findingsOf({ notices = '' }: LabName): readonly string[] {
  return notices.split(' ').filter(word => /^[A-Z]{3}[0-9]{3}$/.test(word))
}
