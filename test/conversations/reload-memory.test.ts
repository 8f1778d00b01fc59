/** SIGHUP again and again: the memory of a World that nobody serves any more goes back to the system. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { freePort, stopAll, until } from '../kit/process.ts'
import { logOf, PATIENCE_MS } from '../kit/reload.ts'
import { serveSite, site } from '../kit/server.ts'

afterAll(stopAll)

/** Some 30 MiB of World. */
const ZONE = `$ORIGIN example.com.
$TTL 60
@ SOA ns1 hostmaster 1 7200 900 1209600 60
@ NS ns1
ns1 A 192.0.2.1
$GENERATE 1-65535 a$ A 192.0.2.1
$GENERATE 1-65535 b$ A 192.0.2.1
$GENERATE 1-65535 c$ A 192.0.2.1
$GENERATE 1-65535 d$ A 192.0.2.1
`
const RELOADS = 3
const MIB = 1 << 10

/** In kB, of the process that was started with this file. */
function residentOf(file: string): number {
  const pid = readdirSync('/proc').find(one => /^\d+$/.test(one) && argumentsOf(one).includes(file))
  const status = readFileSync(`/proc/${pid}/status`, 'latin1')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1])
}

/** None where it is gone meanwhile. */
function argumentsOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0')
  } catch {
    return []
  }
}

test(
  `what ${RELOADS} reloads leave is less than two Worlds`,
  async () => {
    const folder = site({
      'lbdns.yaml': `listen: [127.0.0.1:${await freePort()}]\nworkers: 2\nzones: [a.zone]\n`,
      'a.zone': ZONE,
    })
    const server = await serveSite(folder)
    const resident = () => residentOf(join(folder, 'lbdns.yaml'))
    const reloads = () => logOf(server).filter(({ msg }) => msg === 'reloaded').length
    const again = async () => {
      const before = reloads()
      server.signal('SIGHUP')
      await until('it is reloaded', () => reloads() > before, PATIENCE_MS)
    }
    await again()
    const first = resident()
    for (let i = 0; i < RELOADS; i += 1) await again()
    await until('it is given back', () => resident() - first < 60 * MIB, 5_000)
    expect(resident()).toBeGreaterThan(30 * MIB)
  },
  RELOADS * PATIENCE_MS,
)
