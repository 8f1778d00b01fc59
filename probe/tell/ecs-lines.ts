/** What `ecs` saw as lines: a row for each subnet, the sets, and what chance says. */
import type { Judgement, SubnetRow } from '../judge/judgement.ts'
import type { EcsEvidence, Test } from '../judge/verdict.ts'
import { bigText, many, percent, printable, pText } from './number.ts'
import type { Style } from './style.ts'
import { tableLines } from './table.ts'

type Page = { readonly style: Style; readonly width: number | undefined }

export function ecsLines(one: Judgement, seen: EcsEvidence, page: Page): readonly string[] {
  const { style, width } = page
  const rows = one.scopes.map(row => [
    row.subnet,
    row.region ?? '-',
    scopeText(row),
    row.group ?? '-',
    setsText(row),
  ])
  const [head = '', ...body] = tableLines(
    [['subnet', 'region', 'scope', 'set', 'addresses'], ...rows],
    width,
  )
  return [
    ...(rows.length === 0 ? [] : [style.faint(head), ...body]),
    ...evidenceLines(one, seen).map(style.faint),
  ]
}

function scopeText({ echo, scopes }: SubnetRow): string {
  const list = scopes.map(scope => `/${scope}`).join(' ')
  if (echo === 'exact') return list
  if (echo === 'partial') return `${list}, not always`
  return echo === 'mismatch' ? 'wrong option' : echo === 'missing' ? 'no option' : 'no answer'
}

function setsText({ answers, sets, group }: SubnetRow): string {
  if (group === undefined) return ''
  const text = answers.length === 0 ? 'nothing' : printable(answers.join(' '))
  return sets > 1 ? `${text} (${sets} sets)` : text
}

/** Why one may believe it: how much was asked, and what chance says. */
export function evidenceLines(one: Judgement, seen: EcsEvidence): readonly string[] {
  const asked = `${many(seen.queries, 'query', 'queries')} to ${one.server}`
  const rounds = `${many(seen.subnets, 'subnet', 'subnets')} in ${many(seen.rounds, 'round', 'rounds')}`
  return [
    `${asked} · ${rounds} · seed ${seen.seed}${failuresText(seen)}`,
    ...testLine('depends on the subnet', seen.subnet, seen.limit),
    ...testLine('goes with the region', seen.region, seen.limit),
    ...verifiedLine(seen),
  ]
}

function failuresText({ failures }: EcsEvidence): string {
  const parts = Object.entries(failures).map(([what, count]) => `${count}× ${what}`)
  return parts.length === 0 ? '' : ` · unusable: ${parts.join(', ')}`
}

function testLine(what: string, test: Test | undefined, limit: number): readonly string[] {
  if (test === undefined) return []
  const how = `${test.exact ? 'all ' : ''}${bigText(test.arrangements)} arrangements`
  const says = test.p <= limit ? what : `not shown that it ${what}`
  return [`${says}: ${pText(test.p)} (limit ${limit}, ${how}), effect ${test.effect.toFixed(2)}`]
}

function verifiedLine({ verified, fragmentation }: EcsEvidence): readonly string[] {
  const { blocks, samples, detectable } = verified
  const fine =
    (fragmentation ?? 1) < 1.05 || fragmentation === undefined
      ? []
      : [`scopes ${fragmentation.toFixed(1)} times as fine as needed`]
  if (detectable === undefined) return fine
  const tried = `${many(samples, 'sample', 'samples')} in ${many(blocks, 'block', 'blocks')}`
  return [
    [
      `${tried}: a fault in ${percent(detectable)} of a block is found in 95 of 100 runs`,
      ...fine,
    ].join(' · '),
  ]
}
