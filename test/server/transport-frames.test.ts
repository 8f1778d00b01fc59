import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addChunk, frames, takeMessage } from '../../server/transport/frames.ts'
import { framed, query } from '../kit/transport.ts'

/** Feeds chunks and takes what is whole after each, as a connection does. */
function taken(chunks: readonly Uint8Array[]): (Uint8Array | 'broken')[] {
  const into = frames()
  const messages: (Uint8Array | 'broken')[] = []
  for (const chunk of chunks) {
    addChunk(into, chunk)
    let message = takeMessage(into)
    for (; message !== 'wait' && message !== 'broken'; message = takeMessage(into)) {
      messages.push(Uint8Array.from(message))
    }
    if (message === 'broken') return [...messages, 'broken']
  }
  return messages
}

/** Cuts at each offset given. */
function cut(octets: Uint8Array, at: readonly number[]): Uint8Array[] {
  const offsets = [0, ...[...at].sort((a, b) => a - b), octets.length]
  return offsets.slice(1).map((end, i) => octets.subarray(offsets[i], end))
}

const A = query(1, 12)
const B = query(2, 33)
const LONG = query(3, 65_535)
const each = (octets: Uint8Array) => Array.from(octets, octet => Uint8Array.of(octet))

// biome-ignore format: table
const TABLE = [
  // section and rule                                   chunks                                    messages
  ['§8 a message in one chunk',                         [framed(B)],                              [B]],
  ['§8 three messages in one chunk',                    [framed(A, B, A)],                        [A, B, A]],
  ['§8 the length alone, then the message',             cut(framed(B), [2]),                      [B]],
  ['§8 the length itself split',                        cut(framed(B), [1]),                      [B]],
  ['§8 one octet at a time',                            each(framed(A, B)),                       [A, B]],
  ['§8 a message and half of the next, then the rest',  cut(framed(A, B), [20]),                  [A, B]],
  ['§8 the second length split',                        cut(framed(A, B), [15]),                  [A, B]],
  ['§8 the longest message, in pieces',                 cut(framed(LONG, A), [1, 1460, 40_000]),  [LONG, A]],
  ['§8 nothing after a part',                           [framed(B).subarray(0, 34)],              []],
  ['§8 empty chunks in between',                        cut(framed(B), [0, 1, 1, 9, 9, 35]),      [B]],
  ['§8 length 0',                                       [Uint8Array.of(0, 0)],                    ['broken']],
  ['§8 length 5 and its five octets',                   [Uint8Array.of(0, 5, 1, 2, 3, 4, 5)],     ['broken']],
  ['§8 length 11, one less than a header',              [framed(new Uint8Array(11))],             ['broken']],
  ['§8 length 11, split',                               [Uint8Array.of(0), Uint8Array.of(11)],    ['broken']],
  ['§8 a good message before a broken one',             [framed(A, new Uint8Array(3))],           [A, 'broken']],
] as const

describe('messages out of a stream', () => {
  for (const [rule, chunks, messages] of TABLE) {
    test(`RFC 7766 ${rule}`, () => {
      expect(taken(chunks)).toEqual(messages)
    })
  }

  test('chunks added before the first is used up are not lost', () => {
    const into = frames()
    for (const chunk of cut(framed(A, B), [5, 20])) addChunk(into, chunk)
    expect([takeMessage(into), takeMessage(into), takeMessage(into)]).toEqual([A, B, 'wait'])
  })

  test('law: however a stream is cut, the same messages come out', () => {
    const message = fc.uint8Array({ minLength: 12, maxLength: 700 })
    const messages = fc.array(message, { maxLength: 8 })
    fc.assert(
      fc.property(messages, fc.array(fc.nat(6000), { maxLength: 40 }), (messages, offsets) => {
        const stream = framed(...messages)
        const within = offsets.map(offset => offset % (stream.length + 1))
        expect(taken(cut(stream, within))).toEqual(messages)
      }),
    )
  })

  test('law: any octets, no throw, and what is taken was there', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 20 }), chunks => {
        const came = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
        const used = taken(chunks).map(message => (message === 'broken' ? 0 : 2 + message.length))
        expect(used.reduce((sum, length) => sum + length, 0)).toBeLessThanOrEqual(came)
      }),
    )
  })

  test('memory grows with what came, not with what was announced', () => {
    const into = frames()
    addChunk(into, Uint8Array.of(0xff, 0xff, 1, 2, 3))
    takeMessage(into)
    expect(into.partial.length).toBeLessThanOrEqual(512)
  })
})
