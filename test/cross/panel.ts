/** The default panel as a map: each of its networks, and the site of its region. */
import { readFileSync } from 'node:fs'

export const SITES = {
  US: '192.0.2.1',
  DE: '192.0.2.49',
  JP: '192.0.2.81',
  BR: '192.0.2.55',
} as const

/** Of each country the first five rows: that is the panel. */
const ROWS = readFileSync('data/subnets/subnets.csv', 'utf8')
  .split('\n')
  .map(line => line.split(','))

/** The /16 around each subnet of the panel. */
export const NETWORKS = Object.entries(SITES).flatMap(([country, site]) =>
  ROWS.filter(([code]) => code === country)
    .slice(0, 5)
    .map(([, prefix = '']) => [prefix.replace(/\.\d+\.\d+\/24$/, '.0.0/16'), site] as const),
)

export const ELSEWHERE = '192.0.2.200'
