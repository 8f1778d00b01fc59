/** `--debug`: octets as `hexdump -C` shows them, with the way they went. */
import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import type { Server } from '../../probe/ask/server.ts'
import type { Streamed, Wire } from '../../probe/ask/wire.ts'
import { hexLines, shownInHex } from '../../probe/debug.ts'
import { program } from '../../probe/program.ts'
import { labWire } from './in-process.ts'
import { labWorld, paper } from './world.ts'

const COUNT = Uint8Array.from({ length: 53 }, (_, at) => (at * 7 + 0x1e) & 0xff)

describe('octets', () => {
  test('by hand: a row and a half', () => {
    expect(hexLines(Buffer.from('ABCDEFGHIJKLMNOP\x00\x7f~'))).toEqual([
      '00000000  41 42 43 44 45 46 47 48  49 4a 4b 4c 4d 4e 4f 50  |ABCDEFGHIJKLMNOP|',
      '00000010  00 7f 7e                                          |..~|',
    ])
  })

  test('none', () => {
    expect(hexLines(new Uint8Array())).toEqual([])
  })

  const peer = spawnSync('hexdump', ['-C'], { input: COUNT, encoding: 'utf8' })
  test.skipIf(peer.error !== undefined)('as hexdump -C', () => {
    // its last line is the length alone
    expect(hexLines(COUNT)).toEqual(peer.stdout.trimEnd().split('\n').slice(0, -1))
  })
})

const AT = { address: '192.0.2.1', port: 53, recursion: 'desired' } as const
const secure = { name: 'dns.example', pins: [], ca: undefined, path: '/q', method: 'post' } as const
const WAYS: Readonly<Record<string, Server>> = {
  udp: { ...AT, transport: 'udp' },
  tcp: { ...AT, transport: 'tcp' },
  tls: { ...AT, port: 853, transport: 'tls', secure },
  https: { ...AT, port: 443, transport: 'https', secure },
  json: { ...AT, port: 443, transport: 'json', secure },
}

async function streamed(way: string, got: Streamed): Promise<readonly string[]> {
  const lines: string[] = []
  const wire = shownInHex({ ...labWire(1), stream: async () => got }, text => lines.push(text))
  const server = WAYS[way]
  if (server === undefined) throw new Error(way)
  expect(await wire.stream(server, Uint8Array.of(1, 2, 3), 100)).toBe(got)
  return lines.map(text => text.split('\n')[0] ?? '')
}

describe('the way', () => {
  // biome-ignore format: table
  const TABLE = [
    ['udp',   '192.0.2.1#53 tcp',                     ' after the length 0003',            ' after the length 0002'],
    ['tcp',   '192.0.2.1#53 tcp',                     ' after the length 0003',            ' after the length 0002'],
    ['tls',   'tls://dns.example#853 tls',            ' after the length 0003',            ' after the length 0002'],
    ['https', 'https://dns.example/q https',          ' of DNS in the body or the URL',    ' of DNS in the body or the URL'],
    ['json',  'json://dns.example/q json',            '',                                  ''],
  ] as const
  test.each(TABLE)('a stream to %s', async (way, peer, sent, heard) => {
    expect(await streamed(way, Uint8Array.of(4, 5))).toEqual([
      `1 > ${peer} · 3 octets${sent} · 0.0 ms`,
      `1 < ${peer} · 2 octets${heard} · 0.0 ms`,
    ])
  })

  test('JSON as its text', async () => {
    const lines: string[] = []
    const got = Buffer.from('{"Status":0}\n')
    const wire = shownInHex({ ...labWire(1), stream: async () => got }, text => lines.push(text))
    await wire.stream(WAYS.json as Server, Buffer.from('name=a.test&type=A'), 100)
    expect(lines.map(text => text.split('\n')[1])).toEqual([
      'name=a.test&type=A',
      expect.stringMatching(/^\{"Status":0\}/),
    ])
  })

  test('what ends a stream', async () => {
    expect((await streamed('tcp', 'closed'))[1]).toBe('1 < 192.0.2.1#53 tcp: closed · 0.0 ms')
    const denied = { error: 'certificate', why: 'for \u001b[31m another name' } as const
    expect((await streamed('tls', denied))[1]).not.toContain('\u001b')
  })

  test('datagrams, one of them from elsewhere', async () => {
    const lines: string[] = []
    const datagram: Wire['datagram'] = async (_server, _query, _forMs, _openness, judge) => {
      judge(Uint8Array.of(1), 'other')
      judge(Uint8Array.of(2), 'server')
      return 'accepted'
    }
    const wire = shownInHex({ ...labWire(1), datagram }, text => lines.push(text))
    const server = WAYS.udp
    if (server === undefined) throw new Error('udp')
    await wire.datagram(server, Uint8Array.of(9, 8), 100, 'open', (_octets, source) =>
      source === 'server' ? 'mine' : 'not-mine',
    )
    expect(lines.map(text => text.split('\n')[0])).toEqual([
      '1 > 192.0.2.1#53 udp · 2 octets · 0.0 ms',
      '1 < 192.0.2.1#53 udp, not its reply, from elsewhere · 1 octet · 0.0 ms',
      '1 < 192.0.2.1#53 udp · 1 octet · 0.0 ms',
    ])
  })
})

describe('a run', () => {
  const run = async (line: string) => {
    const out = paper()
    const err = paper(true)
    const exit = await program(line.split(' '), labWorld({ out, err }))
    return { exit, out: out.text(), err: err.text() }
  }

  test('shows each message, and its result is the same', async () => {
    const line = 'dns2 -n 3 --seed 1 @127.0.0.1 A single.lab.test'
    const [plain, shown] = [await run(line), await run(`${line} --debug`)]
    expect(shown.out).toBe(plain.out)
    expect(shown.err.match(/^[123] > 127\.0\.0\.1#53 udp · /gm)).toHaveLength(3)
    expect(shown.err.match(/^[123] < 127\.0\.0\.1#53 udp · /gm)).toHaveLength(3)
    expect(shown.err).not.toContain('\r')
    expect(plain.err).not.toContain('00000000  ')
  })

  test('with --as-dig too', async () => {
    const { err } = await run('dns2 -q -n 2 @127.0.0.1 A single.lab.test --debug --as-dig')
    expect(err.match(/^[12] > /gm)).toHaveLength(2)
    expect(err.match(/^dig /gm)).toHaveLength(2)
  })
})
