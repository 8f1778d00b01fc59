/** What may be asked: requests as they come, and what is said of those that are none. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { requestFrom } from '../../server/ops/request.ts'

const YEAR = 366 * 86_400

// biome-ignore format: table
const GOOD: readonly (readonly [string, object, object])[] = [
  ['a question',            { kind: 'status' },                           { kind: 'status' }],
  ['who asks',              { kind: 'status', author: 'ann' },            { kind: 'status', author: 'ann' }],
  ['a drain of all',        { kind: 'drain', what: 'fra' },
                            { kind: 'drain', what: 'fra', percent: 100, reason: '', dry_run: false }],
  ['a drain of a share',    { kind: 'drain', what: 'fra', percent: 0.5, at: '+1h30m', for: '2h', reason: 'r', dry_run: true },
                            { kind: 'drain', what: 'fra', percent: 0.5, at: { inSeconds: 5400 }, for: 7200, reason: 'r', dry_run: true }],
  ['at once',               { kind: 'force', what: 'fra', to: 'up', at: '+0s' },
                            { kind: 'force', what: 'fra', to: 'up', at: { inSeconds: 0 }, reason: '', dry_run: false }],
  ['at a moment',           { kind: 'force', what: 'fra', to: 'up', at: '1970-01-01T01:00:00+01:00' },
                            { kind: 'force', what: 'fra', to: 'up', at: { atMs: 0 }, reason: '', dry_run: false }],
  ['for a year',            { kind: 'drain', what: 'fra', for: '366d' },
                            { kind: 'drain', what: 'fra', percent: 100, for: YEAR, reason: '', dry_run: false }],
  ['a push',                { kind: 'push', what: 'fra/192.0.2.10', load: 0 },
                            { kind: 'push', what: 'fra/192.0.2.10', now: 'up', load: 0 }],
  ['a token',               { kind: 'acme set', name: 'example.com', token: 'a-_9' },
                            { kind: 'acme set', name: 'example.com', token: 'a-_9' }],
]

const KINDS =
  'kind: one of status, states, health, board, dump, reload, overrides, drain, undrain, force, ' +
  'unforce, ramp, undo, push, acme set, acme clear'
const RAMP = { kind: 'ramp', name: 'www', from: 'fra', to: 'iad' }
const DRAIN = { kind: 'drain', what: 'fra' }

// biome-ignore format: table
const WRONG: readonly (readonly [string, unknown, readonly string[]])[] = [
  ['nothing',               null,                                    ['an object']],
  ['a list',                [],                                      ['an object']],
  ['a number',              5,                                       ['an object']],
  ['no kind',               {},                                      [KINDS]],
  ['another kind',          { kind: 'frob' },                        [KINDS]],
  ['a kind of another kind', { kind: ['drain'] },                    [KINDS]],
  ['a key too many',        { kind: 'status', x: 1, y: 2 },          ['there is no x, y in such a request']],
  ['a prototype',           JSON.parse('{"kind":"status","__proto__":{}}'),
                                                                     ['there is no __proto__ in such a request']],
  ['drain what?',           { kind: 'drain' },                       ['what: is missing']],
  ['an empty name',         { kind: 'undrain', what: '' },           ['what: nothing stands here · name something']],
  ['a long name',           { kind: 'undrain', what: 'x'.repeat(256) }, ['what: a text of 256 characters · write at most 255']],
  ['a number as a name',    { kind: 'unforce', what: 7 },            ['what: a text']],
  ['a share of none',       { ...DRAIN, percent: 0 },                ['percent: above 0 and at most 100']],
  ['a share of more',       { ...DRAIN, percent: 100.1 },            ['percent: above 0 and at most 100']],
  ['a share as text',       { ...DRAIN, percent: '30' },             ['percent: a number']],
  ['a time without a plus', { ...DRAIN, at: '60s' },                 ['at: 60s is no moment in time · write +10m, or a moment like 2026-12-24T06:00:00Z']],
  ['a time without offset', { ...DRAIN, at: '2026-12-24T06:00:00' }, ['at: 2026-12-24T06:00:00 has no offset · write +10m, or a moment like 2026-12-24T06:00:00Z']],
  ['a time too far off',    { ...DRAIN, at: '+367d' },               ['at: longer than a year · write at most 366d']],
  ['no time at all',        { ...DRAIN, for: '0s' },                 ['for: 0s is no time at all · write at least 1s']],
  ['a truth as text',       { ...DRAIN, dry_run: 'yes' },            ['dry_run: true or false']],
  ['a long reason',         { ...DRAIN, reason: 'x'.repeat(256) },   ['reason: at most 255 characters']],
  ['two mistakes',          { kind: 'force', to: 'sideways' },       ['what: is missing', 'to: one of up, down']],
  ['a ramp in no time',     { ...RAMP, over: '0' },                  ['over: 0 is no time at all · write at least 1s']],
  ['a ramp without a time', RAMP,                                    ['over: is missing']],
  ['undo none',             { kind: 'undo', id: 0 },                 ['id: at least 1']],
  ['undo a half',           { kind: 'undo', id: 1.5 },               ['id: a whole number']],
  ['a load below nothing',  { kind: 'push', what: 'a', load: -1 },   ['load: at least 0']],
  ['no capacity',           { kind: 'push', what: 'a', capacity: 0 }, ['capacity: above 0']],
  ['a token with blanks',   { kind: 'acme set', name: 'a', token: 'a b' },
                            ['token: a token has letters, digits, - and _ only · write it as the ACME client gave it']],
  ['nobody asks',           { kind: 'status', author: '' },          ['author: nothing stands here · name something']],
]

describe('requests', () => {
  test.each(GOOD)('%s', (_, written, request) => {
    expect(requestFrom(written)).toEqual({ ok: true, request })
  })

  test.each(WRONG)('no request: %s', (_, written, problems) => {
    expect(requestFrom(written)).toEqual({ ok: false, problems })
  })

  test('whatever JSON may hold, it is a request or there are sentences', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom('drain', 'ramp', 'push', 'undo'), (any, kind) => {
        for (const written of [any, { kind, what: any }, { kind, ...(any as object) }]) {
          const read = requestFrom(written)
          if (!read.ok) expect(read.problems.length).toBeGreaterThan(0)
        }
      }),
    )
  })
})
