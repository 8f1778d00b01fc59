/** What checks rely on, looked at when a file is loaded: programs on the disk, and certificates. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { problemText } from '../../server/fault.ts'
import { type Loaded, load } from '../../server/load.ts'
import { type Certificates, certificates, hasOpenssl } from '../kit/health.ts'
import { folder, stopAll } from '../kit/process.ts'
import { HEAD, loadFrom, MACHINE } from '../kit/world.ts'
import { ZONE_Z } from '../kit/zone-text.ts'

afterAll(stopAll)

const USE =
  'pools: {a: {check: own, targets: [192.0.2.1]}}\nsteer: {www.example.com: {pools: [a]}}\n'

/** What is said of checks, without what is said of the rest. */
function said(loaded: Loaded) {
  const problems = loaded.ok ? [] : loaded.problems.map(problemText)
  const warnings = loaded.warnings.map(problemText).filter(text => /yaml:3:/.test(text))
  return { problems, warnings: warnings.map(text => text.replace(/^.*?(?=lbdns\.yaml)/, '')) }
}

describe('programs', () => {
  const place = folder()
  const yaml = join(place, 'lbdns.yaml')
  beforeAll(() => {
    writeFileSync(join(place, 'a.zone'), ZONE_Z)
    mkdirSync(join(place, 'bin'))
    for (const [name, mode] of [
      ['runs', 0o700],
      ['does-not', 0o600],
    ] as const) {
      writeFileSync(join(place, 'bin', name), '#!/bin/sh\n')
      chmodSync(join(place, 'bin', name), mode)
    }
  })

  // biome-ignore format: table
  const TABLE = [
    ['runs',                        'bin/runs',     []],
    ['is not there',                'bin/absent',   ['bin/absent does not exist · correct the path: it is relative to the file that names it']],
    ['is in a folder that is none', 'a.zone/run',   ['a.zone/run does not exist · correct the path: it is relative to the file that names it']],
    ['may not be run',              './bin/does-not', ['./bin/does-not may not be run by this user · change its owner or mode']],
    ['is a folder',                 'bin/',         ['bin/ is a folder · name a file in it']],
  ] as const
  test.each(TABLE)('one that %s', (_, program, expected) => {
    const check = `checks: {own: {type: exec, command: [${program}, a]}}\n`
    writeFileSync(yaml, `${HEAD}${check}${USE}`)
    const { problems, warnings } = said(load(yaml, MACHINE))
    expect(problems).toEqual([])
    const column = check.indexOf(program) + 1
    expect(warnings).toEqual(expected.map(text => `lbdns.yaml:3:${column}: ${text}`))
  })
})

describe.skipIf(!hasOpenssl)('certificates (openssl makes them)', () => {
  let made: Certificates
  beforeAll(() => {
    made = certificates()
  })

  const BROKEN = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'
  // biome-ignore format: table
  const TABLE = [
    ['one',                                   () => made.authority,                              undefined],
    ['two, with words between them',          () => `a\n${made.authority}b\n${made.alone}`,      undefined],
    ['RFC 7468 §2 with other ends of lines',  () => made.authority.replaceAll('\n', '\r\n'),     undefined],
    ['nothing',                               () => '',                                          'holds no certificate · write certificates into it, as PEM'],
    ['a key',                                 () => made.key,                                    'holds no certificate · write certificates into it, as PEM'],
    ['one that is cut short',                 () => made.authority.slice(0, -40),                'holds no certificate · write certificates into it, as PEM'],
    ['octets that are no certificate',        () => BROKEN,                                      'holds a certificate that cannot be read: number 1 · write it anew'],
    ['likewise behind one that is good',      () => made.authority + BROKEN,                     'holds a certificate that cannot be read: number 2 · write it anew'],
  ] as const
  test.each(TABLE)('a file with %s', (_, text, flaw) => {
    const check = 'checks: {own: {type: tls, ca: tls/ca.pem}}\n'
    const files = { 'lbdns.yaml': `${HEAD}${check}${USE}`, 'a.zone': ZONE_Z }
    const { problems } = said(loadFrom({ ...files, 'tls/ca.pem': text() }))
    const column = check.indexOf('tls/ca.pem') + 1
    const expected = `lbdns.yaml:3:${column}: tls/ca.pem ${flaw}`
    expect(problems).toEqual(flaw === undefined ? [] : [expected])
  })
})
