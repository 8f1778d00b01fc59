/** `lbdns ctl explain`: the answer as the server gives it now, or why that cannot be said. */
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boardTold } from '../../server/board-told.ts'
import { load, type Serving } from '../../server/load.ts'
import { type Board, openBoard } from '../../server/steer/board.ts'
import { closeSockets, controlSocket } from '../kit/control.ts'
import { stopAll } from '../kit/process.ts'
import { lbdns, site } from '../kit/server.ts'
import { MACHINE } from '../kit/world.ts'

const FILES = {
  'lbdns.yaml': `listen: [127.0.0.1:5353]
zones: [example.com.zone]
pools:
  fra: {targets: [192.0.2.10, 192.0.2.11]}
  iad: {targets: [198.51.100.10]}
steer:
  www.example.com: {ttl: {max: 300s, min: 10s}, pools: [fra, iad]}
`,
  'other.yaml': `control: lbdns.sock
listen: [127.0.0.1:5353]
zones: [example.com.zone]
`,
  'wrong.yaml': 'control: lbdns.sock\nlisten: [x]\n',
  'example.com.zone': `$ORIGIN example.com.
$TTL 60
@ SOA ns1 hostmaster 7 7200 900 1209600 60
@ NS ns1
ns1 A 192.0.2.251
www TXT "also steered"
`,
}

const folder = site(FILES)
const file = (name = 'lbdns.yaml') => join(folder, name)
let serving: Serving
let board: Board
let digest = ''
beforeAll(async () => {
  const loaded = load(file(), MACHINE)
  if (!loaded.ok) throw new Error('the test has a bad configuration')
  serving = loaded.value
  board = openBoard(serving.world.steering)
  const answer = () => ({ ok: true, value: boardTold(board, digest) }) as const
  await controlSocket(answer, {}, join(folder, 'lbdns.sock'))
})
afterAll(async () => {
  await closeSockets()
  await stopAll()
})

const explain = (name: string, ...args: readonly string[]) =>
  lbdns('ctl', '-c', file(name), 'explain', 'www.example.com', ...args)

/** What would be answered. */
async function answer(): Promise<readonly string[]> {
  const { code, stdout, stderr } = await explain('lbdns.yaml', '--json')
  expect([code, stderr]).toEqual([0, ''])
  return JSON.parse(stdout).reply.answer.toSorted()
}

describe('with the board of the server', () => {
  test('all up; one down; a whole pool down; a TTL that is capped', async () => {
    digest = serving.world.digest
    expect(await answer()).toEqual([
      'www.example.com. 300 IN A 192.0.2.10',
      'www.example.com. 300 IN A 192.0.2.11',
    ])
    board.up.set([0, 1, 1])
    expect(await answer()).toEqual(['www.example.com. 300 IN A 192.0.2.11'])
    board.up.set([0, 0, 1])
    expect(await answer()).toEqual(['www.example.com. 300 IN A 198.51.100.10'])
    board.cap.fill(42)
    expect(await answer()).toEqual(['www.example.com. 42 IN A 198.51.100.10'])
    const { code, stdout } = await explain('lbdns.yaml')
    expect([code, stdout.split('\n')[0]]).toEqual([
      0,
      expect.stringMatching(/^read +question +www\.example\.com\. A/),
    ])
  })

  test('--down comes on top of it', async () => {
    digest = serving.world.digest
    board.up.set([1, 1, 1])
    const { stdout } = await explain('lbdns.yaml', '--down', 'fra', '--json')
    expect(JSON.parse(stdout).reply.answer).toEqual(['www.example.com. 42 IN A 198.51.100.10'])
  })
})

describe('refused', () => {
  test('where the server serves another configuration', async () => {
    digest = 'f'.repeat(32)
    const { code, stdout, stderr } = await explain('lbdns.yaml')
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toBe(
      `lbdns: the server serves another configuration (digest ${digest}) than ${file()} (${serving.world.digest}) · reload it first, or name with -c the file it runs\n`,
    )
  })

  test('where the file is another one', async () => {
    digest = serving.world.digest
    const { code, stderr } = await explain('other.yaml')
    expect(code).toBe(1)
    expect(stderr).toContain(`the server serves another configuration (digest ${digest})`)
  })

  test('where the file is wrong: with all that is wrong with it', async () => {
    const { code, stderr } = await explain('wrong.yaml')
    expect(code).toBe(1)
    expect(stderr).toContain(`${file('wrong.yaml')}:2:10: `)
    expect(stderr).toContain('zones is missing')
  })
})
