/**
 * The picture of a map: whole, needing nothing else, true to the map, and readable on light and dark
 * paper and by whoever sees colours otherwise.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { beforeAll, describe, expect, test } from 'vitest'
import { hilbertCell } from '../../probe/tell/hilbert.ts'
import { readCountries } from '../../server/geo/countries.ts'
import type { Policy } from '../../server/steer/rule.ts'
import { basisOf } from '../../server/tell/clients.ts'
import { HUES, huesOf, PAPER } from '../../server/tell/picture/palette.ts'
import { pictureText } from '../../server/tell/picture/picture.ts'
import { territoryOf } from '../../server/tell/picture/territory.ts'
import type { DatabaseText, Value } from '../kit/mmdb.ts'
import { compiled, network, placesFor, policyOf, pool, rule } from '../kit/steering.ts'
import { type Element, elementsOf, readXml, textIn } from '../kit/xml.ts'

const require = createRequire(import.meta.url)
const ATLAS = JSON.parse(readFileSync(require.resolve('world-atlas/countries-50m.json'), 'utf8'))
const COUNTRIES = readCountries(readFileSync('data/geo/countries.csv', 'utf8'))

const country = (code: string): Value => ({ country: { iso_code: code } })
const ANNOUNCED = [
  ['16.0.0.0/8', country('DE')],
  ['17.0.0.0/8', country('US')],
  ['18.0.0.0/8', country('FR')],
  ['2a00::/15', country('DE')],
  ['2600::/16', country('US')],
] as const

const POOLS = [
  { ...pool('fra', '192.0.2.1', '2001:db8::1'), point: { lat: 50.11, lon: 8.68 } },
  { ...pool('iad', '192.0.2.2', '2001:db8::2'), point: { lat: 38.95, lon: -77.45 } },
  { ...pool('<&>"', '192.0.2.3', '2001:db8::3') },
]
/** France is shared: three quarters are by network. */
const POLICY: Partial<Policy> = {
  pools: POOLS,
  networks: [network('most', '18.0.0.0/9', '18.128.0.0/10')],
  rules: [
    rule({
      networks: [[0, [1]]],
      countries: { DE: [0], US: [1], FR: [0] },
      default: [2, 1],
    }),
  ],
}

function drawn(
  policy: Partial<Policy>,
  title = 'www.example.com',
  database: DatabaseText = { networks: ANNOUNCED },
): string {
  const whole = policyOf(policy)
  const { steering, sites } = compiled(whole, placesFor(whole, database))
  return pictureText({
    territory: territoryOf(steering, sites, 0),
    basis: basisOf(sites),
    title,
    subtitle: ['digest 00ff', 'places.mmdb of 2026-06-17'],
    countries: COUNTRIES,
    atlas: ATLAS,
    points: new Map(whole.pools.flatMap(({ name, point }) => (point ? [[name, point]] : []))),
  })
}

let svg = ''
let root: Element
let all: readonly Element[] = []
beforeAll(() => {
  svg = drawn(POLICY, 'a < b & "c"')
  root = readXml(svg)
  all = [...elementsOf(root)]
})

const named = (name: string) => all.filter(element => element.name === name)
const withClass = (name: string) => all.filter(({ attributes }) => attributes.class === name)

describe('the document', () => {
  test('is one SVG element, and says in words what it shows', () => {
    expect(root.name).toBe('svg')
    expect(root.attributes).toMatchObject({ role: 'img', xmlns: 'http://www.w3.org/2000/svg' })
    const said = root.attributes['aria-labelledby']?.split(' ').map(id => {
      return textIn(all.find(({ attributes }) => attributes.id === id) ?? root)
    })
    expect(said).toEqual([
      'a < b & "c"',
      'digest 00ff. places.mmdb of 2026-06-17. Comes first, of announced IPv4 addresses: fra 41.7 %, iad 58.3 %, <&>" 0 %.',
    ])
  })

  test('needs nothing else: no address but the namespace, no script, no picture, no font', () => {
    expect(svg.match(/\w+:\/\/[^"]*/g)).toEqual(['http://www.w3.org/2000/svg'])
    expect(svg).not.toMatch(
      /<(script|image|foreignObject|use|a|link)\b|@import|@font-face|href|data:/,
    )
    const ids = new Set(all.map(({ attributes }) => attributes.id))
    for (const [, id] of svg.matchAll(/url\(([^)]*)\)/g)) expect(ids).toContain(id?.slice(1))
  })

  test('takes fonts of the system, at the end of the list whatever there is', () => {
    expect(root.attributes['font-family']).toMatch(/^system-ui, .*, sans-serif$/)
  })

  test('has colours for light paper and for dark, for every class that is used', () => {
    const style = textIn(named('style')[0] ?? root)
    const dark =
      /@media\(prefers-color-scheme:dark\)\{((?:[^{}]*\{[^{}]*\})*)\}/.exec(style)?.[1] ?? ''
    const light = style.replace(dark, '')
    const colored = all.flatMap(({ attributes }) =>
      attributes.fill === 'currentColor' || attributes.stroke === 'currentColor'
        ? [attributes.class?.split(' ')[0] ?? '']
        : [],
    )
    for (const name of new Set(colored)) {
      for (const scheme of [light, dark]) expect(scheme).toMatch(new RegExp(`\\.${name}\\{color:#`))
    }
    expect(colored).toContain('hue0')
    expect(light).toContain(`.paper{color:${PAPER.light.paper}}`)
    expect(dark).toContain(`.paper{color:${PAPER.dark.paper}}`)
  })

  test('weighs no more than half a megabyte', () => {
    expect(svg.length).toBeLessThan(200_000)
  })
})

/** Cells of /16s that strokes of a class pass over, of the whole colour or pale. */
function cellsOf(name: string, isPale: boolean): Set<string> {
  const paths = withClass(name).filter(({ attributes }) => {
    const { stroke, 'stroke-opacity': opacity } = attributes
    return stroke === 'currentColor' && (opacity !== undefined) === isPale
  })
  const cells = new Set<string>()
  for (const { attributes } of paths) {
    let [x, y] = [0, 0]
    for (const [, right, down, length] of attributes.d?.matchAll(/m(-?\d+) ?(-?\d+)h(\d+)/g) ??
      []) {
      x += Number(right)
      y += Number(down)
      for (let i = 0; i < Number(length); i += 1) cells.add(`${x + i},${y}`)
      x += Number(length)
    }
  }
  return cells
}

/** Cells of a /8, counted in /16s of it. */
function cellsIn(octet: number, from = 0, to = 256): string[] {
  return Array.from({ length: to - from }, (_, i) => {
    const { x, y } = hilbertCell(8, (octet << 8) + from + i)
    return `${x},${y}`
  })
}

describe('IPv4', () => {
  test('has the cells of each country in the colour of its pool', () => {
    expect(cellsOf('hue0', false)).toEqual(new Set([...cellsIn(16), ...cellsIn(18, 192)]))
    expect(cellsOf('hue1', false)).toEqual(new Set([...cellsIn(17), ...cellsIn(18, 0, 192)]))
  })

  test('is pale where nobody is, and hatched where no client can be', () => {
    const pale = cellsOf('hue2', true)
    expect(cellsOf('hue2', false).size).toBe(0)
    // All but: three /8s; 0, 10 and 127; 224 to 255; 100.64/10, 169.254/16, 172.16/12, 192.168/16.
    expect(pale.size).toBe(256 * (256 - 3 - 3 - 32) - 64 - 1 - 16 - 1)
    const hatched = named('path').filter(({ attributes }) => attributes.stroke === 'url(#nobody)')
    expect(hatched).toHaveLength(1)
  })
})

describe('the world', () => {
  const countryNamed = (name: string) =>
    named('path').find(element => textIn(element).startsWith(`${name}: `)) ?? root

  test.each([
    ['Germany', 'fra 100 %', 'hue0'],
    ['United States', 'iad 100 %', 'hue1'],
    ['Japan', 'no addresses', 'land'],
  ])('%s: %s', (name, said, color) => {
    expect(textIn(countryNamed(name))).toBe(`${name}: ${said}`)
    expect(countryNamed(name).attributes).toMatchObject({ class: color, fill: 'currentColor' })
  })

  test('a country that would be a dot is left out where it has no addresses', () => {
    expect(countryNamed('Singapore')).toBe(root)
    const announced = { networks: [['16.0.0.0/8', country('SG')]] } as const
    expect(drawn(POLICY, 'a', announced)).toContain('<title>Singapore: &lt;&amp;&gt;&quot; 100 %<')
  })

  test('a country that two pools share is striped', () => {
    const france = countryNamed('France')
    expect(textIn(france)).toBe('France: iad 75.0 %, fra 25.0 %')
    const id = /^url\(#(.*)\)$/.exec(france.attributes.fill ?? '')?.[1]
    const pattern = named('pattern').find(({ attributes }) => attributes.id === id) ?? root
    const [under, over] = pattern.children.filter(child => typeof child === 'object')
    expect([under?.attributes.class, over?.attributes.class]).toEqual(['hue1', 'hue0'])
    const wide = Number(over?.attributes.width) / Number(under?.attributes.width)
    expect(wide).toBe(0.25)
  })

  test('has a dot for each pool that stands somewhere, with its name', () => {
    expect(named('circle').map(textIn)).toEqual(['fra', 'iad'])
    const [, washington] = named('circle')
    const [frankfurt] = named('circle')
    expect(Number(washington?.attributes.cx)).toBeLessThan(Number(frankfurt?.attributes.cx))
    expect(Number(washington?.attributes.cy)).toBeGreaterThan(Number(frankfurt?.attributes.cy))
  })
})

describe('the legend', () => {
  const legend = () => {
    const [group] = withClass('legend')
    return [...elementsOf(group ?? root)].filter(({ name }) => name === 'text').map(textIn)
  }

  test('names what comes first and its shares, the most first', () => {
    expect(legend()).toEqual([
      ...['comes first', 'of announced addresses: IPv4', 'IPv6'],
      ...['iad', '58.3 %', '33.3 %'],
      ...['fra', '41.7 %', '66.7 %'],
      ...['<&>"', '0 %', '0 %'],
    ])
  })

  test('of fourteen pools, ten have colours and the least share one', () => {
    const pools = Array.from({ length: 14 }, (_, i) =>
      pool(`p${i}`, `192.0.2.${i}`, `2001:db8::${i}`),
    )
    const networks = pools.map((_, i) =>
      network(`n${i}`, i === 0 ? '16.0.0.0/9' : `17.${i}.0.0/16`),
    )
    const rules = [
      rule({
        networks: pools.map((_, i) => [i, [i]] as const),
        countries: { DE: [0] },
        default: [13],
      }),
    ]
    all = [...elementsOf(readXml(drawn({ pools, networks, rules })))]
    const rows = legend().slice(3)
    expect(rows).toHaveLength(3 * 11)
    expect(rows.at(-3)).toBe('4 others')
  })
})

describe('colours', () => {
  test('go to the choices with the most clients, in the order of the configuration', () => {
    expect(huesOf([0.1, 0.7, 0.2])).toEqual([0, 1, 2])
    const many = Array.from({ length: 12 }, (_, i) => (i === 3 || i === 5 ? 0 : 1))
    expect(huesOf(many)).toEqual([0, 1, 2, 'others', 3, 'others', 4, 5, 6, 7, 8, 9])
  })

  // Machado, Oliveira and Fernandes 2009, severity 1.0: linear RGB as others see it.
  // biome-ignore format: table
  const SIGHTS = {
    everybody:  [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    'a protanope':  [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    'a deuteranope': [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
    'a tritanope':  [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
  } as const

  /** CIE L*a*b* under D65 of a colour as somebody sees it. */
  function seen(color: string, sight: readonly (readonly number[])[]): number[] {
    const linear = [1, 3, 5].map(at => {
      const value = Number.parseInt(color.slice(at, at + 2), 16) / 255
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
    })
    const dot = (row: readonly number[], by: readonly number[]) =>
      row.reduce((sum, factor, i) => sum + factor * (by[i] ?? 0), 0)
    const rgb = sight.map(row => Math.min(1, Math.max(0, dot(row, linear))))
    const [x = 0, y = 0, z = 0] = [
      dot([0.4124, 0.3576, 0.1805], rgb) / 0.95047,
      dot([0.2126, 0.7152, 0.0722], rgb),
      dot([0.0193, 0.1192, 0.9505], rgb) / 1.08883,
    ].map(value => (value > 0.008856 ? Math.cbrt(value) : 7.787 * value + 16 / 116))
    return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
  }

  const SCHEMES = ['light', 'dark'] as const
  const cases = SCHEMES.flatMap(scheme =>
    Object.entries(SIGHTS).map(([who, sight]) => [scheme, who, sight] as const),
  )
  test.each(cases)('on %s paper %s sees them all apart', (scheme, _, sight) => {
    const colors = [...HUES[scheme], PAPER[scheme].paper].map(color => seen(color, sight))
    for (const [i, a] of colors.entries()) {
      for (const b of colors.slice(i + 1)) {
        // A difference of 2.3 is just to be seen; that of Okabe and Ito's own closest two is 16.
        expect(Math.hypot(...a.map((value, at) => value - (b[at] ?? 0)))).toBeGreaterThan(16)
      }
    }
  })
})
