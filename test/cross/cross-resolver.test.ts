/**
 * `lbprobe resolver`, and `ecs` through a resolver, with resolvers that none of us wrote in front of the
 * lab: with client subnets passed on, and not. What each really does is in its manual.
 */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { answers, type Place } from '../kit/ask.ts'
import {
  describeWith, folder, freePort, LBPROBE, putFiles, run, startReady, stopAll,
} from '../kit/process.ts' // biome-ignore format: list
import { measured } from './lbprobe.ts'
import { startRecursor, startUnbound } from './resolvers.ts'

const ZONE = 'lab.test'
const MIRROR = `whoami.${ZONE}`
let lab: Place

beforeAll(async () => {
  lab = { host: '127.0.0.1', port: await freePort() }
  await startReady(process.execPath, [LBPROBE, 'lab', '--listen', `127.0.0.1:${lab.port}`], () =>
    answers(lab, ZONE),
  )
})
afterAll(stopAll)

type Calibrated = {
  readonly verdict: string
  readonly path?: string
  readonly ways: Readonly<Record<string, string>>
  readonly lengths: readonly number[]
}

async function calibrated({ host, port }: Place): Promise<Calibrated> {
  const words = ['resolver', `@${host}:${port}`, '--zone', MIRROR, '--json', '--allow-long-prefix']
  const { stdout } = await run(process.execPath, [LBPROBE, ...words])
  const { schema, results } = JSON.parse(stdout)
  expect(schema).toBe('lbprobe.resolver/1')
  return results[0]
}

async function through(place: Place): Promise<readonly [string | undefined, readonly string[]]> {
  const [result] = await measured('ecs', place, `A scope-theatre.${ZONE} --calibrate ${MIRROR}`)
  return [result?.verdict.code, result?.findings.map(({ id }) => id) ?? []]
}

describeWith(['unbound'], 'lbprobe and Unbound', () => {
  test('send-client-subnet: passed on, cut to 24, the scope shown, cached by scope', async () => {
    const unbound = await startUnbound(ZONE, lab)
    expect(await calibrated(unbound)).toMatchObject({
      verdict: 'forwards',
      path: 'intact',
      ways: {
        echo: 'exact',
        scope: 'shown',
        longer: 'truncated',
        hostBits: 'cleared',
        nobody: 'kept',
        cache: 'by-scope',
      },
      lengths: [24],
    })
    const [, findings] = await through(unbound)
    expect(findings).not.toContain('ECS018')
  })

  test('no send-client-subnet for the server: nothing is passed on', async () => {
    const elsewhere = await startUnbound(ZONE, lab, { subnetsTo: '192.0.2.1' })
    expect(await calibrated(elsewhere)).toMatchObject({
      verdict: 'strips',
      path: 'altered',
      ways: { echo: 'exact' }, // with scope 0
    })
    const [code, findings] = await through(elsewhere)
    expect([code, findings.includes('ECS018')]).toEqual(['path', true])
  })
})

describeWith(['pdns_recursor'], 'lbprobe and PowerDNS Recursor', () => {
  test('use-incoming-edns-subnet: passed on, but no option comes back', async () => {
    const recursor = await startRecursor(ZONE, lab)
    expect(await calibrated(recursor)).toMatchObject({
      verdict: 'forwards',
      path: 'altered',
      // ecs-scope-zero-address is the address it names where SOURCE is 0
      ways: { echo: 'missing', scope: 'hidden', longer: 'truncated', nobody: 'own-address' },
      lengths: [24],
    })
    expect((await through(recursor))[0]).toBe('path')
  })

  test('no edns-subnet-allow-list: nothing is passed on', async () => {
    const recursor = await startRecursor(ZONE, lab, { allowed: 'elsewhere.test' })
    expect(await calibrated(recursor)).toMatchObject({ verdict: 'strips', path: 'altered' })
  })
})

describeWith(['dnsdist'], 'lbprobe and dnsdist', () => {
  test('useClientSubnet leaves an option that came as it is', async () => {
    expect(await calibrated(await startDnsdist('useClientSubnet=true', ''))).toMatchObject({
      verdict: 'forwards',
      ways: {
        echo: 'exact',
        scope: 'shown',
        longer: 'as-sent',
        hostBits: 'passed',
        cache: 'by-subnet',
      },
    })
  })

  test('setECSOverride puts the address of its client in place', async () => {
    const dnsdist = await startDnsdist('useClientSubnet=true', 'setECSOverride(true)')
    expect(await calibrated(dnsdist)).toMatchObject({ verdict: 'substitutes', path: 'altered' })
  })
})

async function startDnsdist(server: string, more: string): Promise<Place> {
  const place = { host: '127.0.0.1', port: await freePort() }
  const where = folder()
  const config = `
setLocal("127.0.0.1:${place.port}")
newServer({address="127.0.0.1:${lab.port}", ${server}})
setECSSourcePrefixV4(24)
${more}
`
  putFiles(where, { 'dnsdist.conf': config })
  const args = ['--supervised', '-C', join(where, 'dnsdist.conf')]
  await startReady('dnsdist', args, () => answers(place, ZONE))
  return place
}
