/** One question against servers that behave oddly, without sockets: BC cases of the exchange. */
import { describe, expect, test } from 'vitest'
import { type Asked, ask, asker, DEFAULT_MANNER, pauseMs } from '../../probe/ask/ask.ts'
import { faultOf } from '../../probe/ask/exchange.ts'
import { encodeQuery, subnetOption } from '../../probe/ask/query.ts'
import type { Server } from '../../probe/ask/server.ts'
import type { Wire } from '../../probe/ask/wire.ts'
import { chanceFrom } from '../../probe/plan/chance.ts'
import type { Subnet } from '../../probe/plan/question.ts'
import { NOBODY4, readSubnet } from '../../probe/plan/subnet.ts'
import { isWrong } from '../../probe/plan/wrong.ts'
import { labWire } from './in-process.ts'

const SERVER: Server = {
  address: '127.0.0.1',
  port: 53,
  transport: 'udp',
  recursion: 'not-desired',
}

function subnet(text: string): Subnet {
  const read = readSubnet(text, 'usual')
  if (isWrong(read)) throw new Error(read.wrong)
  return read
}

async function askLab(label: string, client?: Subnet): Promise<readonly Asked[]> {
  const who = asker(labWire(1), chanceFrom(1), DEFAULT_MANNER)
  const question = { name: `${label}.lab.test`, type: 'A', round: 1, purpose: 'sample' } as const
  return ask(who, { ...question, subnet: client }, SERVER)
}

const THREE = ['192.0.2.1', '192.0.2.2', '192.0.2.3']

describe('waits for its own reply', () => {
  test('BC-177 another ID first, the right one 50 ms later', async () => {
    const [seen] = await askLab('wrong-id')
    expect(seen?.reply).toMatchObject({ error: undefined, answers: THREE, oddities: ['wrong-id'] })
    expect(seen?.milliseconds).toBeGreaterThanOrEqual(50)
  })

  test('BC-178 another question first', async () => {
    const [seen] = await askLab('wrong-question')
    expect(seen?.reply).toMatchObject({ answers: THREE, oddities: ['wrong-question'] })
  })

  test('BC-178 answers of another owner are left aside', async () => {
    const [seen] = await askLab('other-owner')
    expect(seen?.reply).toMatchObject({ answers: THREE, oddities: ['other-owner'] })
  })
})

describe('says what failed', () => {
  // biome-ignore format: table
  const FAILURES = [
    ['BC-180 cut without TC',                  'cut',     'truncated', 'udp'],
    ['BC-189 the TCP stream ends too early',   'closing', 'closed',    'tcp'],
    ['RFC 8906 §2 silence',                    'silence', 'timeout',   'udp'],
  ] as const
  for (const [rule, label, error, transport] of FAILURES) {
    test(rule, async () => {
      const [seen] = await askLab(label)
      expect(seen).toMatchObject({ reply: { error, answers: [] }, transport })
    })
  }

  test('what the system calls unreachable is asked once, silence as often as allowed', async () => {
    const refused = { error: 'unreachable', why: 'no way to that host (EHOSTUNREACH)' } as const
    for (const [ending, sent] of [
      [refused, 1],
      ['timeout', 2],
    ] as const) {
      let count = 0
      const datagram: Wire['datagram'] = async () => {
        count += 1
        return ending
      }
      const who = asker({ ...labWire(1), datagram }, chanceFrom(1), DEFAULT_MANNER)
      const question = { name: 'a.test', type: 'A', round: 1, purpose: 'sample' } as const
      await ask(who, { ...question, subnet: undefined }, SERVER)
      expect(count).toBe(sent)
    }
  })

  test('silence costs two waits and a pause', async () => {
    const [seen] = await askLab('silence')
    expect(seen?.milliseconds).toBeGreaterThanOrEqual(6000)
    expect(seen?.milliseconds).toBeLessThanOrEqual(6100)
  })
})

describe('follows', () => {
  test('RFC 7766 §5 TC to TCP, the option kept', async () => {
    const [seen] = await askLab('big', subnet('198.51.100.0/24'))
    expect(seen).toMatchObject({ transport: 'tcp', reply: { oddities: ['tcp-retry'] } })
    expect(seen?.reply.answers).toHaveLength(60)
    expect(seen?.reply.echo).toEqual({ family: 1, source: 24, scope: 0, address: 'c63364' })
  })

  test('BC-189 a TCP reply in pieces', async () => {
    const [seen] = await askLab('pieces')
    expect(seen).toMatchObject({ transport: 'tcp', reply: { answers: THREE } })
  })

  test('BC-185 FORMERR to EDNS: asked without, and shown as such', async () => {
    const [seen] = await askLab('no-edns')
    expect(seen?.reply).toMatchObject({ answers: THREE, edns: false, oddities: ['no-edns-retry'] })
  })

  test('BC-185 FORMERR to the subnet too: both are reported', async () => {
    const [first, again] = await askLab('no-edns', subnet('198.51.100.0/24'))
    expect(first?.reply.rcode).toBe('FORMERR')
    expect(again).toMatchObject({ purpose: 'again', subnet: undefined, reply: { answers: THREE } })
  })

  test('RFC 7871 §7.3 REFUSED with the subnet: asked once without', async () => {
    const [first, again] = await askLab('refused', subnet('198.51.100.0/24'))
    expect(first?.reply.rcode).toBe('REFUSED')
    expect(again).toMatchObject({ purpose: 'again', reply: { rcode: 'NOERROR', answers: THREE } })
  })

  test('BC-183 another subnet in the reply is handed on as it came', async () => {
    const [seen] = await askLab('path', subnet('198.51.100.0/24'))
    expect(seen?.reply.echo).toEqual({ family: 1, source: 24, scope: 24, address: 'cb0071' })
  })
})

describe('sends', () => {
  const query = (over: Partial<Parameters<typeof encodeQuery>[0]>): string =>
    Buffer.from(
      encodeQuery({
        id: 0x1234, name: 'wWw.example.com', type: 'A', recursion: 'not-desired', size: 1232,
        subnet: undefined, ...over,
      }), // biome-ignore format: one line
    ).toString('hex')
  const WWW = '03775777076578616d706c6503636f6d00'
  const NSID = '00030000'

  // biome-ignore format: table
  const QUERIES = [
    ['RFC 6891 §6.1.2 1232 octets and NSID',   {},                                    `123400000001000000000001${WWW}00010001000029 04d0 00000000 0004 ${NSID}`],
    ['RFC 1035 §4.1.1 no EDNS, RD',            { size: undefined, recursion: 'desired' }, `123401000001000000000000${WWW}00010001`],
    ['RFC 7871 §6 /24',                        { subnet: subnet('198.51.100.9/24') }, `123400000001000000000001${WWW}00010001000029 04d0 00000000 000f 0008 0007 0001 18 00 c63364 ${NSID}`],
    ['RFC 7871 §7.1.2 /0',                     { subnet: NOBODY4 },                   `123400000001000000000001${WWW}00010001000029 04d0 00000000 000c 0008 0004 0001 00 00 ${NSID}`],
    ['RFC 3597 §5 a type by number',           { type: 'TYPE65280', size: undefined }, `123400000001000000000000${WWW}ff000001`],
  ] as const
  for (const [rule, over, expected] of QUERIES) {
    test(rule, () => {
      expect(query(over)).toBe(expected.replaceAll(' ', ''))
    })
  }

  test('BC-186 host bits never leave', () => {
    const octets = subnetOption(subnet('198.51.101.255/23'))
    expect(Buffer.from(octets).toString('hex')).toBe('00011700c63364')
  })

  test('the root has an empty name', () => {
    expect(query({ name: '.', size: undefined })).toBe('1234000000010000000000000000010001')
  })

  test('a fresh ID and mixed case each time', async () => {
    const sent: string[] = []
    const deaf: Wire = {
      now: () => 0,
      sleep: async () => undefined,
      stream: async () => 'timeout',
      datagram: async (_server, octets) => {
        sent.push(Buffer.from(octets).toString('latin1'))
        return 'timeout'
      },
    }
    const who = asker(deaf, chanceFrom(1), { ...DEFAULT_MANNER, tries: 3 })
    const question = { name: 'www.example.com', type: 'A', subnet: undefined } as const
    await ask(who, { ...question, round: 1, purpose: 'sample' }, SERVER)
    expect(sent).toHaveLength(3)
    expect(new Set(sent.map(octets => octets.slice(0, 2))).size).toBe(3)
    expect(new Set(sent.map(octets => octets.slice(12, 29))).size).toBe(3)
    expect(new Set(sent.map(octets => octets.slice(12, 29).toLowerCase())).size).toBe(1)
  })
})

describe('whose reply it is', () => {
  const query = Buffer.from(
    '123400000001000000000000 0377577700 00010001'.replaceAll(' ', ''),
    'hex',
  )
  // biome-ignore format: table
  const REPLIES = [
    ['RFC 5452 §9.1 the same question',          '123484000001000000000000 0377577700 00010001', undefined],
    ['RFC 4343 the case may differ',             '123484000001000000000000 0377777700 00010001', undefined],
    ['RFC 5452 §9.1 another ID',                 '123584000001000000000000 0377577700 00010001', 'wrong-id'],
    ['RFC 5452 §9.1 another type',               '123484000001000000000000 0377577700 001c0001', 'wrong-question'],
    ['RFC 5452 §9.1 another class',              '123484000001000000000000 0377577700 00010003', 'wrong-question'],
    ['RFC 1035 §4.1.1 a query is no reply',      '123404000001000000000000 0377577700 00010001', 'not-a-reply'],
    ['RFC 1035 §4.1.1 eleven octets',            '1234840000010000000000',                       'garbage'],
    ['an error may come without the question',   '123484010000000000000000',                     undefined],
    ['an answer may not',                        '123484000000000000000000',                     'wrong-question'],
  ] as const
  for (const [rule, octets, fault] of REPLIES) {
    test(rule, () => {
      expect(faultOf(Buffer.from(octets.replaceAll(' ', ''), 'hex'), query)).toBe(fault)
    })
  }
})

test('pauses: full jitter, uniform in 0 … min(2000, 100 · 2^(k−1)) ms', () => {
  const chance = chanceFrom(3)
  for (const [failures, limit] of [
    [1, 100],
    [2, 200],
    [5, 1600],
    [9, 2000],
  ] as const) {
    // biome-ignore format: pairs
    const drawn = Array.from({ length: 400 }, () => pauseMs(failures, chance))
    expect(Math.max(...drawn)).toBeLessThan(limit)
    expect(Math.max(...drawn)).toBeGreaterThan(0.9 * limit)
    expect(Math.min(...drawn)).toBeLessThan(0.1 * limit)
  }
})

test('second tries are paid from a budget for the whole process', async () => {
  const who = asker(labWire(1), chanceFrom(1), DEFAULT_MANNER)
  const question = { name: 'silence.lab.test', type: 'A', subnet: undefined, round: 1 } as const
  const waited: number[] = []
  for (let n = 0; n < 25; n += 1) {
    const [seen] = await ask(who, { ...question, purpose: 'sample' }, SERVER)
    waited.push(seen?.milliseconds ?? 0)
  }
  expect(waited.filter(ms => ms >= 6000)).toHaveLength(20)
  expect(waited.slice(20).every(ms => ms === 3000)).toBe(true)
})
