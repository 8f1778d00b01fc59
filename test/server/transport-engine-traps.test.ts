/**
 * The ways in which native memory and native calls could take a process with them, or leave it deaf:
 * each in a process of its own, which has to end well. They run the built engine.
 */
import { describe, expect, test } from 'vitest'
import { runProgram } from '../kit/batched-worker.ts'
import { withoutBatches } from '../kit/engine.ts'
import { UNLESS } from '../kit/kernel.ts'

/** A thread that serves for as long as it lives, with something to do between turns. */
const serving = (between = '', waitMs = 50) => `
  let turns = 0
  const socket = await open(echo)
  parentPort.postMessage({ port: socket.port, fd: socket.fd })
  for (;;) { engine.turn(${waitMs}); turns += 1; ${between} }
`

type Row = readonly [rule: string, code: string, said: string, flags?: readonly string[]]

const TRAPS: readonly Row[] = [
  [
    'memory that the kernel writes to outlives every garbage collection',
    `
    const { worker, said } = await start(${JSON.stringify(serving('gc(); churn()'))}
      + 'function churn() { for (let i = 0; i < 50; i += 1) new ArrayBuffer(100_000) }')
    console.log(await ask(said.port, 150))
    await worker.terminate()
    `,
    '150',
    ['--expose-gc'],
  ],
  [
    'a thread that dies by a throw leaves the process alive, and its socket to whoever takes it over',
    `
    const dying = ${JSON.stringify(serving("if (turns > 10) throw new Error('a bug')", 5))}
    const { worker, said } = await start(dying)
    await new Promise(resolve => worker.once('error', resolve))
    const socket = await open(echo, { fd: said.fd })
    const asked = ask(said.port, 20)
    let answers
    asked.then(count => { answers = count })
    while (answers === undefined) {
      engine.turn(0)
      await new Promise(setImmediate)
    }
    console.log(answers)
    await socket.close()
    `,
    '20',
  ],
  [
    'a serve that throws at every other query does not make the socket deaf',
    `
    const code = \`
      let times = 0
      const socket = await open((query, length, reply) => {
        times += 1
        if (times % 2 === 1) throw new Error('a bug')
        return echo(query, length, reply)
      })
      parentPort.postMessage({ port: socket.port })
      for (;;) engine.turn(50)
    \`
    const { worker, said } = await start(code)
    const client = createSocket('udp4')
    let heard = 0
    client.on('message', () => { heard += 1 })
    for (let i = 0; i < 200; i += 1) {
      client.send(Buffer.alloc(20, i), said.port, '127.0.0.1')
      await new Promise(setImmediate)
    }
    for (let i = 0; i < 100 && heard < 100; i += 1) await new Promise(go => setTimeout(go, 20))
    client.close()
    console.log(heard)
    await worker.terminate()
    `,
    '100',
  ],
  [
    'terminate() ends a thread that waits in a turn, twenty times',
    `
    for (let i = 0; i < 20; i += 1) {
      const { worker, said } = await start(${JSON.stringify(serving('', 20))})
      if (i % 4 === 0) await ask(said.port, 3)
      await worker.terminate()
    }
    console.log('ended')
    `,
    'ended',
  ],
]

const EXIT = `
  const threads = [await start(${JSON.stringify(serving())}), await start(${JSON.stringify(serving())})]
  console.log(await ask(threads[0].said.port, 3) + await ask(threads[1].said.port, 3))
  process.exit(7)
`

describe.skipIf(withoutBatches !== undefined)(`batched engine${UNLESS}`, () => {
  for (const [rule, code, said, flags = []] of TRAPS) {
    test(rule, async () => {
      expect(await runProgram(code, ...flags)).toEqual({ code: 0, out: said, err: '' })
    })
  }

  test('process.exit() while two threads wait in a turn ends with its code, twenty times', async () => {
    for (let round = 0; round < 5; round += 1) {
      const ends = await Promise.all(Array.from({ length: 4 }, () => runProgram(EXIT)))
      for (const end of ends) expect(end).toEqual({ code: 7, out: '6', err: '' })
    }
  })
})
