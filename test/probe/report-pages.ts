/** Pages of the report, as tests want them: one full of hostile text, and those of runs in the lab. */
import type { Partial as Cut } from '../../probe/judge/partial.ts'
import { judgeUnits } from '../../probe/judge/units.ts'
import { program } from '../../probe/program.ts'
import { type Report, reportPage } from '../../probe/tell/html/page.ts'
import { observe } from './judge-simulate.ts'
import { absent, labWorld, paper } from './world.ts'

export const HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(2)>\u001b[31m'

/** @param count of queries */
export function hostileReport(count = 5): Report {
  const observations = Array.from({ length: count }, (_, sequence) =>
    observe(
      undefined,
      { answers: [`${HOSTILE}${sequence % 2}`] },
      { name: HOSTILE, sequence, at: 20 * sequence, instance: HOSTILE },
    ),
  )
  const options = { command: 'dns2', seed: 1, alpha: 0.001, samples: 5, panel: [] } as const
  const unit = { name: HOSTILE, type: 'TXT', chain: [], servers: [HOSTILE] } as const
  const units = [{ ...unit, after: 'nothing', trust: undefined, observations }] as const
  const judgements = judgeUnits(units, options)
  return {
    head: {
      tool: { name: 'lbprobe', version: HOSTILE },
      began: '2026-12-01T10:00:00.123Z',
      options,
      plan: { maxQueries: 500, rate: 20, count: 20 },
    },
    judgements,
    units,
    end: 'done',
    partial: undefined,
    baseline: { judgements, units, began: HOSTILE },
    world: { width: 960, height: 400, shapes: [], spotOf: () => ({ x: 0, y: 0 }) },
    places: new Map(),
  }
}

export function hostilePage(): string {
  return reportPage(hostileReport())
}

/** The same page of a run that ended so. */
export function endedPage(end: Report['end'], partial: Cut | undefined): string {
  return reportPage({ ...hostileReport(), end, partial })
}

/** `lbprobe` in the lab's world, with files in memory. */
export function desk() {
  const files = new Map<string, string>()
  const disk = {
    readText: async (path: string) => files.get(path) ?? absent(path),
    writeText: async (path: string, text: string) => {
      if (path.startsWith('full/')) throw Object.assign(new Error(path), { code: 'ENOSPC' })
      files.set(path, text)
    },
    appendText: async (path: string, text: string) =>
      void files.set(path, (files.get(path) ?? '') + text),
  }
  const use = async (line: string) => {
    const [out, err] = [paper(), paper()]
    const exit = await program(line.split(' '), labWorld({ out, err, ...disk }))
    return { exit, out: out.text(), err: err.text() }
  }
  return { files, use }
}

// biome-ignore format: table
const NAMES = ['geo', 'geo-unaggregated', 'scope-theatre', 'lying-scope', 'prefix-sharding', 'rotating-one', 'empty']

/** A report of each kind of run: name of the page, and its text. */
export async function labPages(): Promise<readonly (readonly [string, string])[]> {
  const { files, use } = desk()
  const ecs = 'ecs -q @127.0.0.1:5300 --seed 3'
  const all = NAMES.map(name => `${name}.lab.test`).join(' ')
  await use(`${ecs} -t A ${all} --record now.jsonl`)
  await use(`${ecs} -t A geo.lab.test scope-theatre.lab.test --country US,DE --record then.jsonl`)
  await use(`${ecs} geo.lab.test lying-scope.lab.test --v6 --record six.jsonl`)
  await use(
    'dns2 -q @127.0.0.1:5300 weighted.lab.test big.lab.test -t A -t TXT --record dns2.jsonl',
  )
  await use('report now.jsonl --baseline then.jsonl -o now.html')
  await use('report six.jsonl -o six.html')
  await use('report dns2.jsonl -o dns2.html')
  const pages = ['now', 'six', 'dns2'].map(name => [name, files.get(`${name}.html`) ?? ''] as const)
  return [...pages, ['hostile', hostilePage()]]
}
