/**
 * A name of the lab a hundred times with a hundred seeds, through plan, exchange and judge. The clock
 * jumps, so nobody waits.
 */
import { expect } from 'vitest'
import { asker, DEFAULT_MANNER } from '../../probe/ask/ask.ts'
import type { Server } from '../../probe/ask/server.ts'
import { judgeEcs } from '../../probe/judge/ecs.ts'
import { judgeRotation } from '../../probe/judge/rotation.ts'
import { type Answer, ECS_ANSWER } from '../../probe/judge/verdict.ts'
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

async function ecsCode(label: string, seed: number): Promise<string> {
  const subject = { name: `${label}.lab.test`, type: 'A' }
  const servers = ['127.0.0.1', '127.0.0.2'].slice(0, label === 'partial-ecs' ? 2 : 1).map(serverAt)
  const wish = { panel: PANEL, rounds: undefined, samples: 5, alpha: 0.001, seed }
  const seen = await measureEcs(runWith(seed), subject, servers, wish)
  return judgeEcs(seen, { ...subject, seed, alpha: wish.alpha }).verdict.code
}

/** How often each code was given. */
async function tally(code: (seed: number) => Promise<string>): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (let seed = 1; seed <= RUNS; seed += 1) {
    const given = await code(seed)
    counts[given] = (counts[given] ?? 0) + 1
  }
  return counts
}

/** The plain answer of each code. */
export const ANSWERS: ReadonlyMap<string, Answer> = new Map(Object.entries(ECS_ANSWER))

/** Holds a name to its code in at least ninety-nine runs of a hundred. */
export async function expectCode(
  command: 'dns2' | 'ecs',
  label: string,
  code: string,
): Promise<void> {
  const counts = await tally(seed => (command === 'dns2' ? rotationCode : ecsCode)(label, seed))
  expect(counts[code] ?? 0, JSON.stringify(counts)).toBeGreaterThanOrEqual(ENOUGH)
}
