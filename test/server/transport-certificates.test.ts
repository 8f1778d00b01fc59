import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Problem, problemText } from '../../server/fault.ts'
import { Certificates, type PairFiles } from '../../server/transport/certificates.ts'
import { PROTOCOLS } from '../../server/transport/connection.ts'
import { PLAIN, tcpService } from '../../server/transport/tcp.ts'
import { type Made, madePairs, secured } from '../kit/secure.ts'
import { echo } from '../kit/transport.ts'

let made: Made
beforeAll(() => {
  made = madePairs()
})
afterAll(() => made.remove())

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

let files: PairFiles
beforeEach(() => {
  const at = (column: number) => ({ file: 'lbdns.yaml', line: 3, column })
  const path = (name: string) => join(made.folder, name)
  files = { cert: { path: path('now.pem'), at: at(6) }, key: { path: path('now.key'), at: at(20) } }
  use('dns')
})

/** One pair or the other lies where it is looked for. */
function use(name: 'dns' | 'other', key: 'dns' | 'other' = name): void {
  copyFileSync(join(made.folder, `${name}.pem`), files.cert.path)
  copyFileSync(join(made.folder, `${key}.key`), files.key.path)
}

async function open() {
  const warnings: Problem[] = []
  const certificates = new Certificates(problem => warnings.push(problem))
  closers.push(() => certificates.stop())
  const handshakes = certificates.hold(files, PROTOCOLS.tls)
  const service = tcpService(echo, { onFault: () => undefined })
  const manner = { ...PLAIN, over: 'tls', handshakes } as const
  const listener = await service.open('127.0.0.1', 0, { ecs: true, manner })
  closers.push(() => listener.close(0))
  const served = async (session?: Buffer) => {
    const socket = await secured(listener.port, session === undefined ? {} : { session })
    closers.push(() => socket.destroy())
    return { name: socket.getPeerCertificate().subject?.CN, socket }
  }
  return { certificates, warnings, served }
}

describe('certificates', () => {
  test('a pair that changed is taken when it is seen twice; open connections stay', async () => {
    const { certificates, served, warnings } = await open()
    const before = await served()
    expect(before.name).toBe('dns')
    use('other')
    await certificates.look()
    expect((await served()).name).toBe('dns')
    await certificates.look()
    expect((await served()).name).toBe('other')
    expect(before.socket.destroyed).toBe(false)
    expect(warnings).toEqual([])
  })

  // biome-ignore format: table
  const BAD = [
    ['the key of another',  () => use('other', 'dns'),                        /^lbdns\.yaml:3:20: .*now\.key is the key of another certificate: the one before stays · /],
    ['no certificate',      () => writeFileSync(files.cert.path, 'nothing'),  /^lbdns\.yaml:3:6: .*now\.pem holds no certificate that can be read: the one before stays · /],
    ['no key',              () => writeFileSync(files.key.path, 'nothing'),   /^lbdns\.yaml:3:20: .*now\.key holds no key that can be read: the one before stays · /],
  ] as const

  for (const [rule, spoil, said] of BAD) {
    test(`${rule}: told once, and the one before stays`, async () => {
      const { certificates, served, warnings } = await open()
      spoil()
      for (let look = 0; look < 4; look += 1) await certificates.look()
      expect(warnings.map(problemText)).toEqual([expect.stringMatching(said)])
      expect((await served()).name).toBe('dns')
      use('other')
      await certificates.look()
      await certificates.look()
      expect((await served()).name).toBe('other')
    })
  }

  test('a pair that is no use is not held', () => {
    use('other', 'dns')
    const certificates = new Certificates(() => undefined)
    expect(() => certificates.hold(files, PROTOCOLS.tls)).toThrow(
      /is the key of another certificate/,
    )
  })

  test('a reload takes what is there now', async () => {
    const { certificates, served } = await open()
    use('other')
    certificates.hold(files, PROTOCOLS.tls)
    expect((await served()).name).toBe('other')
  })
})
