/**
 * The Ferret questions on which BIND, Knot, NSD and PowerDNS agree: every zone loads, and a single look-up
 * already tells rcode, AA and the first RRset. Chains are the business of `answer/`.
 */
import { existsSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { findText, loadText, rrsetTexts } from '../kit/zone-text.ts'

const FILE = new URL('../../../shared/ferret/unanimous.jsonl.gz', import.meta.url)

type Row = {
  readonly id: number
  readonly zone: readonly string[]
  readonly qname: string
  readonly qtype: string
  readonly rcode: string
  readonly aa: boolean
  readonly answer: readonly string[]
  readonly authority: readonly string[]
}

const KINDS_WITH_ANSWER = new Set(['answer', 'alias', 'rename'])

/** `owner type data` without TTL and class, in lower case. */
function withoutTtl(record: string): string {
  const [owner, , ...rest] = record.toLowerCase().replaceAll('"', '').split(' ')
  return [owner, ...rest.filter(word => word !== 'in')].join(' ')
}

/** Where a single look-up says something else than the four servers; `undefined`: nowhere. */
function difference(row: Row): string | undefined {
  const { zones, problems } = loadText(`${row.zone.join('\n')}\n`)
  if (problems.length > 0) return problems.join()
  const found = findText(zones, row.qname, row.qtype)
  const isAnswer = KINDS_WITH_ANSWER.has(found.kind)
  if (isAnswer !== row.answer.length > 0) return found.kind
  const isChain = found.kind === 'alias' || found.kind === 'rename'
  if (!isChain && row.aa !== (found.kind !== 'referral')) return `aa ${found.kind}`
  if (!isChain && row.rcode !== (found.kind === 'no-name' ? 'NXDOMAIN' : 'NOERROR'))
    return found.kind
  const said = new Set([...row.answer, ...row.authority].map(withoutTtl))
  const rrset = isAnswer || found.kind === 'referral' ? found.rrset : found.soa
  const own = rrsetTexts(zones, rrset).map(withoutTtl)
  const asOwner = found.kind === 'rename' ? undefined : row.qname.toLowerCase()
  const records = own.map(text => (isAnswer && asOwner ? text.replace(/^\S+/, asOwner) : text))
  const missing = records.filter(record => !said.has(record))
  if (missing.length > 0) return `not said: ${missing.join()}`
  if (!isChain && isAnswer && records.length !== row.answer.length) return 'too few records'
  return undefined
}

test.skipIf(!existsSync(FILE))('5,051 of 5,051 Ferret questions', () => {
  const rows: Row[] = gunzipSync(readFileSync(FILE))
    .toString()
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  const different = rows.flatMap(row => {
    const said = difference(row)
    return said === undefined ? [] : [`${row.id} ${row.qname} ${row.qtype}: ${said}`]
  })
  expect(rows).toHaveLength(5051)
  expect(different).toEqual([])
})
