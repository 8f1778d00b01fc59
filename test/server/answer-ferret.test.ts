/**
 * Ferret: 5,051 small zones with one question each, on whose answer BIND, Knot, NSD and PowerDNS
 * agree. Through the real loader and `serve`. Skipped, and said so, where the data set is not there:
 * set FERRET to the path of `unanimous.jsonl.gz`.
 */
import { existsSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { type Desk, openDesk } from '../../server/answer/desk.ts'
import { type Record, readMessage } from '../../server/dns/message.ts'
import { chance } from '../../server/steer/chance.ts'
import { recordText } from '../../server/tell/records.ts'
import { exchange, queryOf, worldOfZone } from '../kit/world.ts'

const FERRET = process.env.FERRET ?? '../shared/ferret/unanimous.jsonl.gz'

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

const RCODES = ['NOERROR', 'FORMERR', 'SERVFAIL', 'NXDOMAIN', 'NOTIMP', 'REFUSED', 'YXDOMAIN']

/** Records compare as sets, without letter case; the TTL of a CNAME may be synthesised. */
function normal(text: string): string {
  const [owner, ttl, cls, type, ...data] = text.toLowerCase().split(/\s+/)
  return [owner, type === 'cname' ? '-' : ttl, cls, type, ...data].join(' ')
}

function set(texts: readonly string[]): string[] {
  return [...new Set(texts.map(normal))].sort()
}

function reply(desk: Desk, row: Row) {
  const octets = exchange(desk, queryOf(row.qname.replace(/\.$/, ''), { type: row.qtype }))
  const message = octets === undefined ? undefined : readMessage(octets)
  if (message === undefined) return { rcode: 'none', aa: false, answer: [], authority: [] }
  const apexNs = (record: Record) =>
    message.answers.length > 0 && (message.flags & 0x400) !== 0 && record.type === 2
  return {
    rcode: RCODES[message.rcode] ?? String(message.rcode),
    aa: (message.flags & 0x400) !== 0,
    answer: set(message.answers.map(recordText)),
    authority: set(message.authorities.filter(record => !apexNs(record)).map(recordText)),
  }
}

function expected(row: Row) {
  const isApexNs = (text: string) =>
    row.answer.length > 0 && row.aa && text.split(/\s+/)[3] === 'NS'
  return {
    rcode: row.rcode,
    aa: row.aa,
    answer: set(row.answer),
    authority: set(row.authority.filter(text => !isApexNs(text))),
  }
}

/** Loads and asks every row; returns those that differ. */
function differences(rows: readonly string[]): unknown[] {
  return rows.flatMap(text => {
    const row: Row = JSON.parse(text)
    const desk = openDesk(worldOfZone(`${row.zone.join('\n')}\n`), chance(1))
    const got = reply(desk, row)
    const want = expected(row)
    return JSON.stringify(got) === JSON.stringify(want) ? [] : [{ ...row, got, want }]
  })
}

if (existsSync(FERRET)) {
  test('Ferret, where four servers agree: 5,051 of 5,051', { timeout: 30_000 }, () => {
    const rows = gunzipSync(readFileSync(FERRET)).toString().trim().split('\n')
    expect(rows).toHaveLength(5051)
    expect(differences(rows)).toEqual([])
  })
} else {
  test.skip(`Ferret: ${FERRET} is not here, nothing was compared`)
}
