/** What YAML itself forbids, and what it reads otherwise than the operator meant. */
import { describe, expect, test } from 'vitest'
import { cut, judge, judgeWhole, marked } from '../kit/config.ts'

// biome-ignore format: table
const SYNTAX = [
  // rule                                   text                                       problems
  ['a tab as indentation',                  'steer:\n▸\tx.example.com: {pools: [fra]}', ['a tab where a line is indented · indent with spaces']],
  ['a key twice',                           'zones: [a]\n▸zones: [b]',                  ['zones stands here twice · keep one; the first is on line 1']],
  ['a key twice, deeper',                   'ecs: {enabled: on, ▸enabled: off}',        ['enabled stands here twice · keep one; the first is on line 1']],
  ['a key twice, once in quotes',           'pools: {1: {targets: [192.0.2.1]}, ▸"1": {targets: [192.0.2.2]}}', ['1 stands here twice · keep one; the first is on line 1']],
  ['a quote that does not end',             'zones: [▸"a.zone]\nlisten: [127.0.0.1]',   ['a quoted text that does not end · close it with the same quote']],
  ['a bracket that is not closed',          'zones: [a.zone\n▸listen: [127.0.0.1]',     ['a bracket is not closed here · close every [ and { that is open, and indent what stands inside']],
  ['a bracket too many',                    'zones: [a.zone]▸]',                        ['not YAML: unexpected flow-seq-end token in YAML stream: "]"']],
  ['a line without a colon',                'zones: [a.zone]\n▸workers 2',              ['this line has no ": " · write key: value']],
  ['a key further left than its neighbour', 'ecs:\n   allow: []\n▸  deny: []',          ['this line is indented unlike its neighbours · let keys of one mapping begin in one column']],
  ['two colons on one line',                'control: ▸a: b',                           ['a mapping where a value should end · put a text that has ": " in it in quotes, and an inner mapping in { } or on lines of its own']],
  ['a text that begins with @',             'control: ▸@run',                           ['a text cannot begin with this character · put the text in quotes']],
  ['an escape there is not',                'control: "a▸\\q"',                         ['an escape that YAML does not have · write \\\\ for a backslash']],
  ['a wildcard without quotes',             'steer:\n  ▸*.example.com: {pools: [fra]}', ['*.example.com is read as a reference · put it in quotes: "*.example.com"']],
  ['the same inside braces',                'steer: {▸*.example.com: {pools: [fra]}}',  ['*.example.com is read as a reference · put it in quotes: "*.example.com"']],
  ['a reference to nothing',                'zones: ▸*mine',                            ['*mine is read as a reference · put it in quotes: "*mine"']],
  ['an IPv6 address without quotes',        'listen: [127.0.0.1, ▸[::1]:5353]',         ['brackets as a key · put an address with brackets in quotes, like "[::1]:53"']],
  ['a tag',                                 'control: ▸!path run.sock',                 ['a tag, and tags are not used here · take the word with ! out']],
  ['a tag of an older YAML',                'pools: ▸!!set {}',                         ['a tag, and tags are not used here · take the word with ! out']],
  ['the same as a key',                     '▸!!set {a: b}: c',                         ['a tag, and tags are not used here · take the word with ! out']],
  ['a second document',                     'zones: [a]\n▸---\nzones: [b]',             ['a second document in one file · keep one, and take --- out']],
  ['a prototype as a key',                  'pools: {▸__proto__: {targets: [192.0.2.1]}}', ['__proto__ cannot be a key · choose another name']],
] as const

describe('YAML', () => {
  for (const [rule, text, problems] of SYNTAX) {
    test(`YAML 1.2 ${rule}`, () => {
      const { piece, expected } = marked(text, problems)
      expect(judge(piece).problems).toEqual(expected)
    })
  }

  test('YAML 1.2 another version', () => {
    const { problems } = judgeWhole('%YAML 1.1\n---\nzones: [a]\n')
    expect(problems).toEqual(['1:1 another YAML than 1.2 · take the %YAML line out'])
  })

  test('YAML 1.2 mistakes on several lines are shown together', () => {
    const { problems } = judge('control: @run\nidentity: `me\nworkers: 0')
    expect(problems.map(text => text.split(' ')[0])).toEqual(['1:10', '2:11', '3:10'])
  })

  test('YAML 1.2 anchors save writing', () => {
    const text = 'steer:\n  a.example.com: &all {pools: [fra]}\n  b.example.com: *all'
    expect(judge(text).config?.policy.rules).toHaveLength(2)
  })

  test('YAML 1.2 anchors save writing inside a rule, and places are those of the anchor', () => {
    const { piece, expected } = marked(
      `steer:
  a.example.com: {by: {countries: &all {DE: [fra], FR: [▸gru]}, default: [fra]}}
  b.example.com: {by: {countries: *all, default: [fra]}}`,
      ['no pool is called gru'],
    )
    const twice = [...expected, ...expected]
    expect(cut(judge(piece).problems, twice)).toEqual(twice)
  })

  test('YAML 1.2 an anchor may be given again', () => {
    const text = 'ecs: {allow: &a [192.0.2.0/24], deny: *a}\nworkers: &a 2\nidentity: "x"'
    expect(judge(text).config?.ecs.deny.map(({ bits }) => bits)).toEqual([24])
  })

  test('YAML 1.2 an anchor that stands inside itself', () => {
    const { piece, expected } = marked('steer: {a.example.com: &a {by: {default: ▸*a}}}', [
      '*a stands inside what it refers to · take it out',
    ])
    expect(judge(piece).problems).toEqual(expected)
  })

  test('YAML 1.2 anchors that unfold without end', () => {
    const lines = Array.from({ length: 10 }, (_, n) => {
      const inner = Array.from({ length: 10 }, () => (n === 0 ? '1' : `*a${n - 1}`))
      return `a${n}: &a${n} [${inner.join(', ')}]\n`
    })
    expect(judge(lines.join('')).problems).toEqual([
      '0:0 references unfold to more than 10000000 values · use fewer of them',
    ])
  })

  test('ten thousand references are read in a moment', () => {
    const rules = Array.from({ length: 10_000 }, (_, n) => `  n${n}.example.com: *all\n`)
    const text = `steer:\n  a.example.com: &all {by: {countries: {DE: [fra]}, default: [iad]}}\n${rules.join('')}`
    expect(judge(text).config?.policy.rules).toHaveLength(10_001)
  }, 30_000)

  test('YAML 1.2 NO is Norway, and off is a word', () => {
    const { config } = judge(
      'steer: {a.example.com: {by: {countries: {NO: [fra]}, default: [iad]}}}',
    )
    const choose = config?.policy.rules[0]?.choose
    expect(choose?.kind === 'by' && [...choose.by.countries.keys()]).toEqual(['NO'])
    expect(judge('ecs: {enabled: off}').config?.ecs.enabled).toBe(false)
  })
})

// biome-ignore format: table
const WHOLE = [
  ['an empty file',        '',               ['1:1 the file is empty · give it listen: and zones:']],
  ['nothing but comments', '# soon\n',       ['1:1 the file is empty · give it listen: and zones:']],
  ['a list',               '- 127.0.0.1\n',  ['1:1 expected a mapping, found a list · write key: value, in { } or on lines below']],
  ['a text',               'hello\n',        ['1:1 expected a mapping, found "hello" · write key: value, in { } or on lines below']],
  ['brackets without end', '['.repeat(9999), ['0:0 brackets or lines nested without end · close every [ and {']],
  ['dashes without end',   '- '.repeat(9999), ['0:0 brackets or lines nested without end · close every [ and {']],
] as const

describe('the file as a whole', () => {
  for (const [rule, text, problems] of WHOLE) {
    test(rule, () => {
      expect(judgeWhole(text).problems).toEqual(problems)
    })
  }

  test('ten thousand pools that nothing uses are each told in a moment', () => {
    const pools = Array.from({ length: 10_000 }, (_, n) => `  p${n}: {targets: [192.0.2.1]}\n`)
    const { warnings } = judge(`pools:\n${pools.join('')}`)
    expect(warnings[0]).toContain('2:3 nothing uses pool p0')
    expect(warnings.length).toBeGreaterThanOrEqual(10_000)
  }, 30_000)

  test('brackets in a comment open nothing', () => {
    const text = `# ${'['.repeat(300)}\nlisten: [127.0.0.1]\nzones: [a.zone]\n`
    expect(judgeWhole(text).problems).toEqual([])
  })

  test('what is required and missing', () => {
    expect(judgeWhole('control: run.sock\n').problems).toEqual([
      '1:1 listen is missing · add listen: […]',
      '1:1 zones is missing · add zones: […]',
    ])
  })

  test('a byte order mark and Windows line ends', () => {
    const text = '\uFEFFlisten: [127.0.0.1]\r\nzones: [a.zone]\r\nworkers: 0\r\n'
    expect(judgeWhole(text).problems).toEqual(['3:10 0 is out of range · at least 1'])
  })
})
