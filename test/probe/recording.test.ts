/**
 * What was recorded is judged as it was live, for every name of the lab and both commands; and what a
 * recording may be that comes from anywhere.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LAB_NAMES, labOf } from '../../probe/lab/lab.ts'
import { isWrong } from '../../probe/plan/wrong.ts'
import { program } from '../../probe/program.ts'
import { parseRecording } from '../../probe/recording.ts'
import { recordingSchemaText } from '../../probe/tell/recording-shape.ts'
import type { World } from '../../probe/world.ts'
import { ATLAS, wireTo } from './in-process.ts'
import { absent, labWorld, paper } from './world.ts'

/** Files in memory. */
function disk() {
  const files = new Map<string, string>()
  return {
    files,
    readText: async (path: string) => files.get(path) ?? absent(path),
    writeText: async (path: string, text: string) => void files.set(path, text),
    appendText: async (path: string, text: string) =>
      void files.set(path, (files.get(path) ?? '') + text),
  }
}

async function use(line: string, over: Partial<World>) {
  const out = paper()
  const err = paper()
  const exit = await program(line.split(' '), labWorld({ out, err, ...over }))
  return { exit, out: out.text(), err: err.text() }
}

const BROKEN_WIRE = {
  now: () => 0,
  sleep: () => Promise.reject(new Error('slept')),
  datagram: () => Promise.reject(new Error('asked')),
  stream: () => Promise.reject(new Error('asked')),
}

describe('judged again it is what it was', () => {
  const cases = LAB_NAMES.flatMap(({ label }) =>
    (['dns2', 'ecs'] as const).map(command => [command, label] as const),
  )
  test.each(cases)('%s %s.lab.test', async (command, label) => {
    const { files, ...rest } = disk()
    const wire = wireTo(labOf(ATLAS, 5))
    const line = `${command} -q A AAAA @127.0.0.1:5300 ${label}.lab.test --json`
    const live = await use(`${line} --record r.jsonl`, { ...rest, wire })
    const again = await use(`${command} -q --json --replay r.jsonl`, { ...rest, wire: BROKEN_WIRE })
    expect(JSON.parse(again.out)).toEqual(JSON.parse(live.out))
    expect(again.exit).toBe(live.exit)
  })

  test('name servers found, aliases followed from zone to zone, both commands, several names', async () => {
    for (const command of ['dns2', 'ecs']) {
      const { files, ...rest } = disk()
      const line = `${command} A link.lab.test geo.lab.test --json --record r.jsonl`
      const live = await use(line, { ...rest, wire: wireTo(labOf(ATLAS, 5)) })
      const again = await use(`${command} --json --replay r.jsonl`, { ...rest, wire: BROKEN_WIRE })
      expect(JSON.parse(again.out)).toEqual(JSON.parse(live.out))
      expect(files.get('r.jsonl')).toContain('"chain":["geo.lab.test"]')
    }
  })

  test('silent name servers, then the system’s resolver', async () => {
    const { files, ...rest } = disk()
    const lab = wireTo(labOf(ATLAS, 5))
    const wire: World['wire'] = {
      ...lab,
      datagram: (server, query, forMs, openness, judge) =>
        server.recursion === 'desired'
          ? lab.datagram(server, query, forMs, openness, judge)
          : Promise.resolve('timeout'),
    }
    const live = await use('dns2 A fixed-list.lab.test --json --record r.jsonl', { ...rest, wire })
    expect(JSON.parse(live.out).results[0].verdict.code).toBe('fixed-list')
    const again = await use('dns2 --json --replay r.jsonl', { ...rest, wire: BROKEN_WIRE })
    expect(JSON.parse(again.out)).toEqual(JSON.parse(live.out))
  })
})

describe('a run that was cut off', () => {
  test('what was on the disk is judged, and it is said that it is a part', async () => {
    const { files, ...rest } = disk()
    const wire = wireTo(labOf(ATLAS, 5))
    await use('dns2 -q A @127.0.0.1:5300 fixed-list.lab.test --record r.jsonl', { ...rest, wire })
    const lines = (files.get('r.jsonl') ?? '').split('\n')
    files.set('r.jsonl', `${lines.slice(0, 12).join('\n')}\n${lines[12]?.slice(0, 40)}`)
    const { err, out, exit } = await use('dns2 --json --replay r.jsonl', rest)
    expect(exit).toBe(0)
    expect(err).toContain('r.jsonl: the run was cut off, or is not over yet')
    expect(JSON.parse(out).queries).toHaveLength(10) // a head, a unit, ten observations
  })

  test('an interrupt is written down', async () => {
    const { files, ...rest } = disk()
    const stop = new AbortController()
    stop.abort()
    await use('dns2 -q A @127.0.0.1:5300 fixed-list.lab.test --record r.jsonl', {
      ...rest,
      interrupt: stop.signal,
    })
    expect(
      files.get('r.jsonl')?.trim().endsWith('{"end":"partial","partial":{"reason":"interrupted"}}'),
    ).toBe(true)
  })

  test('a full disk is said once, and the measurement goes on', async () => {
    const full = () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }))
    const { exit, err, out } = await use(
      'dns2 -q A @127.0.0.1:5300 fixed-list.lab.test --record r.jsonl --short',
      { writeText: () => Promise.resolve(), appendText: full },
    )
    expect(exit).toBe(0)
    expect(out).toContain('fixed-list')
    expect(err.match(/the disk is full/g)).toHaveLength(1)
  })
})

describe('what is wrong', () => {
  const HEAD =
    '{"schema":"lbprobe.recording/1","tool":{"name":"lbprobe","version":"0"},"began":"2026-11-30T00:00:00.000Z","options":{"command":"dns2","seed":1,"alpha":0.001,"samples":5,"panel":[]},"plan":{}}'
  // biome-ignore format: table
  const TABLE = [
    ['',                                  'r.jsonl:1: not the head of a recording'],
    ['{"schema":"lbprobe.result/1"}\n',   'r.jsonl:1: not the head of a recording'],
    [`${HEAD}\nnonsense\n`,               'r.jsonl:2: not a line of a recording: no JSON'],
    [`${HEAD}\n{"of":3}\n`,               'r.jsonl:2: not a line of a recording: sequence: '],
    [`${HEAD}\n{"end":"later"}\n`,        'r.jsonl:2: not a line of a recording: '],
  ] as const
  test.each(TABLE)('%j', async (text, said) => {
    const { exit, err } = await use('dns2 --replay r.jsonl', {
      readText: async path => (path === 'r.jsonl' ? text : absent(path)),
    })
    expect(err).toContain(said)
    expect(exit).toBe(2)
  })

  // biome-ignore format: table
  const USES = [
    ['ecs --replay r.jsonl',                    'r.jsonl: a recording of dns2 · lbprobe dns2 --replay r.jsonl'],
    ['dns2 www.example.com --replay r.jsonl',   'www.example.com: a recording knows what it asked'],
    ['dns2 --replay r.jsonl --record s.jsonl',  '--record and --replay exclude each other'],
    ['dns2 --replay absent.jsonl',              'absent.jsonl: no such file'],
    ['dns2 A x.lab.test @127.0.0.1 --record full/disk', '--record full/disk: '],
  ] as const
  test.each(USES)('%s', async (line, said) => {
    const { exit, err } = await use(line, {
      readText: async path => (path === 'r.jsonl' ? `${HEAD}\n` : absent(path)),
    })
    expect(err).toContain(said)
    expect(exit).toBe(2)
  })

  test('any text is a value, never a throw', () => {
    const line = fc.oneof(fc.string(), fc.json(), fc.constant(HEAD))
    fc.assert(
      fc.property(fc.array(line), lines => {
        const read = parseRecording([HEAD, ...lines].join('\n'), 'r')
        return isWrong(read) || read.units.length === 0
      }),
    )
  })
})

test('the published schema is made from the shape', () => {
  const file = 'data/schema/lbprobe.recording.schema.json'
  if (process.env.UPDATE_SCHEMA === '1') writeFileSync(file, recordingSchemaText())
  expect(readFileSync(file, 'utf8')).toBe(recordingSchemaText())
})
