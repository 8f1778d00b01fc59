/**
 * What EDNS asks of a reply beside ECS, through the whole line: each option where it was asked for and
 * nowhere else, and refusals that say why. A row is the options of a query as hex, and those of the
 * reply.
 */
import dnsPacket from 'dns-packet'
import { describe, expect, test } from 'vitest'
import { type Desk, PRESENT } from '../../server/answer/desk.ts'
import type { Peer } from '../../server/answer/peer.ts'
import { deskFrom, exchange, HEAD, peerOf } from '../kit/world.ts'
import { ZONE_Z } from '../kit/zone-text.ts'

const SECRET = 'e5e973e5a6b2a43f48e7dc849e37bfcf'
/** RFC 9018 A.1: who, when, and what is made of it. */
const CLIENT = '2464c4abcf10c957'
const COOKIE = `${CLIENT}010000005cf79f111f8130c3eee29480`
const NOW = 1559731985
const FROM = '198.51.100.100'

const TEXTS = Array.from({ length: 10 }, (_, i) => `ten TXT "${i}${'x'.repeat(91)}"\n`).join('')

function deskWith(yaml: string): Desk {
  const desk = deskFrom({
    'lbdns.yaml': `${HEAD}cookies: {secrets: [${SECRET}]}\n${yaml}`,
    'a.zone': `${ZONE_Z}www A 192.0.2.10\n${TEXTS}`,
  })
  desk.present[PRESENT.SECONDS] = NOW
  return desk
}

const DESK = deskWith('identity: fra1\n')

type Asking = {
  readonly name?: string
  /** Four hex digits. */
  readonly type?: string
  readonly ttl?: string
  readonly head?: string
  readonly size?: string
  /** Instead of a question. */
  readonly question?: string
}

function query(options: string, asking: Asking = {}): Uint8Array {
  const { head = '0000', name = 'www.example.com' } = asking
  const { size = '04d0', ttl = '00000000', type = '0001' } = asking
  const labels = name.split('.').map(label => [label.length, ...Buffer.from(label)])
  const wire = Buffer.from([...labels.flat(), 0]).toString('hex')
  const { question = `${wire}${type}0001` } = asking
  const data = options.replaceAll(' ', '')
  const length = (data.length / 2).toString(16).padStart(4, '0')
  const count = question === '' ? '0000' : '0001'
  const text = `abcd${head}${count}000000000001${question}000029${size}${ttl}${length}${data}`
  return Uint8Array.from(Buffer.from(text, 'hex'))
}

type Shown = {
  readonly rcode: number
  readonly options: readonly string[]
  readonly octets: number
}

/** The options of the reply's OPT as `code:data`, and the whole RCODE. */
function shown(reply: Uint8Array | undefined): Shown {
  if (reply === undefined) throw new Error('no reply')
  const { additionals = [] } = dnsPacket.decode(Buffer.from(reply))
  const opt = additionals.find(record => record.type === 'OPT')
  if (opt?.type !== 'OPT') throw new Error('no OPT')
  const options = opt.options as readonly { readonly code: number; readonly data: Buffer }[]
  return {
    rcode: (opt.extendedRcode << 4) | (reply[3]! & 15),
    options: options.map(({ code, data }) => `${code}:${data.toString('hex')}`),
    octets: reply.length,
  }
}

function asked(options: string, asking: Asking = {}, peer = peerOf(FROM), desk = DESK): Shown {
  return shown(exchange(desk, query(options, asking), peer))
}

function over(transport: Peer['transport'], keepalive = 0): Peer {
  return { ...peerOf(FROM, transport), keepalive }
}

const NSID = '3:66726131'
const ECS = '0008 0007 0001 18 00 c63364'

// biome-ignore format: table
const OPTIONS = [
  // clause                                            query                                      reply
  ['RFC 6891 §6.1.1 none asked for, none there',       '',                                        []],
  ['RFC 6891 §6.1.2 an unknown one is ignored',        'fde9 0002 00ff',                          []],
  ['RFC 7314 §3 EXPIRE is no business of a server that transfers nothing', '0009 0000',           []],
  ['RFC 5001 §2.1 NSID',                               '0003 0000',                               [NSID]],
  ['BC-041 RFC 5001 §2.1 what came with it is ignored', '0003 0004 deadbeef',                     [NSID]],
  ['NSID twice is NSID',                               '0003 0000 0003 0000',                     [NSID]],
  ['BC-040 RFC 7873 §5.2.3 a client cookie: both',     `000a 0008 ${CLIENT}`,                     [`10:${COOKIE}`]],
  ['RFC 7873 §5.2.5 a valid one goes back',            `000a 0018 ${COOKIE}`,                     [`10:${COOKIE}`]],
  ['RFC 7873 §5.2.4 an invalid one is as none',        `000a 0018 ${COOKIE.slice(0, -2)}81`,      [`10:${COOKIE}`]],
  ['RFC 7873 §5.2 the first of several',               `000a 0008 ${CLIENT} 000a 0001 00`,        [`10:${COOKIE}`]],
  ['RFC 7828 §3.3.1 keepalive is ignored over UDP',    '000b 0000',                               []],
  ['RFC 7828 §3.3.1 whatever is in it',                '000b 0002 0064',                          []],
  ['RFC 8467 §3 no padding where all can be read',     '000c 0004 00000000',                      []],
  ['all at once',                                      `000c 0000 000b 0000 0003 0000 ${ECS} 000a 0008 ${CLIENT} fde9 0000`, [`10:${COOKIE}`, NSID, '8:00011800c63364']],
] as const

describe('options of a good query over UDP', () => {
  test.each(OPTIONS)('%s', (_, options, expected) => {
    const { rcode, options: found } = asked(options)
    expect([rcode, [...found]]).toEqual([0, [...expected]])
  })

  test('BC-036 nothing is left over from the query before', () => {
    for (const [, options, expected] of [...OPTIONS, ...[...OPTIONS].reverse()]) {
      expect(asked(options).options).toEqual([...expected])
    }
  })
})

describe('RFC 7828: keepalive', () => {
  // biome-ignore format: table
  test.each([
    ['§3.3.2 TCP',                                 'tcp',   100, '000b 0000',           0, ['11:0064']],
    ['§3.3.2 TLS',                                 'tls',   100, '000b 0000',           0, ['11:0064']],
    ['§3.3.2 not asked for',                       'tcp',   100, '',                    0, []],
    ['HTTP has its own',                           'https', 100, '000b 0000',           0, []],
    ['a connection that nobody times',             'tcp',   0,   '000b 0000',           0, []],
    ['§3.2.1 TIMEOUT is not for clients to say',   'tcp',   100, '000b 0002 0064',      1, ['15:00004b454550414c4956453a2064617461']],
  ] as const)('%s', (_, transport, keepalive, options, rcode, expected) => {
    const found = asked(options, {}, over(transport, keepalive))
    expect([found.rcode, [...found.options]]).toEqual([rcode, [...expected]])
  })
})

describe('RFC 8467: padding', () => {
  // biome-ignore format: table
  test.each([
    ['§4.1 over TLS to 468 octets',              'tls',   'www.example.com', '0001', '000c 0000',                    468],
    ['§4.1 over HTTPS likewise',                 'https', 'www.example.com', '0001', '000c 0000',                    468],
    ['§4.1 with other options too',              'tls',   'www.example.com', '0001', `000c 0000 0003 0000 ${ECS}`,   468],
    ['§4.1 three blocks',                        'tls',   'ten.example.com', '0010', '000c 0000',                    1404],
    ['RFC 7830 §4 only where the query had it',  'tls',   'www.example.com', '0001', '',                             60],
    ['§3 never over TCP',                        'tcp',   'www.example.com', '0001', '000c 0000',                    60],
  ] as const)('%s', (_, transport, name, type, options, octets) => {
    const found = asked(options, { name, type }, over(transport))
    expect([found.rcode, found.octets]).toEqual([0, octets])
    const padding = found.options.filter(option => option.startsWith('12:'))
    expect(padding.join()).toMatch(octets % 468 === 0 ? /^12:(00)+$/ : /^$/)
    if (padding.length > 0) expect(found.options.at(-1)).toBe(padding[0])
  })

  test('RFC 7830 §3 zeros, whatever the buffer held', () => {
    asked('000c 0000', { name: 'ten.example.com', type: '0010' }, over('tls'))
    expect(asked('000c 0000', {}, over('tls')).options).toEqual([
      expect.stringMatching(/^12:(00)+$/),
    ])
  })
})

const text = (words: string) => Buffer.from(words).toString('hex')

// biome-ignore format: table
const REFUSALS = [
  // clause                                 query                                       asking                                  RCODE reason
  ['not our zone: 20',                      '',                                         { name: 'www.example.net' },             5, '0014'],
  ['AXFR: 21',                              '',                                         { type: '00fc' },                        5, '0015'],
  ['IXFR: 21',                              '',                                         { type: '00fb' },                        5, '0015'],
  ['class HS: 21',                          '',                                         { question: '0000010004' },              5, '0015'],
  ['class NONE: 21',                        '',                                         { question: '00000100fe' },              5, '0015'],
  ['NOTIFY: 21',                            '',                                         { head: '2000' },                        4, '0015'],
  ['UPDATE: 21',                            '',                                         { head: '2800' },                        4, '0015'],
  ['ECS with stray bits',                   '0008 0007 0001 17 00 c63365',              {},                                      1, `0000${text('ECS: stray bits')}`],
  ['ECS of another length',                 '0008 0008 0001 18 00 c6336400',            {},                                      1, `0000${text('ECS: length')}`],
  ['ECS of no family',                      '0008 0007 0003 18 00 c63364',              {},                                      1, `0000${text('ECS: family')}`],
  ['ECS with SCOPE',                        '0008 0007 0001 18 18 c63364',              {},                                      1, `0000${text('ECS: scope')}`],
  ['ECS /33',                               '0008 0009 0001 21 00 c633640700',          {},                                      1, `0000${text('ECS: source')}`],
  ['RFC 7873 §5.2.2 a short COOKIE',        '000a 0007 01020304050607',                 {},                                      1, `0000${text('COOKIE: length')}`],
  ['RFC 7873 §5.2.2 between 8 and 16',      '000a 000f 0102030405060708090a0b0c0d0e0f', {},                                      1, `0000${text('COOKIE: length')}`],
  ['RFC 7873 §5.2.2 a long COOKIE',         `000a 0029 ${'00'.repeat(41)}`,             {},                                      1, `0000${text('COOKIE: length')}`],
] as const

describe('RFC 8914: refusals say why', () => {
  test.each(REFUSALS)('%s', (_, options, asking, rcode, reason) => {
    const octets = query(options, asking)
    const found = shown(exchange(DESK, octets, peerOf(FROM)))
    expect([found.rcode, [...found.options]]).toEqual([
      rcode,
      [expect.stringContaining(`15:${reason.slice(0, 4)}`)],
    ])
    expect(found.octets).toBeLessThanOrEqual(octets.length + 11) // BC-056, BC-065
    const proven = shown(exchange(DESK, octets, peerOf(FROM, 'tcp')))
    expect(proven.options[0]).toMatch(new RegExp(`^15:${reason}`))
  })

  test('BC-056 over UDP a text comes where the reply does not grow by it', () => {
    const stray = '0008 0007 0001 17 00 c63365'
    const why = `15:0000${text('ECS: stray bits')}`
    expect(asked(stray).options).toEqual([why])
    expect(asked(`${stray} 000a 0008 ${CLIENT}`).options).toEqual([`10:${COOKIE}`, why])
    expect(asked('', { type: '00fc' }).options).toEqual(['15:0015'])
    const proven = asked(`000a 0018 ${COOKIE}`, { type: '00fc' }).options
    expect(proven).toEqual([`10:${COOKIE}`, `15:0015${text('zone transfer')}`])
  })

  test('§3 without OPT nothing is said', () => {
    const bare = Buffer.from(
      'abcd0000000100000000000003777777076578616d706c65036e65740000010001',
      'hex',
    )
    expect(exchange(DESK, Uint8Array.from(bare))).toHaveLength(33)
  })

  test('RFC 6891 §6.1.3 BADVERS says no more', () => {
    expect(asked('0003 0000', { ttl: '00010000' })).toEqual({ rcode: 16, options: [], octets: 44 })
  })

  test('one malformed option keeps no other from its answer', () => {
    const both = asked(`000a 0007 01020304050607 ${ECS} 0003 0000`)
    expect([both.rcode, both.options]).toEqual([
      1,
      [NSID, expect.stringMatching('^15:'), '8:00011800c63364'],
    ])
  })
})

describe('RFC 7873 §5.4: a cookie without a question', () => {
  // biome-ignore format: table
  test.each([
    ['BC-051 a client cookie',     `000a 0008 ${CLIENT}`,                 0,  [`10:${COOKIE}`]],
    ['a valid one',                `000a 0018 ${COOKIE}`,                 0,  [`10:${COOKIE}`]],
    ['an invalid one: BADCOOKIE',  `000a 0018 ${COOKIE.slice(0, -2)}81`,  23, [`10:${COOKIE}`]],
    ['RFC 9619 §4 none',           '',                                    1,  [`15:0000`]],
  ] as const)('%s', (_, options, rcode, expected) => {
    const found = asked(options, { question: '' })
    expect([found.rcode, [...found.options]]).toEqual([rcode, [...expected]])
  })
})

describe('RFC 7873: who must show that the address is its own', () => {
  const ALWAYS = deskFrom({
    'lbdns.yaml': `${HEAD}cookies: {secrets: [${SECRET}], require: always}\n`,
    'a.zone': `${ZONE_Z}www A 192.0.2.10\n`,
  })
  const LOAD = deskFrom({
    'lbdns.yaml': `${HEAD}cookies: {secrets: [${SECRET}], require: load}\n`,
    'a.zone': `${ZONE_Z}www A 192.0.2.10\n`,
  })
  ALWAYS.present[PRESENT.SECONDS] = NOW
  LOAD.present[PRESENT.SECONDS] = NOW

  // biome-ignore format: table
  const DEMANDS = [
    // clause                                desk    load  options                 transport  RCODE answers TC
    ['§5.2.3 always: BADCOOKIE, and the one', ALWAYS, 0,    `000a 0008 ${CLIENT}`,  'udp',     23,   0, false],
    ['§5.2.5 always: a valid one',            ALWAYS, 0,    `000a 0018 ${COOKIE}`,  'udp',     0,    1, false],
    ['§5.2.1 always: none, come over TCP',    ALWAYS, 0,    '',                     'udp',     0,    0, true],
    ['§5.2.3 always: TCP has shown it',       ALWAYS, 0,    '',                     'tcp',     0,    1, false],
    ['load: nothing to do',                   LOAD,   0,    '',                     'udp',     0,    1, false],
    ['load: too much to do',                  LOAD,   1,    `000a 0008 ${CLIENT}`,  'udp',     23,   0, false],
    ['load: too much to do, none',            LOAD,   1,    '',                     'udp',     0,    0, true],
    ['load: too much to do, a valid one',     LOAD,   1,    `000a 0018 ${COOKIE}`,  'udp',     0,    1, false],
    ['never: too much to do',                 DESK,   1,    '',                     'udp',     0,    1, false],
  ] as const

  test.each(DEMANDS)('%s', (_, desk, load, options, transport, rcode, answers, isCut) => {
    desk.guard.overload.isShedding = load === 1
    const reply = exchange(desk, query(`${options} ${ECS}`), peerOf(FROM, transport))
    desk.guard.overload.isShedding = false
    const found = shown(reply)
    expect([found.rcode, reply?.[7], ((reply?.[2] ?? 0) & 2) !== 0]).toEqual([
      rcode,
      answers,
      isCut,
    ])
    expect(found.options.filter(option => option.startsWith('8:'))).toEqual(['8:00011800c63364']) // R4
    if (options !== '') expect(found.options[0]).toBe(`10:${COOKIE}`)
  })

  test('§5.2.1 without EDNS too', () => {
    const bare = Buffer.from(
      'abcd0000000100000000000003777777076578616d706c6503636f6d0000010001',
      'hex',
    )
    const reply = exchange(ALWAYS, Uint8Array.from(bare), peerOf(FROM))
    expect(Buffer.from(reply ?? []).toString('hex', 0, 12)).toBe('abcd82000001000000000000')
  })
})

describe('what an operator sets', () => {
  // biome-ignore format: table
  test.each([
    ['no identity: none',             '',                                           []],
    ['an identity',                   'identity: ams2\n',                           ['3:616d7332']],
    ['off, whatever the identity',    'identity: ams2\nnsid: off\n',                []],
    ['the host, without an identity', 'nsid: "{node}"\n',                           [`3:${text('test-host')}`]],
    ['a text',                        'nsid: "rack 7"\n',                           [`3:${text('rack 7')}`]],
  ] as const)('NSID: %s', (_, yaml, expected) => {
    expect(asked('0003 0000', {}, peerOf(FROM), deskWith(yaml)).options).toEqual([...expected])
  })

  test('NSID: node and digest', () => {
    const desk = deskWith('identity: ams2\nnsid: "{node} {digest}"\n')
    const { digest } = desk.world
    expect(asked('0003 0000', {}, peerOf(FROM), desk).options).toEqual([
      `3:${text(`ams2 ${digest}`)}`,
    ])
  })

  test('cookies off: neither read nor sent, not even a broken one', () => {
    const desk = deskFrom({
      'lbdns.yaml': `${HEAD}cookies: {enabled: off, require: always}\n`,
      'a.zone': `${ZONE_Z}www A 192.0.2.10\n`,
    })
    for (const options of [`000a 0008 ${CLIENT}`, '000a 0003 010203']) {
      expect(asked(options, {}, peerOf(FROM), desk)).toMatchObject({ rcode: 0, options: [] })
    }
  })

  test('secrets of a file, with comments', () => {
    const desk = deskFrom({
      'lbdns.yaml': `${HEAD}cookies: {secrets: {file: s.txt}}\n`,
      's.txt': `# today's\n  ${SECRET}  # since May\n\ndd3bdf9344b678b185a6f5cb60fca715\n`,
      'a.zone': `${ZONE_Z}www A 192.0.2.10\n`,
    })
    desk.present[PRESENT.SECONDS] = NOW
    expect(asked(`000a 0008 ${CLIENT}`, {}, peerOf(FROM), desk).options).toEqual([`10:${COOKIE}`])
    expect(desk.world.cookies.secrets).toHaveLength(8)
  })
})

test('RFC 8914 §3 a reason never cuts what would fit: it is left out', () => {
  const name = ['a', 'b', 'c', 'd'].map(letter => letter.repeat(61)).join('.')
  const desk = deskWith(`nsid: "${'n'.repeat(230)}"\n`)
  const whole = asked('0003 0000', { name, size: '0200' }, peerOf(FROM), desk)
  expect(whole.options.map(option => option.split(':')[0])).toEqual(['3'])
  expect(whole.octets).toBeLessThanOrEqual(512)
  expect(whole.rcode).toBe(5)
})
