/**
 * Master files, good and bad, through our loader and those of BIND, Knot, NSD and ldns: the same are
 * zones to all of them, with the same records. LBDNS_CONFORM asks for all 300, else every fourth.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWith, folder, stopAll } from '../kit/process.ts'
import { allTexts, loadText } from '../kit/zone-text.ts'
import { agree, type Judged } from './zonefile/agree.ts'
import { dataFiles } from './zonefile/data-faults.ts'
import { FORMS, HEAD, INCLUDED, ORIGIN } from './zonefile/forms.ts'
import { MEANINGS } from './zonefile/meanings.ts'
import { judge, PROGRAMS, recordsIn, TOOLS, type Verdict } from './zonefile/tools.ts'
import { DISAGREEMENTS } from './zonefile/verdicts.ts'

const IS_WHOLE = process.env.LBDNS_CONFORM !== undefined
const SEED = Number(process.env.LBDNS_SEED ?? 1)

const ALL = [...FORMS, ...MEANINGS, ...dataFiles(1, SEED)]
const FILES = ALL.filter((_, at) => IS_WHOLE || at % 4 === SEED % 4).map(
  ([what, text]) => [what, text.replace('%', () => HEAD)] as const,
)

afterAll(stopAll)

describeWith(PROGRAMS, `${FILES.length} master files`, () => {
  let judged: readonly Judged[]

  beforeAll(async () => {
    judged = await judgeAll()
    if (IS_WHOLE) console.log(figures(judged))
  }, 600_000)

  test('there are 300 in all', () => expect(ALL.length).toBeGreaterThanOrEqual(300))

  test('every disagreement has a row that says why', () => {
    expect(judged.flatMap(one => agree(one).unexplained ?? [])).toEqual([])
  })

  test('what we take and BIND takes, BIND reads back from us', () => {
    const both = judged.filter(
      ({ verdicts }) => verdicts.bind.isAccepted && verdicts.lbdns.isAccepted,
    )
    expect(both.length).toBeGreaterThan(FILES.length / 4)
    expect(both.filter(({ verdicts }) => verdicts.lbdns.records === undefined)).toEqual([])
  })

  test.runIf(IS_WHOLE)('every row is still so', () => {
    const used = new Set(judged.flatMap(one => agree(one).used.map(({ row }) => row)))
    expect(DISAGREEMENTS.filter(row => !used.has(row)).map(({ files }) => files)).toEqual([])
  })
})

async function judgeAll(): Promise<Judged[]> {
  const where = folder(INCLUDED)
  const names = FILES.map((_, at) => `f${at}`)
  for (const [at, [, text]] of FILES.entries()) put(where, `f${at}`, text)
  const theirs = await Promise.all(TOOLS.map(tool => judge(tool, where, ORIGIN, names)))
  const ours = await judgeOurs(where)
  return FILES.map(([what], at) => {
    const verdicts = TOOLS.map((tool, which) => [tool, theirs[which]?.[at]] as const)
    const whole = [...verdicts, ['lbdns', ours[at]] as const]
    return { what, verdicts: Object.fromEntries(whole) as Judged['verdicts'] }
  })
}

async function judgeOurs(where: string): Promise<Verdict[]> {
  const loaded = FILES.map(([, text]) => loadText(text, INCLUDED))
  const good = loaded.flatMap(({ problems, zones }, at) => {
    if (problems.length > 0) return []
    put(where, `f${at}.lbdns`, `${allTexts(zones).join('\n')}\n`)
    return [`f${at}.lbdns`]
  })
  const records = await recordsIn(where, ORIGIN, good)
  return loaded.map(({ problems }, at) => ({
    isAccepted: problems.length === 0,
    records: records.get(`f${at}.lbdns`),
  }))
}

function put(where: string, name: string, text: string): void {
  writeFileSync(join(where, name), Buffer.from(text, 'latin1'))
}

/** As they stand in the README. */
function figures(all: readonly Judged[]): string {
  const each = all.map(one => agree(one).used)
  const alike = each.filter(used => used.length === 0).length
  const apart = each.filter(used => used.some(({ judge }) => judge === 'lbdns')).length
  const rows = DISAGREEMENTS.map(one => {
    const count = each.filter(used => used.some(({ row }) => row === one)).length
    return `| ${one.files.source} | ${one.who.join(', ')} | ${count} | ${one.clause}: ${one.why} |`
  })
  const whole = `${all.length} files: all alike on ${alike}; a row excuses lbdns on ${apart}`
  return [whole, ...rows].join('\n')
}
