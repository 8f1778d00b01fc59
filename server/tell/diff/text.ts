/**
 * A diff for a person and for a program.
 */

import { figureColumns } from '../columns.ts'
import { countText, shareText } from '../figures.ts'
import { baseNames } from '../file.ts'
import { tierText } from '../ranking.ts'
import { type Diff, type Excess, isUnchanged, type NameDiff, type Version } from './diff.ts'
import type { Extent, Moves } from './moves.ts'
import type { Change, PoolDiff } from './settings.ts'

/** Tells a person. */
export function diffText(diff: Diff): string {
  const lines = [
    versionLine('old', diff.old),
    versionLine('new', diff.now),
    '',
    ...diff.names.flatMap(name => nameLines(name, diff)),
    ...diff.pools.flatMap(poolLines),
    '',
    ...totalLines(diff),
  ]
  return lines.map(line => `${line}\n`).join('')
}

function versionLine(label: string, { file, digest, geo }: Version): string {
  const databases = baseNames(geo.names)
  const made = databases === '' ? 'no geo data' : `${databases}, made ${geo.built}`
  return `${label}  ${file}: digest ${digest}, ${made}`
}

function nameLines(diff: NameDiff, document: Diff): string[] {
  if (isUnchanged(diff)) return [`${diff.name}: unchanged`]
  if (diff.kind !== 'both') {
    const { queries } = diff
    const asked = document.log === undefined ? '' : `; ${countText(queries)} queries of the log`
    return [`${diff.name}: ${diff.kind}${asked}`]
  }
  const { moves, changes } = diff
  const lines = [...moveLines(moves, document), ...changes.map(changeText)]
  return [`${diff.name}:`, ...lines.map(line => `  ${line}`)]
}

/** A row for each way that clients move; none where nobody does. */
function moveLines({ all, flows, moved, backups }: Moves, { basis, log }: Diff): string[] {
  const cells = ({ queries, ipv4, ipv6 }: Extent): string[] => [
    ...(log === undefined ? [] : [shareText(all.queries === 0 ? 0 : queries / all.queries)]),
    ...[ipv4.clients, ipv4.space, ipv6.clients, ipv6.space].map(shareText),
  ]
  const rows = flows.map(({ from, to, extent }) => [
    `${tierText(from)} → ${tierText(to)}`,
    ...cells(extent),
  ])
  if (flows.length > 1) rows.push(['together', ...cells(moved)])
  if (!isNothing(backups)) rows.push(['only the pools behind the first', ...cells(backups)])
  if (rows.length === 0) return []
  const families = ['IPv4', 'IPv6'].flatMap(family => [`${basis} ${family}`, `all ${family}`])
  return figureColumns([['moves', ...(log === undefined ? [] : ['log']), ...families], ...rows])
}

function isNothing({ queries, ipv4, ipv6 }: Extent): boolean {
  return queries + ipv4.space + ipv6.space === 0
}

/** `ttl 30s → 60s` */
function changeText({ what, from, to }: Change): string {
  return `${what} ${from ?? '(unset)'} → ${to ?? '(unset)'}`
}

/** `pool fra: +192.0.2.9 −192.0.2.1` */
function poolLines({ name, kind, added, removed, changes }: PoolDiff): string[] {
  if (kind !== 'changed') return [`pool ${name}: ${kind}`]
  const targets = [...added.map(target => `+${target}`), ...removed.map(target => `−${target}`)]
  const parts = [targets.join(' '), ...changes.map(changeText)].filter(part => part !== '')
  return [`pool ${name}: ${parts.join(', ')}`]
}

function totalLines({ names, log }: Diff): string[] {
  const changed = names.filter(name => !isUnchanged(name)).length
  const total = `${countText(changed)} of ${countText(names.length)} names change`
  if (log === undefined) return [total]
  const { file, queries, moved, unsteered } = log
  const steered = queries - unsteered
  const share = steered === 0 ? 'none' : `${shareText(moved / steered)} (${countText(moved)})`
  return [
    total,
    `${file}: ${countText(queries)} queries, ${countText(unsteered)} of them for names that are not steered; ${share} of the others move`,
  ]
}

// biome-ignore format: table
const OF: Readonly<Record<Excess['of'], string>> = {
  all:  'of its clients: it is steered no more',
  log:  'of its queries in the log',
  ipv4: 'of its IPv4 clients',
  ipv6: 'of its IPv6 clients',
}

/** Says why more moves than may. */
export function excessText({ name, share, of }: Excess, most: number): string {
  return `${name} moves ${shareText(share)} ${OF[of]}, and at most ${shareText(most)} may move`
}

/** Tells a program: `lbdns.diff/1`. */
export function diffJson({ old, now, basis, names, pools, log }: Diff): string {
  const document = { schema: 'lbdns.diff/1', old, new: now, basis, names, pools, log }
  return `${JSON.stringify(document, undefined, 2)}\n`
}
