/**
 * ECS on the wire: the vectors of the RFC's rules, through the whole line. A row is the options of an
 * OPT record as hex; the expected side says what must come back.
 */
import { describe, expect, test } from 'vitest'
import { deskOf, exchange, peerOf, said } from '../kit/world.ts'
import { ZONE_Z } from '../kit/zone-text.ts'

/** 198.51.100.0/24 has a pool of its own; the rest of IPv4 and IPv6 gets another. */
const DESK = deskOf(
  `${ZONE_Z}www A 192.0.2.10\n`,
  `networks: {a: [198.51.100.0/24]}
pools: {A: {targets: [192.0.2.101]}, D: {targets: [192.0.2.103]}}
steer: {www.example.com: {ttl: 30, pick: shuffle, by: {networks: {a: [A]}, default: [D]}}}
`,
)

/** A query for www.example.com A whose OPT record holds these options. */
function query(options: string, version = 0): Uint8Array {
  const data = Buffer.from(options.replaceAll(' ', ''), 'hex')
  const length = data.length.toString(16).padStart(4, '0')
  const opt = `00 0029 04d0 00 0${version} 0000 ${length}`.replaceAll(' ', '')
  const question = '03777777076578616d706c6503636f6d0000010001'
  const head = `123400000001000000000001${question}${opt}`
  return Buffer.concat([Buffer.from(head, 'hex'), data])
}

function reply(options: string, version = 0): Uint8Array {
  return exchange(DESK, query(options, version)) ?? new Uint8Array(12)
}

// WT6: 2001:db8:: and Teredo's 2001::/32 part at bit 21.
// biome-ignore format: table
const VALID = [
  // id and clause                             option                                        echo: family/source/scope/address
  ['WT1 §6 198.51.100.0/24',                   '0008 0007 0001 18 00 C63364',                '1/24/24/c63364'],
  ['WT2 §6 /20 takes three octets',            '0008 0007 0001 14 00 C63360',                '1/20/22/c63360'],
  ['WT3 §6 /32',                               '0008 0008 0001 20 00 C6336407',              '1/32/24/c6336407'],
  ['WT4 §7.1.2 IPv4 /0',                       '0008 0004 0001 00 00',                       '1/0/0/'],
  ['WT5 §7.1.2 IPv6 /0',                       '0008 0004 0002 00 00',                       '2/0/0/'],
  ['WT6 §6 IPv6 /56',                          '0008 000B 0002 38 00 20010DB8123456',        '2/56/21/20010db8123456'],
  ['WT7 §6 /1 takes one octet',                '0008 0005 0001 01 00 80',                    '1/1/3/80'],
  ['WT8 §6 198.51.100.128/25',                 '0008 0008 0001 19 00 C6336480',              '1/25/24/c6336480'],
  ['WM15 of two valid ones the first counts',  '0008 0007 0001 18 00 C63364 0008 0007 0001 18 00 CB0071', '1/24/24/c63364'],
  ['WM17 behind COOKIE and an unknown option', '000A 0008 0102030405060708 FDE9 0002 00FF 0008 0007 0001 18 00 C63364', '1/24/24/c63364'],
] as const

describe('RFC 7871: options that are well formed', () => {
  test.each(VALID)('%s', (_, options, echo) => {
    const answer = said(reply(options))
    expect([answer.rcode, answer.ecs]).toEqual(['NOERROR', echo])
  })
})

// biome-ignore format: table
const MALFORMED = [
  ['WM1 §7.2.1 FAMILY 0',                  '0008 0004 0000 00 00'],
  ['W14 §7.2.1 FAMILY 0 with SOURCE 24',   '0008 0007 0000 18 00 C63364'],
  ['WM2 §7.2.1 FAMILY 3',                  '0008 0007 0003 18 00 C63364'],
  ['WM3 §6 IPv4 /33',                      '0008 0009 0001 21 00 C633640700'],
  ['WM4 §6 IPv6 /129',                     `0008 0015 0002 81 00 ${'00'.repeat(17)}`],
  ['WM5 §6 an octet too many',             '0008 0008 0001 18 00 C6336400'],
  ['WM6 §6 an octet too few',              '0008 0006 0001 18 00 C633'],
  ['WM7 §6 bits past /20',                 '0008 0007 0001 14 00 C63364'],
  ['WM8 §6 bit 26 past /25',               '0008 0008 0001 19 00 C6336440'],
  ['WM9 §6 SCOPE 24 in a query',           '0008 0007 0001 18 18 C63364'],
  ['WM10 §6 three octets',                 '0008 0003 0001 18'],
  ['WM11 §6 no octets',                    '0008 0000'],
  ['WM12 §6 SOURCE 0 and an octet',        '0008 0005 0001 00 00 C6'],
  ['WM13 RFC 6891 §6.1.2 past RDLEN',      '0008 00FF 0001 18 00 C63364'],
  ['WM14 the second is malformed',         '0008 0007 0001 18 00 C63364 0008 0007 0001 14 00 C63364'],
] as const

describe('RFC 7871: options that are not', () => {
  test.each(MALFORMED)('%s', (_, options) => {
    const octets = reply(options)
    const answer = said(octets)
    const question = Buffer.from(octets.subarray(12, 33)).toString('hex')
    expect(answer).toMatchObject({
      rcode: 'FORMERR',
      aa: false,
      answer: [],
      edns: true,
      ecs: undefined,
    })
    expect(question).toBe('03777777076578616d706c6503636f6d0000010001')
  })

  test('WM16 RFC 6891 §6.1.3 BADVERS comes before a malformed option', () => {
    const octets = reply('0008 0007 0003 18 00 C63364', 1)
    const opt = Buffer.from(octets.subarray(33)).toString('hex')
    // root, OPT, size 1232, extended RCODE 1 (1 << 4 | 0 = 16), VERSION 0, no flags, no options
    expect([octets[3]! & 15, opt]).toEqual([0, '00002904d0010000000000'])
  })

  test('W14 §7.2.1 where ECS is switched off the option is neither read nor sent', () => {
    const peer = { ...peerOf(), ecs: false }
    for (const [, options] of [...VALID, ...MALFORMED.filter(([id]) => !id.startsWith('WM13'))]) {
      const answer = said(exchange(DESK, query(options), peer) ?? new Uint8Array(12))
      expect([answer.rcode, answer.edns, answer.ecs]).toEqual(['NOERROR', true, undefined])
    }
  })
})

// biome-ignore format: table
const PACKETS = [
  // packet, case and clause                          ID, then RDLENGTH and the options                  RCODE
  ['W12 BC-008 §7.1.2 SOURCE 0',                   '000c 00080008000400010000',                                  'NOERROR'],
  ['W13 BC-009 §7.2.1 FAMILY 0 with SOURCE 0',     '000d 00080008000400000000',                                  'FORMERR'],
  ['W14 BC-009 §7.2.1 FAMILY 0 with SOURCE 24',    '000e 000b0008000700001800c63364',                            'FORMERR'],
  ['W15 BC-009 §7.2.1 FAMILY 3',                   '000f 000b0008000700031800c63364',                            'FORMERR'],
  ['W16 BC-011 §6 a bit past /23',                 '0010 000b0008000700011700c63365',                            'FORMERR'],
  ['W17 BC-011 §6 /16 in four octets',             '0011 000c0008000800011000c6330000',                          'FORMERR'],
  ['W18 BC-011 §6 /24 in two octets',              '0012 000a0008000600011800c633',                              'FORMERR'],
  ['W19 BC-011 §6 IPv4 /33',                       '0013 000d0008000900012100c633640000',                        'FORMERR'],
  ['W20 BC-012 §6 SCOPE 24 in a query',            '0014 000b0008000700011818c63364',                            'FORMERR'],
  ['W21 BC-010 §6 /5 in one octet',                '0015 00090008000500010500c0',                                'NOERROR'],
  ['W22 BC-015 §6 IPv6 /120',                      '0016 0017000800130002780000000000000000000000ffffc63364',    'NOERROR'],
] as const

describe('RFC 7871: packets of the public cases', () => {
  test.each(PACKETS)('%s', (_, packet, rcode) => {
    const [id, options] = packet.split(' ')
    const head = `${id}00000001000000000001`
    const question = '03777777076578616d706c6503636f6d0000010001'
    const octets = exchange(
      DESK,
      Buffer.from(`${head}${question}00002904d000000000${options}`, 'hex'),
    )
    const flags = octets === undefined ? '' : Buffer.from(octets.subarray(0, 3)).toString('hex')
    expect(flags).toBe(`${id}${rcode === 'NOERROR' ? '84' : '80'}`) // QR, and AA where answered
    expect(Buffer.from(octets?.subarray(12, 33) ?? []).toString('hex')).toBe(question)
    expect(said(octets ?? new Uint8Array(12)).rcode).toBe(rcode)
  })
})
