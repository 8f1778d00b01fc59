/**
 * Replies of the lab, mutated: every one gives a value, at once, and no address that is not rdata in
 * its octets. `LBPROBE_FUZZ` says how many (default 100,000); the seed is printed with a failure.
 */
import { describe, expect, test } from 'vitest'
import { streamedOf } from '../../probe/ask/doh.ts'
import { exchange } from '../../probe/ask/exchange.ts'
import type { HttpReply } from '../../probe/ask/http.ts'
import { encodeQuery } from '../../probe/ask/query.ts'
import { type Reply, readReply } from '../../probe/ask/reply.ts'
import type { Transport } from '../../probe/ask/server.ts'
import type { Streamed, Wire } from '../../probe/ask/wire.ts'
import { LAB_NAMES, labOf } from '../../probe/lab/lab.ts'
import { below, type Chance, chanceFrom } from '../../probe/plan/chance.ts'
import { readAddress } from '../../probe/plan/subnet.ts'
import { ATLAS } from './in-process.ts'
import { NET, serverAt } from './secure.ts'

const COUNT = Math.min(1_000_000, Number(process.env.LBPROBE_FUZZ ?? 100_000))
const SEED = Number(process.env.LBPROBE_SEED ?? 1)
const HANG_MS = 50

/** Good replies, and the lab's bad ones, by name and type. */
const SEEDS = LAB_NAMES.flatMap(({ label }) =>
  (['A', 'AAAA'] as const).flatMap(type => {
    const name = `${label}.lab.test`
    const size = label === 'no-edns' ? undefined : 1232
    const query = encodeQuery({ id: 7, name, type, recursion: 'desired', size, subnet: NET })
    const [sent] = labOf(ATLAS, 1).serve(query, 'tcp', 0)
    return sent === undefined ? [] : [{ name, type, octets: Buffer.from(sent.octets) }]
  }),
)

/** One change: an octet, a bit, an end, a slice taken out, put in twice, or moved from elsewhere. */
function changed(octets: Buffer, chance: Chance): Buffer {
  const at = below(chance, Math.max(1, octets.length))
  const to = at + below(chance, octets.length - at + 1)
  const slice = octets.subarray(at, to)
  switch (below(chance, 7)) {
    case 0:
      return octets.subarray(0, at)
    case 1:
      return Buffer.concat([octets.subarray(0, at), octets.subarray(to)])
    case 2:
      return Buffer.concat([octets.subarray(0, to), slice, octets.subarray(to)])
    case 3: {
      const value = Buffer.of([0, 1, 0x3f, 0x40, 0xc0, 0xff][below(chance, 6)] ?? 0)
      return Buffer.concat([octets.subarray(0, at), value, octets.subarray(at + 1)])
    }
    case 4: {
      const pointer = Buffer.of(0xc0, below(chance, 256))
      return Buffer.concat([octets.subarray(0, at), pointer, octets.subarray(at + 2)])
    }
    default: {
      const copy = Buffer.from(octets)
      if (at < copy.length) copy[at] = (copy[at] ?? 0) ^ (1 << below(chance, 8))
      return copy
    }
  }
}

function mutated(octets: Buffer, chance: Chance): Buffer {
  let out = octets
  for (let changes = 1 + below(chance, 4); changes > 0; changes -= 1) out = changed(out, chance)
  return out.subarray(0, 65_535)
}

/** Whether an address stands in the octets behind its RDLENGTH. */
function isRdata(text: string, octets: Buffer): boolean {
  const address = readAddress(text)
  return address !== undefined && octets.includes(Buffer.from([0, address.length, ...address]))
}

function timed(octets: Buffer, name: string, number: number): { reply: Reply; ms: number } {
  const began = performance.now()
  const reply = readReply(octets, name, number)
  return { reply, ms: performance.now() - began }
}

/** What takes long each time is slow; what does once had to wait for the machine. */
function hangs(octets: Buffer, name: string, number: number): boolean {
  return [1, 2, 3].every(() => timed(octets, name, number).ms > HANG_MS)
}

test(`${COUNT} mutated replies: no throw, no hang, no address invented (seed ${SEED})`, () => {
  const chance = chanceFrom(SEED)
  const seen = { answers: 0, errors: 0, longest: 0 }
  for (let n = 0; n < COUNT; n += 1) {
    const seed = SEEDS[below(chance, SEEDS.length)]
    if (seed === undefined) continue
    const octets = mutated(seed.octets, chance)
    const number = seed.type === 'A' ? 1 : 28
    const { reply, ms } = timed(octets, seed.name, number)
    const hex = octets.toString('hex')
    if (ms > HANG_MS) expect(hangs(octets, seed.name, number), hex).toBe(false)
    for (const text of reply.answers) {
      // data of another length than an address has is shown as octets (RFC 3597 §5)
      const true_ = text.startsWith('\\# ') || isRdata(text, octets)
      if (!true_) expect.fail(`${text} is invented, out of ${hex}`)
    }
    seen.answers += reply.answers.length
    seen.errors += reply.error === undefined ? 0 : 1
  }
  // mutations that only break things, or break nothing, would prove little
  expect(seen.answers).toBeGreaterThan(COUNT / 10)
  expect(seen.errors).toBeGreaterThan(COUNT / 100)
}, 600_000)

describe('encrypted transports', () => {
  const CARRIED = 2000
  const STATUS = [200, 200, 200, 204, 100, 302, 404, 500, 999, 0, Number.NaN]
  const TYPES = ['application/dns-message', 'application/dns-json', 'text/html', '', '\u001b[31m']

  function httpReply(chance: Chance, body: Buffer): HttpReply {
    const status = STATUS[below(chance, STATUS.length)] ?? 0
    const type = TYPES[below(chance, TYPES.length)] ?? ''
    return { status, type, ageSeconds: below(chance, 100), body }
  }

  function wireOf(answer: Streamed): Wire {
    return {
      now: () => 0,
      sleep: async () => undefined,
      datagram: async () => 'timeout',
      stream: async () => answer,
    }
  }

  /** A reply as it would be to the question asked: ID 0, the name in lower case. */
  function bodyFor(transport: Transport, chance: Chance): Buffer {
    const seed = SEEDS[below(chance, SEEDS.length)]
    const octets = Buffer.from(seed?.octets ?? '')
    octets.writeUInt16BE(0, 0)
    const address = { name: 'fixed-list.lab.test.', type: 1, TTL: 60, data: '192.0.2.1' }
    const json = JSON.stringify({ Status: 0, Answer: [address, address] })
    const body = transport === 'json' ? Buffer.from(json) : octets
    return below(chance, 4) === 0 ? body : mutated(body, chance)
  }

  for (const transport of ['tls', 'https', 'json'] as const) {
    test(`${transport}: ${CARRIED} replies, each a value`, async () => {
      const chance = chanceFrom(SEED)
      const server = serverAt(1, transport)
      const errand = {
        ...{ name: 'fixed-list.lab.test', type: 'A', subnet: NET, server, size: 1232 },
        ...{ timeoutMs: 1, openness: 'connected' as const },
      }
      const outcomes = new Set<string>()
      for (let n = 0; n < CARRIED; n += 1) {
        const body = bodyFor(transport, chance)
        const http = streamedOf(server, httpReply(chance, body))
        const streamed = transport === 'tls' ? body : http
        const { reply } = await exchange(errand, wireOf(streamed), chance)
        const text = body.toString('latin1')
        for (const answer of reply.answers) {
          const held = transport === 'json' ? text.includes(answer) : isRdata(answer, body)
          expect(held || answer.startsWith('\\# '), `${answer} out of ${text}`).toBe(true)
        }
        expect(reply.oddities.join('')).toMatch(/^[ -~]*$/)
        outcomes.add(reply.error ?? 'reply')
      }
      expect(outcomes).toContain(transport === 'tls' ? 'malformed' : 'http')
    })
  }
})
