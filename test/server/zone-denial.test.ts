/** The ready-made SOA of negative answers: the very octets that compressing it each time makes. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compressor, noteQuestion, putRecord } from '../../server/dns/compress.ts'
import { nameBuffer, nameFromText, setName } from '../../server/dns/name.ts'
import { hexText, viewOf } from '../../server/dns/octets.ts'
import { rdataFromText } from '../../server/dns/rdata.ts'
import { TYPE } from '../../server/dns/rrtype.ts'
import { isWrong } from '../../server/fault.ts'
import {
  appendDenial,
  type Denials,
  denying,
  isNearSoa,
  putDenial,
} from '../../server/zone/denial.ts'
import { deskOf, exchange, queryOf } from '../kit/world.ts'
import { tokens } from './dns-tokens.ts'

function name(text: string): Uint8Array {
  const wire = nameFromText(text, undefined)
  if (isWrong(wire)) throw new Error(wire.wrong)
  return wire
}

function soa(names: string): Uint8Array {
  const rdata = rdataFromText(TYPE.SOA, tokens(`${names} 1 2 3 4 5`), undefined)
  if (isWrong(rdata)) throw new Error(rdata.wrong)
  return rdata
}

type Asked = { readonly apex: string; readonly names: string; readonly asked: string }

/** The record behind a question, ready-made or `near`; and as compression writes it. */
function both({ apex, names, asked }: Asked): { readonly ready: string; readonly made: string } {
  const rdata = soa(names)
  const made = denying()
  appendDenial(made, soa('a. b.'), 0, 9, rdata, 0, rdata.length) // another zone before it
  appendDenial(made, name(apex), 0, 60, rdata, 0, rdata.length)
  const denials: Denials = { denials: made.octets.cells, denialRows: made.rows.cells }
  const question = nameBuffer()
  setName(question, name(asked), 0)
  const start = question.length - name(apex).length
  const above = question.starts.subarray(0, question.labels).findLastIndex(at => at < start)
  const from = 12 + question.length + 4
  const near = start > 0 && isNearSoa(denials, 1, question, start, question.starts[above] ?? 0)
  const out = new Uint8Array(1024)
  const end = putDenial(denials, viewOf(denials.denials), 1, start, viewOf(out), from, 1024)
  const c = compressor()
  noteQuestion(c, question)
  const other = new Uint8Array(1024)
  other.set(name(asked), 12)
  const [owner, length] = [name(apex), rdata.length]
  const last = putRecord(c, viewOf(other), from, 1024, owner, 0, TYPE.SOA, 1, 60, rdata, 0, length)
  const ready = near ? 'near' : hexText(out.subarray(from, end))
  return { ready, made: hexText(other.subarray(from, last)) }
}

describe('RFC 1035 §4.1.4 what the pointers point at', () => {
  const TAIL = '00000001 00000002 00000003 00000004 00000005'
  // biome-ignore format: table
  const TABLE = [
    // apex   server, mailbox    asked      owner  type class ttl     length  server      mailbox
    ['b.',   'n.b. m.b.',       'b.',      `c00c 0006 0001 0000003c 001c 016e c00c 016d c00c`],
    ['b.',   'n.b. m.b.',       'x.b.',    `c00e 0006 0001 0000003c 001c 016e c00e 016d c00e`],
    ['b.',   'b. b.',           'x.y.b.',  `c010 0006 0001 0000003c 0018 c010 c010`],
    ['b.',   'n.b. m.n.b.',     'x.b.',    `c00e 0006 0001 0000003c 001c 016e c00e 016d c021`],
    ['b.c.', 'n.c. m.d.',       'x.b.c.',  `c00e 0006 0001 0000003c 001d 016e c010 016d 0164 00`],
    ['.',    'n. m.n.',         'x.',      `00 0006 0001 0000003c 001b 016e 00 016d c01e`],
  ] as const
  test.each(TABLE)('zone %s, SOA %s, asked %s', (apex, names, asked, octets) => {
    const expected = `${octets} ${TAIL}`.replace(/ /g, '')
    expect(both({ apex, names, asked }).ready).toBe(expected)
  })

  // biome-ignore format: table
  const NEAR = [
    ['b.',   'n.b. m.b.',       'n.b.'],
    ['b.',   'n.b. m.b.',       'x.M.b.'],
    ['b.',   'n.b. m.n.b.',     'm.n.b.'],
    ['.',    'n. m.',           'x.n.'],
  ] as const
  test.each(NEAR)(
    'zone %s, SOA %s, asked %s: the question has more of it',
    (apex, names, asked) => {
      expect(both({ apex, names, asked }).ready).toBe('near')
    },
  )
})

test('a law: the octets that compression makes, or none', () => {
  const label = fc.constantFrom('a', 'A', 'b', 'ab', 'c'.repeat(40))
  const text = (least: number) =>
    fc.array(label, { minLength: least, maxLength: 3 }).map(labels => `${labels.join('.')}.`)
  const within = fc.tuple(text(0), fc.boolean())
  fc.assert(
    fc.property(text(0), within, within, text(0), (apex, server, mailbox, before) => {
      const inside = (of: string) => [of, apex].filter(one => one !== '.').join('') || '.'
      const names = [server, mailbox]
        .map(([of, isInside]) => (isInside ? inside(of) : of))
        .join(' ')
      const { ready, made } = both({ apex, names, asked: inside(before) })
      if (ready !== 'near') expect(ready).toBe(made)
    }),
    { numRuns: 3000 },
  )
})

test('a limit: whole, or absent and TC', () => {
  const long = 'l'.repeat(63)
  const zone = `$ORIGIN ${long}.${long}.${long}.\n$TTL 5\n@ SOA ${'n'.repeat(60)}.x. ${'m'.repeat(60)}.y. 1 2 3 4 5\n@ NS ns.x.\n`
  const reply = exchange(deskOf(zone), queryOf(`q.${long}.${long}.${long}`, { edns: false }))
  expect(reply?.length).toBeLessThanOrEqual(512)
  expect([...(reply ?? []).slice(2, 12)]).toEqual([0x84, 3, 0, 1, 0, 0, 0, 1, 0, 0])
})
