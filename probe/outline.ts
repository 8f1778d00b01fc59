/** The plan in one line, before anything is sent: how many questions, to whom, with which seed. */

import { demandOf, type Server, serverText } from './ask/server.ts'
import type { Options } from './options.ts'
import { isLoopback } from './plan/budget.ts'
import type { Subnet } from './plan/question.ts'
import type { Subject } from './plan/rounds.ts'
import { printable } from './tell/number.ts'

/** What is going to be asked of one name and type. */
export type Outline = {
  readonly command: 'dns2' | 'ecs'
  readonly seed: number
  /** Questions in a row for `dns2`; the most rounds for `ecs`. */
  readonly count: number
  readonly subnets: readonly Subnet[]
  /** Controls in each round. */
  readonly controls: number
  readonly samplesABlock: number
  readonly queries: number
  readonly rate: number
}

/** `plan: …`, without a line end. */
export function outlineText(
  outline: Outline,
  subject: Subject,
  servers: readonly Server[],
  { host }: { readonly host?: string | undefined } = {},
): string {
  const what = outline.command === 'dns2' ? `${outline.count} queries in a row` : rounds(outline)
  const named = host === undefined ? '' : `${printable(host)} `
  const whom = named + servers.map(whomText).join(', ')
  const remote = servers.some(server => !isLoopback(server.address))
  const pace =
    remote && outline.rate !== Number.POSITIVE_INFINITY
      ? ` · ${timeText(queriesOf(outline) / outline.rate)} at ${outline.rate} a second`
      : ''
  return `plan: ${subject.name} ${subject.type} · ${what} · to ${whom}${pace} · seed ${outline.seed}`
}

/** Of a server that is encrypted, but whoever it is, this is said before anything is sent. */
function whomText(server: Server): string {
  const blind = server.transport === 'tls' && demandOf(server) === 'nothing'
  return `${serverText(server)}${blind ? ' (not authenticated)' : ''}`
}

function rounds(outline: Outline): string {
  const { count, samplesABlock, queries } = outline
  const most = queriesOf(outline)
  const scopes = `then ${samplesABlock} in each block announced`
  return `${panelText(outline)}, up to ${count} rounds = ${most} queries, ${scopes}, ${queries} in all at most`
}

/** Of all rounds, without the scopes: how many there are of those is not known yet. */
function queriesOf({ command, subnets, controls, count, queries }: Outline): number {
  return Math.min(queries, command === 'dns2' ? count : count * (subnets.length + controls))
}

/** `20 subnets (US 5, DE 5) and 3 controls`. */
export function panelText({ controls, subnets }: Outline): string {
  const beside = controls === 0 ? 'no' : controls
  return `${subnets.length} subnets (${regions(subnets)}) and ${beside} controls`
}

/** `about 9 s`, `about 14 min`. */
export function timeText(seconds: number): string {
  if (seconds < 120) return `about ${Math.max(1, Math.round(seconds))} s`
  return seconds < 7200
    ? `about ${Math.round(seconds / 60)} min`
    : `about ${Math.round(seconds / 3600)} h`
}

/** So many are named one by one. */
const REGIONS_NAMED = 8

/** `US 5, DE 5`, or `25 regions, 2 to 3 each`. */
function regions(subnets: readonly Subnet[]): string {
  const counts = new Map<string, number>()
  for (const { region } of subnets) {
    counts.set(region ?? 'no region', (counts.get(region ?? 'no region') ?? 0) + 1)
  }
  if (counts.size > REGIONS_NAMED) {
    const each = [...counts.values()]
    return `${counts.size} regions, ${Math.min(...each)} to ${Math.max(...each)} each`
  }
  return [...counts].map(([region, count]) => `${region} ${count}`).join(', ')
}

/** The same as plain data, for the result document. */
export function outlineDocument(outline: Outline, options: Options): Record<string, unknown> {
  return {
    command: outline.command,
    names: options.names,
    types: options.types,
    seed: outline.seed,
    count: outline.count,
    subnets: outline.subnets.map(({ text, region }) => ({ subnet: text, region })),
    maxQueries: outline.queries,
    rate: outline.rate,
    timeoutMs: options.timeoutMs,
    tries: options.tries,
    alpha: options.alpha,
  }
}
