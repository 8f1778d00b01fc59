/** What was measured as one HTML file: brings the map of the world to what draws it. */

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Seen } from './tell/html/baseline.ts'
import type { Places } from './tell/html/map.ts'
import { type Report, reportPage } from './tell/html/page.ts'
import { worldMap } from './tell/world.ts'

const MAP_WIDTH = 960
const require = createRequire(import.meta.url)

/** @param baseline an earlier run, to show what moved */
export async function htmlText(
  { units, judgements, head, end, partial }: Seen & Pick<Report, 'head' | 'end' | 'partial'>,
  baseline?: Report['baseline'],
): Promise<string> {
  const world = worldMap(await atlas(), MAP_WIDTH)
  const seen = { units, judgements, head, end, partial }
  return reportPage({ ...seen, baseline, world, places: await places() })
}

async function atlas(): Promise<Parameters<typeof worldMap>[0]> {
  return JSON.parse(await readFile(require.resolve('world-atlas/countries-110m.json'), 'utf8'))
}

async function places(): Promise<Places> {
  const text = await readFile(require.resolve('#data/geo/countries.csv'), 'utf8')
  const rows = text.trim().split('\n').slice(1)
  return new Map(
    rows.map(row => {
      const [code = '', , name = code, numeric = '', lat, lon] = row.split(',')
      return [code, { numeric, name, lat: Number(lat), lon: Number(lon) }]
    }),
  )
}
