/**
 * That the reader of the text format and the checker of metrics, by which our metrics are judged, can
 * fail: a row for each rule of the format and each of promtool's.
 */
import { describe, expect, test } from 'vitest'
import { families, seriesOf, valuesIn } from '../kit/exposition.ts'
import { lint } from '../kit/promlint.ts'

const FORMAT = 'https://prometheus.io/docs/instrumenting/exposition_formats/'

// biome-ignore format: table
const READ = [
  // what                                    text                                           series and values
  ['a value alone',                          'a 1\n',                                       { a: 1 }],
  ['blanks and tabs between tokens',         ' a { x = "1" , y="2" ,}\t 1.5e3 \t1395066363000 \n', { 'a{x="1",y="2"}': 1500 }],
  ['no labels in braces',                    'a{} 0\n',                                     { a: 0 }],
  ['escapes in a label',                     'a{x="\\\\ \\" \\n"} 1\n',                     { 'a{x="\\ " \n"}': 1 }],
  ['a label that holds all that ends one',   'a{x="} 1,"} 2\n',                             { 'a{x="} 1,"}': 2 }],
  ['numbers that are none',                  'a NaN\nb +Inf\nc -Inf\n',                     { a: Number.NaN, b: Infinity, c: -Infinity }],
  ['numbers as Go reads them',               'a .5\nb 5.\nc -1E-3\nd nan\n',                { a: 0.5, b: 5, c: -0.001, d: Number.NaN }],
  ['comments and empty lines',               '# a comment\n\n#\n#HELPLESS x\na 1\n',        { a: 1 }],
  ['UTF-8',                                  'a{x="Zürich"} 1\n',                           { 'a{x="Zürich"}': 1 }],
  ['nothing',                                '',                                            {}],
] as const

// biome-ignore format: table
const REFUSED = [
  ['the last line has no end',               'a 1',                                         'the last line has no end'],
  ['no value',                               'a\n',                                         'line 1: no number: '],
  ['a value that is no number',              'a one\n',                                     'no number: one'],
  ['something behind the time',              'a 1 2 3\n',                                   'something behind 2'],
  ['a name that begins with a digit',        '1a 1\n',                                      'no name of a metric'],
  ['a name with a dash',                     'a-b 1\n',                                     'no number: -b'],
  ['a label without quotes',                 'a{x=1} 1\n',                                  'no "'],
  ['a label that does not end',              'a{x="1} 1\n',                                 'no "'],
  ['a name of a label with a dash',          'a{x-y="1"} 1\n',                              'no ='],
  ['a name of a label that is a digit',      'a{1="1"} 1\n',                                'no name of a label'],
  ['a label twice',                          'a{x="1",x="2"} 1\n',                          'label x twice'],
  ['two labels and no comma',                'a{x="1" y="2"} 1\n',                          'neither , nor }'],
  ['braces that do not close',               'a{x="1", 1\n',                                'no name of a label'],
  ['no such escape',                         'a{x="\\t"} 1\n',                              'no escape: \\t'],
  ['no such escape in a HELP',               '# HELP a \\"\na 1\n',                         'no escape: \\"'],
  ['a backslash at the end of a HELP',       '# HELP a \\\na 1\n',                          'no escape: \\'],
  ['no such type',                           '# TYPE a meter\na 1\n',                       'no type: meter'],
  ['a second HELP',                          '# HELP a b\n# HELP a b\na 1\n',               'line 2: a second HELP of a'],
  ['a second TYPE',                          '# TYPE a gauge\n# TYPE a gauge\na 1\n',       'a second TYPE of a'],
  ['a TYPE behind its samples',              'a 1\n# TYPE a gauge\n',                       'TYPE after the samples of a'],
  ['a HELP of nothing',                      '# HELP\n',                                    'no name of a metric'],
] as const

describe(`the text format, ${FORMAT}`, () => {
  test.each(READ)('%s', (_, text, expected) => {
    expect(Object.fromEntries(valuesIn(text))).toEqual(expected)
  })
  test.each(REFUSED)('%s: refused', (_, text, why) => {
    expect(() => families(text)).toThrow(why)
  })

  test('HELP and TYPE belong to their metric; a histogram has parts', () => {
    const [a, h] = families(
      '# HELP a two \\\\ \\n lines\n# TYPE a counter\na 1\n# TYPE h histogram\nh_bucket{le="+Inf"} 1\nh_sum 2\nh_count 1\n',
    )
    expect(a).toMatchObject({ name: 'a', help: 'two \\ \n lines', type: 'counter' })
    expect(h).toMatchObject({ name: 'h', help: undefined, type: 'histogram' })
    expect(h?.samples.map(seriesOf)).toEqual(['h_bucket{le="+Inf"}', 'h_sum', 'h_count'])
  })
})

const gauge = (name: string, lines = `${name} 1`) => typed(name, 'gauge', lines)
const counter = (name: string, lines = `${name} 1`) => typed(name, 'counter', lines)
const typed = (name: string, type: string, lines: string) =>
  `# HELP ${name} Some help.\n# TYPE ${name} ${type}\n${lines}\n`
const histogram = (lines: string) => typed('x_bytes', 'histogram', lines)
const WHOLE =
  'x_bytes_bucket{le="1"} 1\nx_bytes_bucket{le="+Inf"} 2\nx_bytes_sum 3\nx_bytes_count 2'

// biome-ignore format: table
const WRONG = [
  // promlint's rule                           metrics                                                       what is said
  ['help: none',                               '# TYPE x gauge\nx 1\n',                                      'x: no help text'],
  ['help: empty',                              '# HELP x \n# TYPE x gauge\nx 1\n',                           'x: no help text'],
  ['units: milliseconds',                      gauge('x_milliseconds'),                                      'x_milliseconds: use base unit seconds instead of milliseconds'],
  ['units: in the middle',                     counter('x_kilobytes_total'),                                 'x_kilobytes_total: use base unit bytes instead of kilobytes'],
  ['units: hours',                             gauge('x_hours'),                                             'x_hours: use base unit seconds instead of hours'],
  ['units: bits',                              gauge('x_bits'),                                              'x_bits: use base unit bytes instead of bits'],
  ['counter: no _total',                       counter('x_bytes'),                                           'x_bytes: a counter without _total'],
  ['counter: _total of a gauge',               gauge('x_bytes_total'),                                       'x_bytes_total: _total, and no counter'],
  ['gauge: a time that is counted',            counter('x_timestamp_seconds'),                               ['x_timestamp_seconds: a counter without _total', 'x_timestamp_seconds: _timestamp_seconds, and no gauge']],
  ['reserved: _bucket',                        gauge('x_bucket'),                                            'x_bucket: _bucket, and no histogram'],
  ['reserved: _count',                         gauge('x_count'),                                             'x_count: _count, and no histogram'],
  ['reserved: _sum',                           gauge('x_sum'),                                               'x_sum: _sum, and no histogram'],
  ['reserved: le',                             gauge('x', 'x{le="1"} 1'),                                    'x: label le, and no histogram'],
  ['reserved: quantile',                       gauge('x', 'x{quantile="1"} 1'),                              'x: label quantile, and no summary'],
  ['type in name: at its end',                 gauge('x_gauge'),                                             'x_gauge: its type in its name: gauge'],
  ['type in name: in the middle',              gauge('x_histogram_bytes'),                                   'x_histogram_bytes: its type in its name: histogram'],
  ['reserved characters: a colon',             gauge('x:y'),                                                 'x:y: a colon in its name'],
  ['camelCase: a name',                        gauge('xY_bytes'),                                            'xY_bytes: camelCase: xY_bytes'],
  ['camelCase: a label',                       gauge('x', 'x{someLabel="1"} 1'),                             'x: camelCase: someLabel'],
  ['abbreviated units: at its end',            gauge('x_ms'),                                                'x_ms: an abbreviated unit: ms'],
  ['abbreviated units: in the middle',         counter('x_kb_total'),                                        'x_kb_total: an abbreviated unit: kb'],
  ['duplicates',                               gauge('x', 'x{a="1",b="2"} 1\nx{b="2",a="1"} 2'),             'x: twice: x{a="1",b="2"}'],
  ['labels of Prometheus',                     gauge('x', 'x{__name__="1"} 1'),                              'x: not ours: __name__'],
  ['a counter below 0',                        counter('x_total', 'x_total -1'),                             'x_total: below 0: x_total'],
  ['a counter that is no number',              counter('x_total', 'x_total NaN'),                            'x_total: below 0: x_total'],
  ['bounds that fall',                         histogram(WHOLE.replace('le="1"', 'le="+Inf"').replace('le="+Inf"} 2', 'le="1"} 2')), ['x_bytes: bounds do not go up', 'x_bytes: no bucket +Inf']],
  ['a bound that is no number',                histogram(WHOLE.replace('le="1"', 'le="a"')),                 'x_bytes: bounds do not go up'],
  ['buckets that fall',                        histogram(WHOLE.replace('le="1"} 1', 'le="1"} 3')),           'x_bytes: buckets do not go up'],
  ['no +Inf',                                  histogram('x_bytes_bucket{le="1"} 1\nx_bytes_sum 3\nx_bytes_count 1'), 'x_bytes: no bucket +Inf'],
  ['a count that is another',                  histogram(WHOLE.replace('count 2', 'count 3')),               'x_bytes: its bucket +Inf is not its count'],
  ['a count of other labels',                  histogram(WHOLE.replace('count 2', 'count{a="1"} 2')),        ['x_bytes: its bucket +Inf is not its count', 'x_bytes: no bucket +Inf{a="1"}', 'x_bytes: no sum{a="1"}']],
  ['no sum',                                   histogram(WHOLE.replace('x_bytes_sum 3\n', '')),              'x_bytes: no sum'],
] as const

// biome-ignore format: table
const RIGHT = [
  ['a counter',                                counter('x_bytes_total')],
  ['a gauge in a base unit',                   gauge('x_seconds')],
  ['a time',                                   gauge('x_timestamp_seconds')],
  ['a histogram',                              histogram(WHOLE)],
  ['a histogram by labels',                    histogram(`${WHOLE}\n${WHOLE.replaceAll(/ (\d)$/gm, ' $1').replaceAll('{', '{a="1",').replace('sum', 'sum{a="1"}').replace('count', 'count{a="1"}')}`)],
  ['words that only begin like units',         gauge('x_secondary_daysend')],
] as const

describe('promlint', () => {
  test.each(WRONG)('%s', (_, text, said) => {
    expect(lint(families(text))).toEqual(typeof said === 'string' ? [said] : said)
  })
  test.each(RIGHT)('%s is right', (_, text) => {
    expect(lint(families(text))).toEqual([])
  })
})
