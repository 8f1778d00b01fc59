// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is the syntax of $GENERATE
/** $GENERATE, as BIND has it. */
import { expect, test } from 'vitest'
import { allTexts, FIXTURE, loadText } from '../kit/zone-text.ts'

// biome-ignore format: table
const MADE = [
  ['a number a step', '1-3 h$ A 192.0.2.$',
    ['h1.example.com. 300 A 192.0.2.1', 'h2.example.com. 300 A 192.0.2.2', 'h3.example.com. 300 A 192.0.2.3']],
  ['a step of two', '0-3/2 h$ A 192.0.2.$', ['h0.example.com. 300 A 192.0.2.0', 'h2.example.com. 300 A 192.0.2.2']],
  ['an offset', '1-1 h${10} A 192.0.2.${-1}', ['h11.example.com. 300 A 192.0.2.0']],
  ['a width', '7-7 h${0,3} A 192.0.2.$', ['h007.example.com. 300 A 192.0.2.7']],
  ['a base: d', '10-10 h${0,0,d} A 192.0.2.1', ['h10.example.com. 300 A 192.0.2.1']],
  ['a base: o', '10-10 h${0,0,o} A 192.0.2.1', ['h12.example.com. 300 A 192.0.2.1']],
  ['a base: x', '171-171 h${0,4,x} A 192.0.2.1', ['h00ab.example.com. 300 A 192.0.2.1']],
  ['a base: X', '171-171 h TXT ${0,4,X}', ['h.example.com. 300 TXT "00AB"']],
  ['a base: n', '18-18 ${0,7,n} A 192.0.2.1', ['2.1.0.0.example.com. 300 A 192.0.2.1']],
  ['a base: N', '171-171 h TXT ${0,3,N}', ['h.example.com. 300 TXT "B.A"']],
  ['\\$ is a dollar', '1-1 h TXT \\$$', ['h.example.com. 300 TXT "$1"']],
  ['TTL and class', '1-1 h$ 60 IN A 192.0.2.$', ['h1.example.com. 60 A 192.0.2.1']],
  ['a string in quotes stays one', '1-1 h TXT "a $ b"', ['h.example.com. 300 TXT "a 1 b"']],
  ['other data in quotes is taken out of them', '1-1 h$ MX "10 www"', ['h1.example.com. 300 MX 10 www.example.com.']],
  ['a name', '1-1 $ PTR host-$', ['1.example.com. 300 PTR host-1.example.com.']],
  ['a comment', '1-1 h$ A 192.0.2.$ ; c', ['h1.example.com. 300 A 192.0.2.1']],
] as const

for (const [rule, line, records] of MADE) {
  test(`$GENERATE ${rule}`, () => {
    const { zones, problems } = loadText(`${FIXTURE}$GENERATE ${line}\n`)
    expect(problems).toEqual([])
    expect(allTexts(zones)).toEqual(expect.arrayContaining([...records]))
    expect(allTexts(zones)).toHaveLength(6 + records.length)
  })
}

// biome-ignore format: table
const WRONG = [
  ['BC-132 step 0', '1-5/0 h$ A 192.0.2.$', 'z:9:11: the range 1-5/0 has step 0'],
  ['BC-132 backwards', '5-1 h$ A 192.0.2.$', 'z:9:11: the range 5-1 runs backwards'],
  ['BC-132 without end', '1-4294967295 h$ A 192.0.2.$', 'z:9:11: the range 1-4294967295'],
  ['BC-132 too many', '1-2147483647 h$ A 192.0.2.$', 'makes more than'],
  ['no range', 'x h$ A 192.0.2.$', 'z:9:11: x is not a range'],
  ['nothing', '', 'is not a range'],
  ['no data', '1-2 h$ A', '$GENERATE takes'],
  ['an unknown base', '1-2 h${0,3,q} A 192.0.2.$', 'is not a modifier'],
  ['a modifier left open', '1-2 h${0,3 A 192.0.2.$', 'is not a modifier'],
  ['a width of 256', '1-2 h${0,256,d} A 192.0.2.$', 'is not a modifier'],
  ['below 0', '1-2 h${-2} A 192.0.2.$', 'z:9:1: ${-2} makes -1 of 1 · begin the range later'],
  ['data that goes wrong on the way', '255-999 h$ A 192.0.2.$', 'in the generated h256 A 192.0.2.256'],
] as const

for (const [rule, line, said] of WRONG) {
  test(`$GENERATE ${rule}`, () => {
    const { problems } = loadText(`${FIXTURE}$GENERATE ${line}\n`)
    expect(problems).toEqual([expect.stringContaining(said)])
  })
}

test('$GENERATE takes part in the owners of the file', () => {
  const { zones } = loadText(`${FIXTURE}$GENERATE 1-2 h$ A 192.0.2.$\n TXT "t"\n`)
  expect(allTexts(zones)).toContain('h2.example.com. 300 TXT "t"')
})
