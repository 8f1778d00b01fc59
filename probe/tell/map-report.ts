/** A map in the format asked for, but for JSON, which holds more than the map. */
import type { MapJudgement } from '../judge/map.ts'
import { mapCsv } from './map-csv.ts'
import { type MapPage, mapText } from './map-person.ts'
import { mapSvg } from './map-svg.ts'
import { printable } from './number.ts'

export function mapReport(
  one: MapJudgement,
  format: 'person' | 'short' | 'csv' | 'svg',
  page: MapPage,
): string {
  switch (format) {
    case 'person':
      return mapText(one, page)
    case 'short':
      return shortLine(one)
    case 'csv':
      return mapCsv(one)
    case 'svg':
      return mapSvg(one)
  }
}

/** Name, type, kind, blocks, groups, overlaps; for scripts. */
function shortLine({ name, type, kind, leaves, groups, overlaps }: MapJudgement): string {
  const words = [name, type, kind, leaves.length, groups.length, overlaps.length]
  return `${words.map(word => printable(String(word))).join(' ')}\n`
}
