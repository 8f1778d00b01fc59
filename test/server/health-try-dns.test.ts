import { createSocket } from 'node:dgram'
import { afterEach, describe, expect, test } from 'vitest'
import { tryOnce } from '../../server/health/try.ts'
import type { DnsTrial } from '../../server/steer/trial.ts'
import {
  AMPLE_MS,
  closeAll,
  closing,
  expectOutcome,
  flood,
  nobody,
  rawTarget,
  SHORT_MS,
  type Target,
} from '../kit/health.ts'
import { until } from '../kit/transport.ts'

afterEach(closeAll)

/** `Ab.example.` and TXT: by hand, as the wire has it. */
const NAME = Buffer.from('024162076578616d706c6500', 'hex')
const QUESTION = '024162076578616d706c650000100001'

function trialOf(port: number, more: Partial<DnsTrial> = {}): DnsTrial {
  return { kind: 'dns', port, transport: 'udp', name: NAME, type: 16, rcodes: [0, 3], ...more }
}

/** Hexadecimal text; `ID` stands for the query's, `NO` for another. */
function reply(query: Uint8Array, text: string): Buffer {
  const id = Buffer.from(query).readUInt16BE(0)
  const hex = (value: number): string => value.toString(16).padStart(4, '0')
  return Buffer.from(
    text
      .replaceAll('ID', hex(id))
      .replaceAll('NO', hex(id ^ 1))
      .replaceAll(' ', ''),
    'hex',
  )
}

const COUNTS = '0001 0000 0000 0000'
const GOOD = `ID 8500 ${COUNTS} ${QUESTION}`

/** Over UDP nothing need happen first. */
const BRIEF_MS = 100
const LATE = `no answer within ${SHORT_MS} ms`

// biome-ignore format: table
const REPLIES: readonly (readonly [string, readonly string[], string, string])[] = [
  ['RFC 1035 §4.1.1 NOERROR passes', [GOOD], 'passed', 'NOERROR'],
  ['one of several RCODEs', [`ID 8503 ${COUNTS} ${QUESTION}`], 'passed', 'NXDOMAIN'],
  ['an RCODE that does not pass', [`ID 8502 ${COUNTS} ${QUESTION}`], 'failed', 'SERVFAIL'],
  ['RFC 4343 §3 the case of the name does not count', [`ID 8500 ${COUNTS} 0261420745584d504c450000100001`.replace('0745584d', '07455841 4d')], 'passed', 'NOERROR'],
  ['RFC 2181 §9 truncated, but a reply', [`ID 8700 ${COUNTS} ${QUESTION}`], 'passed', 'NOERROR'],
  ['what follows the question is not read', [`${GOOD} ffff`], 'passed', 'NOERROR'],
  ['RFC 5452 §9.1 another ID', [`NO 8500 ${COUNTS} ${QUESTION}`], 'failed', LATE],
  ['RFC 5452 §9.1 another name', [`ID 8500 ${COUNTS} 024163${QUESTION.slice(6)}`], 'failed', LATE],
  ['RFC 5452 §9.1 another type', [`ID 8500 ${COUNTS} ${QUESTION.slice(0, -8)}00300001`], 'failed', LATE],
  ['a query is no reply', [`ID 0100 ${COUNTS} ${QUESTION}`], 'failed', LATE],
  ['another opcode', [`ID a500 ${COUNTS} ${QUESTION}`], 'failed', LATE],
  ['no question', ['ID 8500 0000 0000 0000 0000'], 'failed', LATE],
  ['cut short in the question', [GOOD.slice(0, -4)], 'failed', LATE],
  ['of a few octets', ['ID 85'], 'failed', LATE],
  ['of none', [''], 'failed', LATE],
  ['others first, then the reply', ['', `NO 8502 ${COUNTS} ${QUESTION}`, GOOD], 'passed', 'NOERROR'],
]

function udpSockets(): number {
  return process.getActiveResourcesInfo().filter(name => name.startsWith('UDP')).length
}

describe('over UDP', () => {
  async function server(
    address: string,
    answer: (query: Buffer) => readonly Buffer[],
    from?: ReturnType<typeof createSocket>,
  ): Promise<number> {
    const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4')
    closing(() => socket.close())
    socket.on('message', (query, { port }) => {
      for (const one of answer(query)) (from ?? socket).send(one, port, address)
    })
    await new Promise<void>(resolve => socket.bind(0, address, resolve))
    return socket.address().port
  }

  test.each(REPLIES)('%s', async (_, replies, verdict, why) => {
    const port = await server('127.0.0.1', query => replies.map(text => reply(query, text)))
    const isLate = why === LATE
    const outcome = await tryOnce(trialOf(port), '127.0.0.1', isLate ? BRIEF_MS : AMPLE_MS)
    expect(outcome.why).toBe(isLate ? `no answer within ${BRIEF_MS} ms` : why)
    expect(outcome.passed).toBe(verdict === 'passed')
    await until(() => udpSockets() === 1) // the server's
  })

  test('RFC 1035 §4.1.1 one question, recursion desired, a number that nobody foresees', async () => {
    const heard: string[] = []
    const port = await server('127.0.0.1', query => {
      heard.push(query.toString('hex'))
      return [reply(query, GOOD)]
    })
    for (let i = 0; i < 8; i += 1) await tryOnce(trialOf(port), '127.0.0.1', AMPLE_MS)
    for (const text of heard) expect(text.slice(4)).toBe(`01000001000000000000${QUESTION}`)
    expect(new Set(heard).size).toBeGreaterThan(4)
  })

  test('RFC 5452 §9.2 a reply from another port is none', async () => {
    const other = createSocket('udp4')
    closing(() => other.close())
    const port = await server('127.0.0.1', query => [reply(query, GOOD)], other)
    const outcome = await tryOnce(trialOf(port), '127.0.0.1', SHORT_MS)
    expect(outcome.why).toBe(LATE)
  })

  test('a flood of others ends in time', async () => {
    const port = await server('127.0.0.1', query =>
      Array.from({ length: 2000 }, () => reply(query, `NO 8500 ${COUNTS} ${QUESTION}`)),
    )
    expect((await tryOnce(trialOf(port), '127.0.0.1', SHORT_MS)).why).toBe(LATE)
  })

  test('IPv6', async () => {
    const port = await server('::1', query => [reply(query, GOOD)])
    expect((await tryOnce(trialOf(port), '::1', AMPLE_MS)).why).toBe('NOERROR')
  })

  test('RFC 1122 §4.1.3.3 nobody there: the kernel says so', async () => {
    const outcome = await tryOnce(trialOf(await nobody()), '127.0.0.1', AMPLE_MS)
    expect(outcome).toMatchObject({ passed: false, why: 'connection refused' })
  })
})

describe('over TCP', () => {
  const framed = (message: Buffer): Buffer => {
    const length = Buffer.alloc(2)
    length.writeUInt16BE(message.length)
    return Buffer.concat([length, message])
  }

  async function server(
    answer: (query: Buffer, socket: Parameters<Parameters<typeof rawTarget>[0]>[0]) => void,
  ): Promise<Target> {
    const target = await rawTarget((socket, heard) => answer(heard.subarray(2), socket))
    closing(target.close)
    return target
  }

  test.each(REPLIES)('%s', async (_, replies, verdict, why) => {
    const target = await server((query, socket) => {
      for (const text of replies) socket.write(framed(reply(query, text)))
    })
    const passed = verdict === 'passed'
    await expectOutcome(trialOf(target.port, { transport: 'tcp' }), target, { passed, why })
  })

  test('RFC 7766 §8 octet by octet', async () => {
    const target = await server(async (query, socket) => {
      for (const octet of framed(reply(query, GOOD))) {
        socket.write(Uint8Array.of(octet))
        await new Promise(resolve => setImmediate(resolve))
      }
    })
    const trial = trialOf(target.port, { transport: 'tcp' })
    await expectOutcome(trial, target, { passed: true, why: 'NOERROR' })
  })

  // biome-ignore format: table
  const TABLE: readonly (readonly [string, Parameters<typeof server>[0], string])[] = [
    ['never answers', () => undefined, LATE],
    ['hangs up', (_, socket) => socket.end(), 'connection closed before a whole answer'],
    ['resets', (_, socket) => socket.resetAndDestroy(), 'connection reset'],
    ['breaks off its reply', (query, socket) => socket.end(framed(reply(query, GOOD)).subarray(0, 20)), 'connection closed before a whole answer'],
    ['promises more than it sends', (_, socket) => socket.write(Uint8Array.of(255, 255, 0)), LATE],
    ['sends other messages without end', (query, socket) => flood(socket, framed(reply(query, `NO 8500 ${COUNTS} ${QUESTION}`))), 'more than 128 KiB without an answer'],
    ['sends lengths of 0 without end', (_, socket) => flood(socket, new Uint8Array(1000)), 'more than 128 KiB without an answer'],
  ]
  test.each(TABLE)('a target that %s', async (_, answer, why) => {
    const target = await server(answer)
    await expectOutcome(trialOf(target.port, { transport: 'tcp' }), target, { why })
  })
})
