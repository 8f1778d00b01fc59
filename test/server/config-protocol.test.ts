/** What an operator may write of cookies, NSID and whoami, and what is said of all else. */
import { describe, expect, test } from 'vitest'
import { problemText } from '../../server/fault.ts'
import { HEAD, loadFrom } from '../kit/world.ts'
import { ZONE_Z } from '../kit/zone-text.ts'

const ONE = 'e5e973e5a6b2a43f48e7dc849e37bfcf'
const TWO = '445536BCD2513298075A5D379663C962'

/** The problems of a configuration whose third line this is. */
function judged(yaml: string, secrets?: string): readonly string[] | 'good' {
  const files = { 'lbdns.yaml': `${HEAD}${yaml}\n`, 'a.zone': ZONE_Z }
  const loaded = loadFrom(secrets === undefined ? files : { ...files, 's.txt': secrets })
  return loaded.ok ? 'good' : loaded.problems.map(problemText)
}

// biome-ignore format: table
const GOOD = [
  ['cookies: {}'],
  ['cookies: {enabled: off}'],
  [`cookies: {secrets: [${ONE}, ${TWO}], require: load}`],
  ['cookies: {require: always}'],
  ['nsid: "{node} {digest}"'],
  ['nsid: off'],
  ['whoami: whoami.example.com'],
  ['whoami: [whoami.example.com., Other.Example.COM]'],
] as const

test.each(GOOD)('%s', yaml => {
  expect(judged(yaml)).toBe('good')
})

const HOW = 'write 32 hex digits: openssl rand -hex 16'

// biome-ignore format: table
const WRONG = [
  // written                                    secrets of s.txt          what is said
  [`cookies: {secrets: [${ONE}, abc]}`,         undefined,                [`lbdns.yaml:3:55: a secret of 3 characters · ${HOW}`]],
  [`cookies: {secrets: [${ONE.slice(1)}g]}`,    undefined,                [`lbdns.yaml:3:21: a secret of 32 characters · ${HOW}`]],
  ['cookies: {secrets: {file: s.txt}}',         undefined,                [expect.stringMatching(/^lbdns.yaml:3:27: s.txt .*does not exist$/)]],
  ['cookies: {secrets: {file: s.txt}}',         '# none\n\n',             ['lbdns.yaml:3:27: s.txt holds no secret']],
  ['cookies: {secrets: {file: s.txt}}',         `${ONE}\n  xyz # no\n`,   [`s.txt:2:3: a secret of 3 characters · ${HOW}`]],
  ['nsid: "{host}"',                            undefined,                ['lbdns.yaml:3:7: {host} stands for nothing here · write {node} or {digest}']],
  ['nsid: "{node"',                             undefined,                ['lbdns.yaml:3:7: {node stands for nothing here · write {node} or {digest}']],
  ['nsid: "grün"',                              undefined,                ['lbdns.yaml:3:7: NSID is plain ASCII text · or off']],
  [`nsid: ${'x'.repeat(256)}`,                  undefined,                ['lbdns.yaml:3:7: NSID has at most 255 characters']],
  ['whoami: "*.example.com"',                   undefined,                ['lbdns.yaml:3:9: *.example.com has a * · write the name alone: all below it answer too']],
  ['whoami: [a.example.com, A.example.com.]',   undefined,                ['lbdns.yaml:3:25: this name stands in whoami twice · keep one of them']],
] as const

describe('what is wrong', () => {
  test.each(WRONG)('%s', (yaml, secrets, expected) => {
    expect(judged(yaml, secrets)).toEqual([...expected])
  })

  test('a demand that there is not', () => {
    expect(judged('cookies: {require: under-load}').toString()).toMatch(
      /^lbdns.yaml:3:20: under-load is no demand/,
    )
  })

  test('a secret that is wrong is not repeated: it may be one, mistyped', () => {
    expect(judged(`cookies: {secrets: [${ONE}0]}`).toString()).not.toContain(ONE)
  })
})
