/** A calibrated resolver for a person: its one word, its ways, and every canary with -v. */
import type { Calibration } from '../judge/calibrate.ts'
import type { CanaryFate, Fate } from '../judge/canary.ts'
import { compareKnown } from '../judge/known-resolvers.ts'
import { printable } from './number.ts'
import type { PersonOptions } from './person.ts'
import { comparisonText, resolverNext, resolverSentence } from './resolver-words.ts'
import { tableLines } from './table.ts'

export function resolverText(calibrations: readonly Calibration[], page: PersonOptions): string {
  return calibrations.map(one => `${paragraph(one, page).join('\n')}\n`).join('\n')
}

/** One line a resolver. */
export function resolverShort(calibrations: readonly Calibration[]): string {
  return calibrations
    .map(({ server, verdict, path }) => `${server} ${verdict} ${path ?? 'unsure'}\n`)
    .join('')
}

function paragraph(one: Calibration, { style, width }: PersonOptions): readonly string[] {
  const inner = width === undefined ? undefined : width - 2
  const [head = '', ...canaries] = tableLines(canaryRows(one), inner)
  const known = comparisonText(one, compareKnown(one))
  const asked = one.egress.length === 0 ? '' : ` from ${one.egress.slice(0, 3).join(', ')}`
  const lines = [
    style.bold(printable(resolverSentence(one))),
    ...tableLines(wayRows(one), inner),
    ...(canaries.length === 0 ? [] : [style.faint(head), ...canaries]),
    ...(one.zone === undefined
      ? []
      : [style.faint(printable(`reflected by ${one.zone}, asked${asked}`))]),
    ...(known === undefined ? [] : [style.faint(known)]),
    style.faint(`next: ${resolverNext(one)}`),
  ]
  const paint =
    one.path === 'intact' ? style.good : one.path === 'altered' ? style.bad : style.doubtful
  return [`${paint(one.verdict)}  ${style.bold(one.server)}`, ...lines.map(line => `  ${line}`)]
}

// biome-ignore format: table
const FATES: Readonly<Record<Fate | 'mixed', string>> = {
  'as-sent': 'passed on as sent',
  truncated: 'passed on shorter',
  replaced:  'replaced by another network',
  stripped:  'not passed on',
  refused:   'refused',
  failed:    'answered with an error',
  silent:    'not answered',
  unseen:    'answered without a reflection',
  mixed:     'now so, now so',
}

// biome-ignore format: table
const WORDS: Readonly<Record<string, string>> = {
  exact: 'comes back as sent', missing: 'does not come back', mismatch: 'comes back changed', mixed: 'comes back now and then', unsent: 'does not come back',
  shown: 'shown', hidden: 'hidden: scope 0 or no option although the authority gave one', changed: 'another than the authority gave',
  cleared: 'cleared before the subnet is passed on', passed: 'passed on, which RFC 7871 §6 forbids', refused: 'refused', stripped: 'not passed on',
  kept: 'kept: nothing of the client is passed on', 'own-address': 'kept: the resolver names its own address', 'client-added': "broken: the client's network is passed on all the same (RFC 7871 §7.1.2)",
  'by-scope': 'by scope: one answer serves its whole block', 'by-subnet': 'by subnet: each is asked for, whatever the scope', 'ignores-subnet': 'without regard to the subnet: the first client is answered for all',
}

function wayRows({ ways, lengths }: Calibration): readonly (readonly string[])[] {
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['option', ways.echo],
    ['scope', ways.scope],
    ['IPv6 /56', fateText(ways.ipv6, lengths)],
    ['/16, /20', fateText(ways.shorter, lengths)],
    ['/25, /32', fateText(ways.longer, lengths)],
    ['SOURCE 0', ways.nobody],
    ['private', fateText(ways.private, lengths)],
    ['documentation', fateText(ways.documentation, lengths)],
    ['stray bits', ways.hostBits],
    ['cache', ways.cache],
  ]
  return rows.flatMap(([what, way]) => (way === undefined ? [] : [[what, WORDS[way] ?? way]]))
}

function fateText(
  fate: Fate | 'mixed' | undefined,
  lengths: readonly number[],
): string | undefined {
  if (fate !== 'truncated') return fate === undefined ? undefined : FATES[fate]
  return `${FATES[fate]} (${lengths.map(bits => `/${bits}`).join(', ')})`
}

/** What was sent, what the authority was told, what came back. */
function canaryRows({ canaries }: Calibration): readonly (readonly string[])[] {
  const usual = canaries.filter(({ kind, fate }) => kind === 'usual' && fate !== 'as-sent')
  if (usual.length === 0) return []
  return [['sent', 'authority was told', 'came back'], ...usual.map(rowOf)]
}

function rowOf({
  sent = 'nothing',
  told = 'nothing',
  echo,
  scope,
  reply,
}: CanaryFate): readonly string[] {
  const back = echo === 'exact' ? `as sent, scope /${scope.got}` : (WORDS[echo] ?? echo)
  return [sent, told, reply === 'NOERROR' ? back : reply].map(printable)
}
