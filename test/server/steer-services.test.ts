import { describe, expect, test } from 'vitest'
import { problemText } from '../../server/fault.ts'
import { compiled, pool, rule, wire } from '../kit/steering.ts'

const BOTH = pool('both', '192.0.2.1', '2001:db8::1')

describe('service records', () => {
  const service = {
    type: 65,
    priority: 1,
    target: wire('.'),
    params: [
      { key: 1, value: Uint8Array.of(2, 0x68, 0x32) },
      { key: 3, value: Uint8Array.of(0x20, 0xfb) },
      { key: 5, value: Uint8Array.of(0xec) },
      { key: 7, value: Uint8Array.of(0x2f) },
    ],
  }
  test('RFC 9460 §2.2 parameters stand around the hints, which are 4 and 6', () => {
    const rules = [rule({ all: [0] }), rule({ all: [0], services: [service] })]
    const { steering } = compiled({ pools: [BOTH], rules })
    expect([...steering.https, ...steering.svcb]).toEqual([-1, 0, -1, -1])
    const [first] = steering.services
    const hex = (octets: Uint8Array = new Uint8Array()): string =>
      Buffer.from(octets).toString('hex')
    expect(first?.type).toBe(65)
    expect(hex(first?.head)).toBe('000100' + '0001000302' + '6832' + '0003000220fb')
    expect(hex(first?.middle)).toBe('00050001ec')
    expect(hex(first?.tail)).toBe('000700012f')
  })
  test('a host name has none', () => {
    const pools = [pool('host', 'cdn.example.net.')]
    const { said } = compiled({ pools, rules: [rule({ all: [0], services: [service] })] })
    expect(said.problems.map(problemText)).toEqual([
      'rules:1:1: www.example.com. has services, but answers with host names · ' +
        'remove https and svcb: a CNAME stands alone (RFC 1034 §3.6.2), and its target has its own',
    ])
  })
})
