/**
 * Which addresses a map is made of: all of IPv4, or what the user named: prefixes, a file of them, or
 * the networks of a database.
 */

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import {
  blockFrom, covers, endOf, type Family, type Span, spanAt, spanOf, WIDTH
} from './judge/span.ts' // biome-ignore format: list
import type { MapOptions } from './options/map.ts'
import { reasonOf } from './panel.ts'
import { addressText, readSubnet } from './plan/subnet.ts'
import { isWrong, type Wrong, wrong } from './plan/wrong.ts'
import { COUNTRY_DATABASE } from './region.ts'
import type { World } from './world.ts'

/** Blocks in their order, none in another. */
export async function spaceFor(
  options: MapOptions,
  world: World,
): Promise<readonly Span[] | Wrong> {
  const { family, within, announced } = options
  const named = readAll(within, '--within', family)
  if (isWrong(named)) return named
  if (announced === undefined) {
    return named.length === 0 ? [{ family, at: 0n, bits: 0 }] : outermost(named)
  }
  const found = await announcedIn(announced, family, world)
  if (isWrong(found)) return found
  const wanted = named.length === 0 ? found : found.flatMap(span => cutTo(span, named))
  if (wanted.length > 0) return outermost(wanted)
  const version = family === 1 ? 'IPv4' : 'IPv6'
  return wrong(`--announced ${announced}: no ${version} prefix in it that is asked for`)
}

/** What two blocks have in common: the smaller, or nothing. */
function cutTo(span: Span, named: readonly Span[]): readonly Span[] {
  return named.flatMap(one => {
    if (covers(one, span)) return [span]
    return covers(span, one) ? [one] : []
  })
}

function outermost(spans: readonly Span[]): readonly Span[] {
  const sorted = [...spans].sort((a, b) => (a.at === b.at ? a.bits - b.bits : a.at < b.at ? -1 : 1))
  const kept: Span[] = []
  for (const span of sorted) {
    const last = kept.at(-1)
    if (last === undefined || !covers(last, span)) kept.push(span)
  }
  return kept
}

function readAll(texts: readonly string[], flag: string, family: Family): readonly Span[] | Wrong {
  const spans: Span[] = []
  for (const text of texts) {
    const subnet = readSubnet(text, 'any')
    if (isWrong(subnet)) return wrong(`${flag} ${text}: not a prefix`, 'such as 198.51.100.0/22')
    if (flag === '--within' && subnet.family !== family) {
      const fix = family === 1 ? 'add -6' : 'leave out -6'
      return wrong(`${flag} ${text}: of the other address family`, fix)
    }
    if (subnet.family === family) spans.push(spanOf(family, subnet.octets, subnet.source))
  }
  return spans
}

async function announcedIn(
  path: string,
  family: Family,
  world: World,
): Promise<readonly Span[] | Wrong> {
  try {
    if (path === 'builtin') {
      return await networksIn(createRequire(import.meta.url).resolve(COUNTRY_DATABASE), family)
    }
    if (path.endsWith('.mmdb')) return await networksIn(path, family)
    const lines = (await world.readText(path)).split(/\r?\n/).map(line => line.replace(/#.*$/, ''))
    const texts = lines.map(line => line.trim()).filter(line => line !== '')
    return readAll(texts, `--announced ${path}`, family)
  } catch (cause) {
    return wrong(
      `--announced ${path}: ${reasonOf(cause)}`,
      'name a file with one prefix a line, or a database',
    )
  }
}

/** The networks of which a database knows something, found with a cursor. */
async function networksIn(path: string, family: Family): Promise<readonly Span[]> {
  const { Reader } = await import('maxmind')
  const reader = new Reader(await readFile(path))
  if (family === 2 && reader.metadata.ipVersion === 4) return []
  const found: Span[] = []
  const end = 1n << BigInt(WIDTH[family])
  // below 2000::/3 lie only IPv4 in disguise and what is special
  for (let at = family === 1 ? 0n : 1n << 125n; at < end; ) {
    const text = addressText(blockFrom(spanAt(family, at, WIDTH[family])).octets)
    const [data, bits] = reader.getWithPrefixLength(text)
    const span = spanAt(family, at, bits)
    if (data !== null) found.push(span)
    at = endOf(span)
  }
  return found
}
