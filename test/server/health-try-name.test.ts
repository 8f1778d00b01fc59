/** Names of targets: looked up by one at a time, and what they were while nobody can tell what they are. */
import { describe, expect, test } from 'vitest'
import { type Addresses, Names } from '../../server/health/try-name.ts'
import { AMPLE_MS, SHORT_MS } from '../kit/health.ts'

const NAME = 'web.example.net'
const OLD: Addresses = [{ address: '192.0.2.1', family: 4 }]
const NEW: Addresses = [
  { address: '2001:db8::2', family: 6 },
  { address: '192.0.2.2', family: 4 },
]

/** Errors as the system has them. */
const failing = (code: string) => Object.assign(new Error(code), { code })

/** Names, and the look-ups that wait for the test to end them. */
function stage() {
  const waiting: {
    readonly tell: (found: Addresses) => void
    readonly fail: (code: string) => void
  }[] = []
  const asked: string[] = []
  const names = new Names(name => {
    asked.push(name)
    return new Promise((resolve, reject) => {
      waiting.push({ tell: resolve, fail: code => reject(failing(code)) })
    })
  })
  const addresses = (ms = AMPLE_MS, place = NAME) =>
    names.addresses(place, { signal: AbortSignal.timeout(ms), ms })
  /** Asks, and has the system answer. */
  const told = async (found: Addresses): Promise<Addresses> => {
    const wanted = addresses()
    waiting.shift()?.tell(found)
    return wanted
  }
  return { addresses, asked, told, waiting }
}

describe('a name', () => {
  test('is what the system says, each time anew', async () => {
    const { asked, told } = stage()
    expect(await told(OLD)).toEqual(OLD)
    expect(await told(NEW)).toEqual(NEW)
    expect(asked).toEqual([NAME, NAME])
  })

  test('is looked up once for all who want it at a time', async () => {
    const { addresses, asked, waiting } = stage()
    const all = Promise.all([addresses(), addresses(), addresses()])
    waiting.shift()?.tell(OLD)
    expect(await all).toEqual([OLD, OLD, OLD])
    expect(asked).toHaveLength(1)
  })

  test.each([
    ['192.0.2.9', 4],
    ['2001:db8::9', 6],
    ['fe80::1%eth0', 6],
  ])('that is an address is its own: %s', async (place, family) => {
    const { addresses, asked } = stage()
    expect(await addresses(AMPLE_MS, place)).toEqual([{ address: place, family }])
    expect(asked).toEqual([])
  })
})

describe('a system that is late', () => {
  test('and a name that was never known: no address', async () => {
    const { addresses } = stage()
    await expect(addresses(SHORT_MS)).rejects.toThrow(
      `no address for the name within ${SHORT_MS} ms`,
    )
  })

  test('and a name that is known: what it was, well before time is over, as often as one asks', async () => {
    const { addresses, asked, told, waiting } = stage()
    await told(OLD)
    const since = performance.now()
    for (let i = 0; i < 3; i += 1) expect(await addresses(AMPLE_MS / 5)).toEqual(OLD)
    expect(performance.now() - since).toBeLessThan((AMPLE_MS / 5) * 3)
    expect(asked).toHaveLength(2) // however many wait, the system has one of them to do
    waiting.shift()?.tell(NEW)
    await new Promise(setImmediate)
    expect(await addresses(SHORT_MS)).toEqual(NEW)
  })

  test('is no matter of other names', async () => {
    const { addresses, waiting } = stage()
    const late = addresses(SHORT_MS)
    const other = addresses(AMPLE_MS, 'other.example.net')
    waiting.pop()?.tell(NEW)
    expect(await other).toEqual(NEW)
    await expect(late).rejects.toThrow('no address')
  })
})

describe('a system that cannot tell', () => {
  // biome-ignore format: table
  const TABLE = [
    // what it says                      code         what was known counts
    ['it cannot tell at present',        'EAI_AGAIN', true],
    ['it has no memory, files, sockets', 'EAI_MEMORY', true],
    ['there is no address',              'ENOTFOUND', false],
  ] as const
  test.each(TABLE)('%s', async (_, code, counts) => {
    const { addresses, told, waiting } = stage()
    const unknown = addresses()
    waiting.shift()?.fail(code)
    await expect(unknown).rejects.toMatchObject({ code })
    await told(OLD)
    const known = addresses()
    waiting.shift()?.fail(code)
    if (counts) expect(await known).toEqual(OLD)
    else await expect(known).rejects.toMatchObject({ code })
  })

  test('a name that had no address is not known any more', async () => {
    const { addresses, told, waiting } = stage()
    await told(OLD)
    for (const code of ['ENOTFOUND', 'EAI_AGAIN']) {
      const wanted = addresses()
      waiting.shift()?.fail(code)
      await expect(wanted).rejects.toMatchObject({ code })
    }
  })
})
