/**
 * `dig` and `kdig` read what steered names answer: service records with hints and ech, and the scopes
 * of hashing for every kind of address that a client can have.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Place } from '../kit/ask.ts'
import { describeWith, run, stopAll } from '../kit/process.ts'
import { COMPLAINT, type Shown, shown } from './dig.ts'
import { closeAll, openAt, truthful } from './in-process.ts'
import { ECH, steeredDesk } from './steered.ts'

/** Question, and the record of the answer: RFC 9460 §2.1, parameters in order of their keys. */
// biome-ignore format: table
const SERVICES = [
  ['HTTPS: alpn, ech and both hints',        'lone HTTPS', `1 . alpn=h2,h3 ipv4hint=192.0.2.97 ech=${ECH} ipv6hint=2001:db8:ffff:7::1`],
  ['SVCB: another priority, host and port',  'lone SVCB',  '2 one.geo.test. port=8443 ipv4hint=192.0.2.97 ipv6hint=2001:db8:ffff:7::1'],
  ['HTTPS: several hints',                   'pair HTTPS', '1 . alpn=h2 ipv4hint=192.0.2.17,192.0.2.18,192.0.2.19 ipv6hint=2001:db8:ffff:2::1,2001:db8:ffff:2::2'],
] as const

/** Client, scope with a quantum of 24 and 48, and of 20 and 40, and whom he is hashed as. */
// biome-ignore format: table
const SCOPES = [
  ['IPv4: the quantum',                                  '198.51.100.7/32',         24,  20,  '198.51.100.0/24'],
  ['IPv4, less told than the quantum',                   '198.51.0.0/16',           24,  20,  '198.51.0.0/24'],
  ['IPv6: the quantum',                                  '2001:db8:1:2::/64',       48,  40,  '2001:db8:1::/48'],
  ['IPv6, a whole address',                              '2a00:1:2:3::4/128',       48,  40,  '2a00:1:2::/48'],
  ['RFC 3056 6to4: 16 and the quantum of IPv4',          '2002:c633:6407::/48',     40,  36,  '198.51.100.0/24'],
  ['RFC 4291 §2.5.5.2 mapped: 96 and that of IPv4',      '::ffff:198.51.100.7/128', 120, 116, '198.51.100.0/24'],
  ['RFC 6052 §2.1 translated: 96 and that of IPv4',      '64:ff9b::c633:6407/128',  120, 116, '198.51.100.0/24'],
  ['a private network tells nothing: its block',         '10.1.2.3/32',             8,   8,   '0.0.0.0/0'],
  ['the same by 6to4',                                   '2002:a01:203::/48',       24,  24,  '0.0.0.0/0'],
  ['the same mapped',                                    '::ffff:10.1.2.3/128',     104, 104, '0.0.0.0/0'],
  ['Teredo tells nothing: its block',                    '2001:0:c633:6407::/64',   32,  32,  '0.0.0.0/0'],
] as const

let server: Place

beforeAll(async () => {
  server = await openAt(truthful(steeredDesk()))
})
afterAll(async () => {
  await stopAll()
  await closeAll()
})

for (const tool of ['dig', 'kdig']) {
  describeWith([tool], tool, () => {
    async function asked(question: string): Promise<Shown> {
      const retries = tool === 'dig' ? '+tries=1' : '+retry=0'
      const how = [`@${server.host}`, '-p', String(server.port), retries, '+norec', '+edns=0']
      const ran = await run(tool, [...how, ...question.split(' ')])
      expect(ran.stdout + ran.stderr).not.toMatch(COMPLAINT)
      return shown(ran)
    }

    test.each(SERVICES)('RFC 9460 %s', async (_, question, data) => {
      const [name, type] = question.split(' ')
      const { status, flags, answer } = await asked(`${name}.geo.test ${type}`)
      expect([status, flags]).toEqual(['NOERROR', 'qr aa'])
      expect(answer.map(plain)).toEqual([`${name}.geo.test. 300 IN ${type} ${data}`])
    })

    test.each(SCOPES)('hash, %s', async (_, client, fine, coarse, as) => {
      const names = [
        ['fine', fine],
        ['coarse', coarse],
      ] as const
      for (const [name, scope] of names) {
        const { ecs, answer } = await asked(`+subnet=${client} ${name}.geo.test A`)
        expect(ecs).toBe(`${client}/${scope}`)
        expect(answer).toEqual((await asked(`+subnet=${as} ${name}.geo.test A`)).answer)
        expect(answer.length).toBe(1)
      }
    })
  })
}

/** Without the quotes that one tool writes; lists of hints, which come in any order, sorted. */
function plain(record: string): string {
  const words = record.replaceAll('"', '').split(' ')
  return words.map(word => (/hint=/.test(word) ? sortedList(word) : word)).join(' ')
}

function sortedList(word: string): string {
  const [key, list = ''] = word.split('=')
  return `${key}=${list.split(',').sort().join(',')}`
}
