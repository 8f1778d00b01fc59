/** Proofs for certificates: where they are answered, what else is at their names, and what is not. */
import { describe, expect, test } from 'vitest'
import { challenge, challengeOwner } from '../../server/answer/challenge.ts'
import type { Desk } from '../../server/answer/desk.ts'
import { isWrong } from '../../server/fault.ts'
import { ask, deskOf } from '../kit/world.ts'

const ZONE = `
$ORIGIN example.com.
$TTL 300
@ SOA ns hostmaster 1 2 3 4 60
@ NS ns
ns A 192.0.2.53
www A 192.0.2.1
old TXT here
_acme-challenge.old TXT old-proof
away CNAME www
_acme-challenge.led CNAME proofs.elsewhere.example.
*.wild A 192.0.2.9
*.alias CNAME www
deep.sub NS ns.deep.sub
ns.deep.sub A 192.0.2.54
`

/** The desk, with proofs. */
function proving(...proofs: readonly (readonly [name: string, token: string])[]): Desk {
  const desk = deskOf(ZONE)
  desk.challenges = proofs.map(([name, token]) => {
    const owner = challengeOwner(name)
    if (isWrong(owner)) throw new Error(owner.wrong)
    return challenge(owner, token)
  })
  return desk
}

/** The code, then type and data of each answer. */
function told(desk: Desk, name: string, type = 'TXT'): string {
  const { answer, rcode } = ask(desk, name, { type })
  return [rcode, ...answer.map(line => line.split(' ').slice(2).join(' '))].join(', ')
}

const A = 'evaGxfADs6pSRb2LAv9IZf17Dt3juxGJ-PCt92wr-oA'
const B = 'LoqXcYV8q5ONbJQxbmR7SCTNo3tiAXDfowyjxAjEuX0'

describe('RFC 8555 §8.4: a TXT record at _acme-challenge below the name', () => {
  // biome-ignore format: table
  const TABLE = [
    ['of a name',                      'www.example.com',   '_acme-challenge.www.example.com',   `NOERROR, TXT "${A}"`],
    ['asked in capitals',              'WWW.example.com',   '_ACME-Challenge.www.EXAMPLE.com',   `NOERROR, TXT "${A}"`],
    ['of the zone itself',             'example.com.',      '_acme-challenge.example.com',       `NOERROR, TXT "${A}"`],
    ['of a wildcard: its parent',      '*.wild.example.com', '_acme-challenge.wild.example.com', `NOERROR, TXT "${A}"`],
    ['under a wildcard alias',         'x.alias.example.com', '_acme-challenge.x.alias.example.com', `NOERROR, TXT "${A}"`],
    ['in the place of one of the zone', 'old.example.com',  '_acme-challenge.old.example.com',   `NOERROR, TXT "${A}"`],
    ['an alias of its own leads away', 'led.example.com',   '_acme-challenge.led.example.com',   'NOERROR, CNAME proofs.elsewhere.example'],
    ['not below a delegation',         'x.deep.sub.example.com', '_acme-challenge.x.deep.sub.example.com', 'NOERROR'],
    ['not of another name',            'www.example.com',   '_acme-challenge.ns.example.com',    'NXDOMAIN'],
  ] as const
  test.each(TABLE)('%s', (_, proven, asked, expected) => {
    expect(told(proving([proven, A]), asked)).toBe(expected)
  })

  test('two of one name make one RRset', () => {
    const desk = proving(['www.example.com', A], ['www.example.com', B])
    const { aa, answer } = ask(desk, '_acme-challenge.www.example.com', { type: 'TXT' })
    expect(aa).toBe(true)
    expect(answer).toEqual([A, B].map(token => `_acme-challenge.www.example.com. 5 TXT "${token}"`))
  })

  // biome-ignore format: table
  const BESIDE = [
    ['RFC 2308 §2.2 another type: NODATA',        '_acme-challenge.www.example.com', 'A',   'NOERROR'],
    ['ANY is answered with the proof',            '_acme-challenge.www.example.com', 'ANY', `NOERROR, TXT "${A}"`],
    ['what a wildcard says of other types stays', '_acme-challenge.x.wild.example.com', 'A', 'NOERROR, A 192.0.2.9'],
    ['the name itself is as it was',              'www.example.com',                 'A',   'NOERROR, A 192.0.2.1'],
  ] as const
  test.each(BESIDE)('%s', (_, asked, type, expected) => {
    expect(told(proving(['www.example.com', A], ['x.wild.example.com', B]), asked, type)).toBe(
      expected,
    )
  })

  test('the SOA comes with NODATA', () => {
    const { authority } = ask(proving(['www.example.com', A]), '_acme-challenge.www.example.com')
    expect(authority).toEqual([expect.stringContaining('SOA')])
  })

  test('without proofs nothing is different', () => {
    expect(told(proving(), '_acme-challenge.www.example.com')).toBe('NXDOMAIN')
    expect(told(proving(), '_acme-challenge.old.example.com')).toBe('NOERROR, TXT "old-proof"')
  })
})
