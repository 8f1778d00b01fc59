/** Replies as octets, good and bad: what is read out of them, and that nothing throws. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readMessage } from '../../probe/ask/message.ts'
import { readReply } from '../../probe/ask/reply.ts'

const WWW = '03777777076578616d706c6503636f6d00'
const QUESTION = `${WWW}00010001`

/** A reply to www.example.com A: flags, counts and the rest as hex, spaces ignored. */
function reply(counts: string, rest: string, flags = '8400'): Uint8Array {
  return Buffer.from(`1234${flags}0001${counts}${QUESTION}${rest}`.replaceAll(' ', ''), 'hex')
}

const read = (octets: Uint8Array) => readReply(octets, 'www.example.com', 1)

/** c00c A IN 60 192.0.2.n */
const a = (n: string, owner = 'c00c'): string => `${owner} 0001 0001 0000003c 0004 c00002${n}`

describe('reads', () => {
  test('RFC 1035 §4.1.3 two addresses, in the order received', () => {
    expect(read(reply('000200000000', a('02') + a('01')))).toMatchObject({
      error: undefined,
      rcode: 'NOERROR',
      answers: ['192.0.2.2', '192.0.2.1'],
      ttl: 60,
      flags: { aa: true, tc: false, ra: false },
    })
  })

  test('BC-178 an address of another owner is not counted', () => {
    const evil = a('42', `046576696c ${WWW}`)
    const seen = read(reply('000200000000', evil + a('01')))
    expect(seen.answers).toEqual(['192.0.2.1'])
    expect(seen.oddities).toContain('other-owner')
  })

  test('BC-180 records promised that are not there, without TC', () => {
    expect(read(reply('001200000000', a('01').repeat(8))).error).toBe('truncated')
  })

  test('BC-181 a pointer to a pointer is the whole name', () => {
    // at 33: CNAME whose data is a pointer to 45, where a pointer to 12 would stand: edge.<c00c>
    const cname = 'c00c 0005 0001 0000003c 0007 0465646765 c00c' // data at 45, its pointer at 50
    const txt = 'c032 0001 0001 0000003c 0004 c0000209' // owner points at that pointer
    const seen = read(reply('000200000000', cname + txt))
    expect(seen.chain).toEqual(['edge.www.example.com'])
    expect(seen.oddities).toEqual([])
    expect(readMessage(reply('000200000000', cname + txt))).toMatchObject({
      records: [{ owner: 'www.example.com' }, { owner: 'www.example.com' }],
    })
  })

  test('BC-182 a pointer past offset 255', () => {
    // a TXT of 255 octets fills the message up
    const filler = `c00c 0010 0001 0000003c 0100 ff${'61'.repeat(255)}`
    const cname = 'c00c 0005 0001 0000003c 0007 0465646765 c00c' // starts 33 + 268 = 301, data 313
    const address = a('05', 'c139') // 0x139 = 313
    const seen = read(reply('000300000000', filler + cname + address))
    expect(seen.chain).toEqual(['edge.www.example.com'])
    expect(seen.answers).toEqual(['192.0.2.5'])
  })

  test('BC-184 OPT among the answers, an address among the additional', () => {
    const opt = '00 0029 04d0 00000000 0000'
    const seen = read(reply('000100000001', opt + a('01')))
    expect(seen).toMatchObject({ error: undefined, answers: [], edns: false })
    expect(seen.oddities).toContain('opt-misplaced')
  })

  test('BC-188 a CNAME after the address it leads to', () => {
    const edge = '0465646765 076578616d706c65 036e6574 00'
    const cname = `c00c 0005 0001 0000003c 0012 ${edge}`
    const seen = read(reply('000200000000', a('07', edge) + cname))
    expect(seen).toMatchObject({ answers: ['192.0.2.7'], chain: ['edge.example.net'] })
    expect(seen.oddities).toContain('cname-after-address')
  })

  test('BC-188 a CNAME cycle ends', () => {
    const there = 'c00c 0005 0001 0000003c 0004 0162 c00c'
    const back = '0162 c00c 0005 0001 0000003c 0002 c00c'
    const seen = read(reply('000200000000', there + back))
    expect(seen.answers).toEqual([])
    expect(seen.oddities).toContain('cname-loop')
  })

  test('BC-190 an unknown type is shown, and the address too', () => {
    const odd = 'c00c ff00 0001 0000003c 0002 abcd'
    const seen = read(reply('000200000000', odd + a('01')))
    expect(seen.answers).toEqual(['192.0.2.1'])
    expect(seen.oddities).toContain('other-type TYPE65280 \\# 2 abcd')
  })

  test('BC-187 no error and nothing in any section', () => {
    expect(read(reply('000000000000', ''))).toMatchObject({
      answers: [],
      soa: false,
      rcode: 'NOERROR',
    })
  })

  test('RFC 3597 §5 SVCB data as octets', () => {
    const svcb = 'c00c 0040 0001 0000003c 0003 000100'
    const octets = reply('000100000000', svcb)
    expect(readReply(octets, 'www.example.com', 64).answers).toEqual(['\\# 3 000100'])
  })

  test('RFC 6891 §6.1.3 the reply code has twelve bits', () => {
    expect(read(reply('000000000001', '00 0029 04d0 01000000 0000', '8401'))).toMatchObject({
      rcode: 'RCODE17',
      edns: true,
    })
  })

  // biome-ignore format: table
  const OPTIONS = [
    // rule                                            options                              echo, instance or oddity
    ['RFC 7871 §7.2.1 the subnet and its scope',       '0008 0007 0001 18 10 c63364',       { echo: { family: 1, source: 24, scope: 16, address: 'c63364' } }],
    ['BC-183 another subnet is read as it came',       '0008 0007 0001 18 18 cb0071',       { echo: { family: 1, source: 24, scope: 24, address: 'cb0071' } }],
    ['a FAMILY nobody knows is read as it came',       '0008 0004 0009 00 00',              { echo: { family: 9, source: 0, scope: 0, address: '' } }],
    ['RFC 5001 §2.3 an instance with a control octet', '0003 0004 6e733107',                { instance: 'ns1\\007' }],
    ['three octets are no subnet',                     '0008 0003 0001 18',                 { echo: undefined, oddities: ['subnet-malformed'] }],
    ['an option longer than its record',               '0008 00ff 0001 18 10 c63364',       { echo: undefined, oddities: ['options-malformed'] }],
  ] as const
  for (const [rule, options, expected] of OPTIONS) {
    test(rule, () => {
      const data = options.replaceAll(' ', '')
      const length = (data.length / 2).toString(16).padStart(4, '0')
      const opt = `00 0029 04d0 00000000 ${length} ${data}`
      expect(read(reply('000100000001', a('01') + opt))).toMatchObject(expected)
    })
  }
})

describe('survives', () => {
  test('counts of 65535 in twelve octets cost nothing', () => {
    const began = performance.now()
    for (let n = 0; n < 1000; n += 1) {
      expect(read(Buffer.from('12348400ffffffffffffffff', 'hex')).error).toBe('malformed')
    }
    expect(performance.now() - began).toBeLessThan(500)
  })

  test('law: any octets give a value', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), octets => {
        expect(() => read(octets)).not.toThrow()
      }),
    )
  })

  test('law: any mutation of a good reply gives a value', () => {
    const good = reply('000200000001', `${a('02') + a('01')} 00 0029 04d0 00000000 0000`)
    const mutation = fc.tuple(fc.nat(good.length - 1), fc.nat(255))
    fc.assert(
      fc.property(
        fc.array(mutation, { minLength: 1, maxLength: 6 }),
        fc.nat(good.length),
        (changes, end) => {
          const octets = Uint8Array.from(good)
          for (const [at, value] of changes) octets[at] = value
          expect(() => read(octets.subarray(0, end))).not.toThrow()
          expect(() => read(octets)).not.toThrow()
        },
      ),
    )
  })
})
