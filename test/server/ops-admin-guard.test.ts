/** Who may ask the admin API: tokens, files of tokens, and what pages make browsers ask. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { problemText } from '../../server/fault.ts'
import { admit, newGate } from '../../server/ops/admit.ts'
import { readTokens } from '../../server/ops/tokens.ts'
import { ask, bearer, opened, post, secretFile, TOKEN } from '../kit/admin.ts'
import { closeAll } from '../kit/health.ts'
import { folder, stopAll } from '../kit/process.ts'

afterEach(closeAll)
afterAll(stopAll)

const OTHER = 'another-token-of-32-characters-x'
const FILE = `# who may\n${TOKEN}\n\n  ada  ${OTHER} # since May\n`
const WRONG = 'Bearer realm="lbdns", error="invalid_token"'

describe('a token', () => {
  const basic = Buffer.from(`ada:${TOKEN}`).toString('base64')

  // biome-ignore format: table
  const TABLE: readonly (readonly [string, Record<string, string>, number, string | undefined])[] = [
    ['RFC 6750 §2.1 that is right',          bearer(),                                             200, undefined],
    ['that is right, of a name',             bearer(OTHER),                                        200, undefined],
    ['RFC 9110 §11.1 a scheme in any case',  { authorization: `bEARER ${TOKEN}` },                 200, undefined],
    ['RFC 6750 §3 none',                     {},                                                   401, 'Bearer realm="lbdns"'],
    ['none, but a scheme',                   { authorization: 'Bearer' },                          401, WRONG],
    ['none, but a scheme and a blank',       { authorization: 'Bearer ' },                         401, WRONG],
    ['one character short',                  bearer(TOKEN.slice(0, -1)),                           401, WRONG],
    ['one character longer',                 bearer(`${TOKEN}e`),                                  401, WRONG],
    ['one character before it',              bearer(`x${TOKEN}`),                                  401, WRONG],
    ['in capitals',                          bearer(TOKEN.toUpperCase()),                          401, WRONG],
    ['twice',                                bearer(`${TOKEN} ${TOKEN}`),                          401, WRONG],
    ['without a scheme',                     { authorization: TOKEN },                             401, WRONG],
    ['in another scheme',                    { authorization: `Basic ${basic}` },                  401, WRONG],
    ['in another field',                     { 'x-token': TOKEN },                                 401, 'Bearer realm="lbdns"'],
    ['a name for it',                        bearer('ada'),                                        401, WRONG],
    ['name and token',                       bearer(`ada ${OTHER}`),                               401, WRONG],
    ['what stands in a comment',             bearer('since'),                                      401, WRONG],
    ['12 KiB of it',                         bearer('a'.repeat(12_288)),                           401, WRONG],
  ]
  test.each(TABLE)('%s', async (_, headers, status, asksFor) => {
    const { port, obeyed, admin, warned } = await opened(FILE)
    const answer = await ask(port, { headers })
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([status, asksFor])
    expect(obeyed.length).toBe(status === 200 ? 1 : 0)
    expect(admin.counts.unauthorized).toBe(status === 200 ? 0 : 1)
    expect(warned).toEqual([])
  })

  test.each([
    ['/drain', 405],
    ['/nowhere', 404],
    ['/events', 200],
  ])('is asked for before anything else: %s', async path => {
    const { port, admin } = await opened(FILE)
    const answer = await ask(port, { path, method: 'HEAD' })
    expect(answer.status).toBe(401)
    expect((await ask(port, { path })).status).toBe(401)
    expect(admin.counts.streams.opened).toBe(0)
  })

  test('in the query is none', async () => {
    const { port } = await opened(FILE)
    expect((await ask(port, { path: `/status?access_token=${TOKEN}` })).status).toBe(401)
  })

  test('a page may ask with one: it cannot have it from the browser', async () => {
    const { port } = await opened(FILE)
    const headers = { ...bearer(), host: 'lbdns.example', origin: 'https://console.example' }
    expect((await ask(port, { headers })).status).toBe(200)
  })
})

describe('the author', () => {
  // biome-ignore format: table
  const TABLE = [
    ['of a token with a name is that',               OTHER, {},                'ada'],
    ['of a token with a name, whatever they say',    OTHER, { author: 'bob' }, 'ada'],
    ['of a token with a name, though what they say is no name', OTHER, { author: 7 }, 'ada'],
    ['of a token without one is whom they say',      TOKEN, { author: 'bob' }, 'bob'],
    ['of a token without one is otherwise where they are', TOKEN, {},          'http 127.0.0.1'],
  ] as const
  test.each(TABLE)('%s', async (_, token, body, author) => {
    const { port, obeyed } = await opened(FILE)
    expect((await post(port, '/reload', body, bearer(token))).status).toBe(200)
    expect(obeyed.map(one => one.author)).toEqual([author])
  })
})

describe('a file of tokens', () => {
  const closed = 'nobody may use the admin API'

  // biome-ignore format: table
  const TABLE: readonly (readonly [string, string, readonly string[], number])[] = [
    ['with one',                      `${TOKEN}\n`,                       [],                                                               1],
    ['of Windows, with a mark',       `\uFEFF${TOKEN}\r\nada ${OTHER}\r\n`, [],                                                             2],
    ['with 16 characters',            '0123456789abcdef',                 [],                                                               1],
    ['with fewer',                    '0123456789abcde',                  ['FILE:1:1: a token shorter than 16 characters · make one: openssl rand -hex 32', `FILE: holds no token: ${closed} · mend it, and reload`], 0],
    ['that is empty',                 '',                                 [`FILE: holds no token: ${closed}`],                              0],
    ['of comments',                   `# ${TOKEN}\n`,                     [`FILE: holds no token: ${closed}`],                              0],
    ['with a name alone, and one',    `ada\n${TOKEN}`,                    ['FILE:1:1: a token shorter than 16 characters'],                 1],
    ['with three words, and one',     `ada lovelace ${TOKEN}\n${OTHER}`,  ['FILE:1:1: more than a name and a token · write NAME TOKEN'],    1],
    ['with one twice',                `ada ${TOKEN}\n\nbob ${TOKEN}`,     ['FILE:3:1: the token of line 1 · give each its own'],            1],
    ['with two of one name',          `ada ${TOKEN}\nada ${OTHER}`,       [],                                                               2],
    ['beyond ASCII',                  `ada ${'é'.repeat(16)}\n${OTHER}`,  ['FILE:1:1: a token of others than plain ASCII characters'],      1],
    ['with a name beyond ASCII',      `Zoë ${TOKEN}`,                     [],                                                               1],
    ['with a name like a command',    `\x1b[31m ${TOKEN}\n${OTHER}`,      ['FILE:1:1: a name of more than 64 characters'],                  1],
    ['with a name without end',       `${'a'.repeat(65)} ${TOKEN}\n${OTHER}`, ['FILE:1:1: a name of more than 64 characters'],              1],
    ['of more than 64 KiB',           `${TOKEN}\n`.repeat(3000),          [`FILE: is larger than 64 KiB: ${closed}`],                       0],
  ]
  test.each(TABLE)('%s', (_, text, warnings, count) => {
    const file = secretFile(text)
    const read = readTokens(file)
    const said = read.warnings.map(warning => problemText(warning).replaceAll(file, 'FILE'))
    expect(said.map((one, at) => one.slice(0, warnings[at]?.length))).toEqual(warnings)
    expect(read.tokens.length).toBe(count)
    expect(said.join()).not.toContain(TOKEN)
  })

  // biome-ignore format: table
  const MODES = [
    ['its owner may read',            0o400, undefined],
    ['its owner may do all with',     0o700, undefined],
    ['its group may read',            0o640, 'others may read or write it: its mode is 0640: nobody may use the admin API · chmod 600'],
    ['all may read',                  0o644, 'others may read or write it: its mode is 0644'],
    ['others may write',              0o602, 'others may read or write it: its mode is 0602'],
  ] as const
  test.each(MODES)('that %s', (_, mode, why) => {
    const { tokens, warnings } = readTokens(secretFile(FILE, mode))
    expect(warnings.map(({ what, fix }) => `${what} · ${fix}`.slice(0, why?.length))).toEqual(
      why === undefined ? [] : [why],
    )
    expect(tokens.length).toBe(why === undefined ? 2 : 0)
  })

  test('that is not there, or no file', () => {
    const at = folder()
    mkdirSync(join(at, 'a'), { mode: 0o700 })
    const why = (name: string) => readTokens(join(at, name)).warnings.map(({ what }) => what)
    expect(why('none')).toEqual([expect.stringMatching(/^cannot be read: ENOENT/)])
    expect(why('a')).toEqual(['is no file: nobody may use the admin API'])
  })

  test('that cannot be used, lets nobody in; one that is mended does, at the next reload', async () => {
    const { port, admin, place, warned } = await opened('')
    expect((await ask(port)).status).toBe(401)
    expect((await ask(port, { headers: bearer('') })).status).toBe(401)
    const path = place.tokenFile?.path ?? ''
    writeFileSync(path, TOKEN)
    expect((await ask(port, { headers: bearer() })).status).toBe(401)
    await admin.follow({ ...place, port: 0 })
    expect((await ask(port, { headers: bearer() })).status).toBe(200)
    chmodSync(path, 0o644)
    await admin.follow({ ...place, port: 0 })
    expect((await ask(port, { headers: bearer() })).status).toBe(401)
    expect(warned.length).toBe(2)
  })
})

describe('without tokens, of what asks on this machine', () => {
  // biome-ignore format: table
  const TABLE: readonly (readonly [string, Record<string, string>, number])[] = [
    ['a program is answered',                         {},                                               200],
    ['a program that says localhost, too',            { host: 'LocalHost:8053' },                       200],
    ['a program that says [::1], too',                { host: '[::1]:8053' },                           200],
    ['a program that says 127.1.2.3, too',            { host: '127.1.2.3' },                            200],
    ['RFC 6454 §7.3 a page is not',                   { origin: 'https://evil.example' },               403],
    ['a page that hides where it is from, neither',   { origin: 'null' },                               403],
    ['a page of this machine, neither',               { origin: 'http://localhost:8053' },              403],
    ['an image in a page, neither',                   { 'sec-fetch-site': 'cross-site' },               403],
    ['a page that a person opened is',                { 'sec-fetch-site': 'none' },                     200],
    ['a name that now means 127.0.0.1 is not',        { host: 'evil.example' },                         403],
    ['a name that begins like localhost, neither',    { host: 'localhost.evil.example:8053' },          403],
    ['a name that begins like an address, neither',   { host: '127.0.0.1.evil.example' },               403],
    ['a name that ends like localhost, neither',      { host: 'notlocalhost' },                         403],
    ['an address with a leading zero, neither',       { host: '127.0.0.01' },                           403],
    ['another address, neither',                      { host: '192.0.2.1:8053' },                       403],
    ['an address of all, neither',                    { host: '0.0.0.0' },                              403],
    ['a name with a user before it, neither',         { host: 'localhost@evil.example' },               400],
  ]
  test.each(TABLE)('%s', async (_, headers, status) => {
    const { port, obeyed, admin } = await opened()
    const answer = await ask(port, { headers })
    expect([answer.status, obeyed.length]).toEqual([status, status === 200 ? 1 : 0])
    expect(admin.counts.strange).toBe(status === 403 ? 1 : 0)
    const write = { 'content-type': 'application/json', ...headers }
    const written = await ask(port, { method: 'POST', path: '/reload', headers: write, body: '' })
    expect(written.status).toBe(status)
    expect((await ask(port, { path: '/events', method: 'HEAD', headers })).status).toBe(status)
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
  })
})

describe('wrong tokens', () => {
  const { tokens } = readTokens(secretFile(FILE))
  const asked = { host: undefined, origin: undefined, site: undefined }
  const wrongly = { ...asked, authorization: 'Bearer wrong' }

  test('are told so ten times a second, and the right one is admitted all the time', () => {
    const gate = newGate(tokens)
    const kinds = (count: number, now: number) =>
      Array.from({ length: count }, () => admit(wrongly, gate, now).kind)
    expect(kinds(12, 5_000)).toEqual([...Array(10).fill('unknown'), 'too many', 'too many'])
    expect(admit({ ...asked, ...bearer() }, gate, 5_500).kind).toBe('admitted')
    expect(kinds(1, 5_999)).toEqual(['too many'])
    expect(kinds(11, 6_000)).toEqual([...Array(10).fill('unknown'), 'too many'])
  })

  test('RFC 6585 §4 are many', async () => {
    const { port, admin } = await opened(FILE)
    const wrong = () => ask(port, { headers: bearer('wrong') })
    const answers = await Promise.all(Array.from({ length: 60 }, wrong))
    const many = answers.filter(({ status }) => status === 429)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 429]))
    expect(many.every(({ headers }) => headers['retry-after'] === '1')).toBe(true)
    expect(admin.counts).toMatchObject({ unauthorized: 60, limited: many.length })
    expect((await ask(port, { headers: bearer() })).status).toBe(200)
  })
})
