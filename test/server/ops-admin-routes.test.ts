/** What the admin API takes: which request each route is, and what is refused, with which status. */
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import type { Reply } from '../../server/ops/control.ts'
import { type Ask, ask, opened, post } from '../kit/admin.ts'
import { closeAll } from '../kit/health.ts'
import { stopAll } from '../kit/process.ts'

afterEach(closeAll)
afterAll(stopAll)

const JSON_TYPE = { 'content-type': 'application/json' }

describe('a route is a request', () => {
  const imposed = { reason: '', dry_run: false }

  // biome-ignore format: table
  const TABLE = [
    // method, path            body                                          the request
    ['GET', '/status',         undefined,                                    { kind: 'status' }],
    ['GET', '/states',         undefined,                                    { kind: 'states' }],
    ['GET', '/health',         undefined,                                    { kind: 'health' }],
    ['GET', '/board',          undefined,                                    { kind: 'board' }],
    ['GET', '/dump',           undefined,                                    { kind: 'dump' }],
    ['GET', '/overrides',      undefined,                                    { kind: 'overrides' }],
    ['GET', '/status?a=b',     undefined,                                    { kind: 'status' }],
    ['DELETE', '/overrides/7', undefined,                                    { kind: 'undo', id: 7 }],
    ['POST', '/drain',         '{"what":"fra","percent":30}',                { kind: 'drain', what: 'fra', percent: 30, ...imposed }],
    ['POST', '/drain',         '{"what":"fra","for":"2h","at":"+10m","reason":"disk","dry_run":true}',
      { kind: 'drain', what: 'fra', percent: 100, for: 7200, at: { inSeconds: 600 }, reason: 'disk', dry_run: true }],
    ['POST', '/undrain',       '{"what":"fra"}',                             { kind: 'undrain', what: 'fra' }],
    ['POST', '/force',         '{"what":"fra","to":"down"}',                 { kind: 'force', what: 'fra', to: 'down', ...imposed }],
    ['POST', '/unforce',       '{"what":"fra"}',                             { kind: 'unforce', what: 'fra' }],
    ['POST', '/ramp',          '{"name":"a.example.","from":"fra","to":"iad","over":"1h"}', { kind: 'ramp', name: 'a.example.', from: 'fra', to: 'iad', over: 3600, ...imposed }],
    ['POST', '/push',          '{"what":"fra/192.0.2.1","load":0.5}',        { kind: 'push', what: 'fra/192.0.2.1', now: 'up', load: 0.5 }],
    ['POST', '/reload',        '{}',                                         { kind: 'reload' }],
    ['POST', '/reload',        '',                                           { kind: 'reload' }],
    ['POST', '/acme/set',      '{"name":"a.example.","token":"x_-1"}',       { kind: 'acme set', name: 'a.example.', token: 'x_-1' }],
    ['POST', '/acme/clear',    '{"name":"a.example."}',                      { kind: 'acme clear', name: 'a.example.' }],
  ] as const
  test.each(TABLE)('%s %s %s', async (method, path, body, request) => {
    const { port, obeyed } = await opened()
    const headers = body === undefined ? {} : JSON_TYPE
    const answer = await ask(port, { method, path, headers, ...(body !== undefined && { body }) })
    expect([answer.status, answer.body]).toEqual([200, { ok: true, value: { done: true } }])
    expect(obeyed).toEqual([{ request, author: 'http 127.0.0.1' }])
  })

  test('whose author may be said', async () => {
    const { port, obeyed } = await opened()
    await post(port, '/reload', { author: 'ada' })
    expect(obeyed).toEqual([{ request: { kind: 'reload', author: 'ada' }, author: 'ada' }])
  })
})

describe('is refused', () => {
  const text = (body: string, path = '/drain'): Ask => ({
    ...{ method: 'POST', path, headers: JSON_TYPE, body },
  })
  const typed = (type: string): Ask => ({
    ...{ method: 'POST', path: '/reload', headers: { 'content-type': type }, body: '{}' },
  })
  const deep = '['.repeat(30_000)

  // biome-ignore format: table
  const TABLE: readonly (readonly [string, Ask, number, string])[] = [
    ['nothing at a path',                { path: '/' },                                  404, 'nothing is at /'],
    ['a path below one',                 { path: '/status/now' },                        404, 'nothing is at /status/now'],
    ['a path with a slash behind it',    { path: '/status/' },                           404, 'nothing is at /status/'],
    ['dots that lead away',              { path: '/a/../etc/passwd' },                   404, 'nothing is at /etc/passwd'],
    ['a path with broken escapes',       { path: '/%zz' },                               404, 'nothing is at /%zz'],
    ['RFC 9110 §15.5.6 POST to read',    { ...text('{}', '/status') },                   405, '/status takes GET, HEAD'],
    ['RFC 9110 §15.5.6 GET to write',    { path: '/drain' },                             405, '/drain takes POST'],
    ['RFC 9110 §15.5.6 GET to undo',     { path: '/overrides/7' },                       405, '/overrides/7 takes DELETE'],
    ['RFC 9110 §15.5.6 DELETE of all',   { path: '/overrides', method: 'DELETE' },       405, '/overrides takes GET, HEAD'],
    ['a preflight',                      { path: '/drain', method: 'OPTIONS' },          405, '/drain takes POST'],
    ['an unknown method',                { path: '/drain', method: 'PROPFIND' },         405, '/drain takes POST'],
    ['TRACE',                            { path: '/drain', method: 'TRACE' },            405, '/drain takes POST'],
    ['a body without a type',            { method: 'POST', path: '/reload', body: '{}' }, 415, 'send Content-Type: application/json'],
    ['no body without a type',           { method: 'POST', path: '/reload' },            415, 'send Content-Type: application/json'],
    ['what a form sends',                typed('text/plain'),                            415, 'send Content-Type: application/json'],
    ['what a form sends, and says JSON', typed('text/plain; application/json'),          415, 'send Content-Type: application/json'],
    ['a type that begins like it',       typed('application/json-patch+json'),           415, 'send Content-Type: application/json'],
    ['no JSON',                          text('{what: fra}'),                            400, 'send {…}, in JSON'],
    ['a list',                           text('[]'),                                     400, 'send {…}, in JSON'],
    ['a text',                           text('"fra"'),                                  400, 'send {…}, in JSON'],
    ['null',                             text('null'),                                   400, 'send {…}, in JSON'],
    ['brackets without end',             text(deep),                                     400, 'send {…}, in JSON'],
    ['another kind',                     text('{"kind":"reload"}'),                      400, 'kind: the path says it'],
    ['a key that there is not',          text('{"what":"fra","colour":"red"}'),          400, 'there is no colour in such a request'],
    ['a key of all objects',             text('{"what":"fra","__proto__":{"percent":1}}'), 400, 'there is no __proto__ in such a request'],
    ['a number out of range',            text('{"what":"fra","percent":101}'),           400, 'percent: above 0 and at most 100'],
    ['a span that is none',              text('{"what":"fra","for":"soon"}'),            400, 'for: soon is not a span of time'],
    ['an id that is none',               { method: 'DELETE', path: '/overrides/seven' }, 400, 'id: '],
    ['an id of 0',                       { method: 'DELETE', path: '/overrides/0' },     400, 'id: '],
    ['an id past all',                   { method: 'DELETE', path: `/overrides/${'9'.repeat(40)}` }, 400, 'id: '],
    ['a body of more than 64 KiB',       text(`{"what":"${'a'.repeat(65_536)}"}`),       413, 'a body of more than 64 KiB'],
    ['RFC 9112 §7.1 the same in chunks', { ...text(`{"what":"${'a'.repeat(65_536)}"}`), headers: { ...JSON_TYPE, 'transfer-encoding': 'chunked' } }, 413, 'a body of more than 64 KiB'],
  ]
  test.each(TABLE)('%s', async (_, what, status, begin) => {
    const { port, obeyed } = await opened()
    const answer = await ask(port, what)
    expect(answer.status).toBe(status)
    const { ok, code, problems } = answer.body as Reply & { code: string; problems: string[] }
    expect([ok, code, problems[0]?.slice(0, begin.length)]).toEqual([false, 'usage', begin])
    expect(answer.headers['content-type']).toBe('application/json')
    if (status === 405) expect(answer.headers.allow).toBe(begin.replace(/^.* takes /, ''))
    expect(obeyed).toEqual([])
    expect((await ask(port)).status).toBe(200)
  })

  test('a body of 64 KiB, in chunks, is not', async () => {
    const { port, obeyed } = await opened()
    const body = `{"what":"fra"}${' '.repeat(65_536 - 14)}`
    const headers = { ...JSON_TYPE, 'transfer-encoding': 'chunked' }
    const answer = await ask(port, { method: 'POST', path: '/undrain', headers, body })
    expect([answer.status, obeyed.length]).toEqual([200, 1])
  })
})

describe('a reply', () => {
  const failed = (code: 'usage' | 'failed'): Reply => ({ ok: false, code, problems: ['no'] })
  const circle: unknown[] = []
  circle.push(circle)

  // biome-ignore format: table
  const TABLE: readonly (readonly [string, () => Promise<Reply>, number, unknown])[] = [
    ['that it is done',                async () => ({ ok: true, value: [1] }),        200, { ok: true, value: [1] }],
    ['that nothing comes of it',       async () => ({ ok: true, value: undefined }),  200, { ok: true }],
    ['that what was asked is wrong',   async () => failed('usage'),                   400, failed('usage')],
    ['that it could not be done',      async () => failed('failed'),                  409, failed('failed')],
    ['that never should be: a throw',  async () => Promise.reject(new Error('oh')),   503, { ok: false, code: 'failed', problems: ['this should not happen: oh'] }],
    ['that is no JSON',                async () => ({ ok: true, value: circle }),     503, { ok: false, code: 'failed', problems: [expect.stringMatching(/^this should not happen: .*circular/)] }],
  ]
  test.each(TABLE)('%s', async (_, reply, status, body) => {
    const stage = await opened()
    stage.reply = reply
    const answer = await ask(stage.port)
    expect([answer.status, answer.body]).toEqual([status, body])
    expect(answer.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    expect(stage.admin.counts.broken).toBe(status === 503 ? 1 : 0)
  })

  test('RFC 9110 §9.3.2 to HEAD has no body', async () => {
    const { port } = await opened()
    const answer = await ask(port, { method: 'HEAD' })
    expect([answer.status, answer.text]).toEqual([200, ''])
  })
})
