/**
 * SARIF 2.1.0 (OASIS): one result for each assertion that does not hold and each finding, at the line
 * of the file where it was asked for; the rules come with what they rest on. What cannot be said is
 * of kind `open` (§3.27.9).
 */
import { type FindingId, type Level, rule } from '../../judge/finding.ts'
import type { Place, Remark, Ruling } from '../../judge/ruling.ts'
import { printable } from '../number.ts'
import { type Report, rulingText, subjectOf } from './report.ts'

type SarifLevel = 'error' | 'warning' | 'note' | 'none'

type Result = {
  readonly ruleId: string
  readonly kind: 'fail' | 'open'
  readonly level: SarifLevel
  readonly text: string
  readonly subject: string
  readonly at: Place | undefined
  /** What stays the same from run to run, so that a result is known again. */
  readonly key: string
}

export function sarifText(report: Report): string {
  const results = [
    ...report.rulings.filter(({ state }) => state !== 'pass').map(rulingResult),
    ...report.remarks.map(remarkResult),
  ]
  const ids = [...new Set(results.map(({ ruleId }) => ruleId))].sort()
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'lbprobe', version: report.version, rules: ids.map(ruleOf) } },
        invocations: [invocation(report)],
        columnKind: 'utf16CodeUnits',
        results: results.map(result => resultOf(result, ids)),
      },
    ],
  }
  return `${JSON.stringify(log, undefined, 2)}\n`
}

function rulingResult(ruling: Ruling): Result {
  const { assertion, at, state } = ruling
  const isOpen = state === 'inconclusive'
  return {
    ruleId: ruleIdOf(assertion),
    kind: isOpen ? 'open' : 'fail',
    level: isOpen ? 'none' : 'error', // §3.27.10: none unless kind is fail
    text: `${subjectOf(ruling)}: ${assertion}: ${rulingText(ruling)}`,
    subject: subjectOf(ruling),
    at,
    key: `${subjectOf(ruling)} ${assertion}`,
  }
}

const LEVEL: Readonly<Record<Level, SarifLevel>> = {
  error: 'error',
  warning: 'warning',
  note: 'note',
  info: 'note',
}

function remarkResult(remark: Remark): Result {
  const { id, level, message, where } = remark.finding
  const subject = subjectOf(remark)
  const place = where === undefined ? '' : ` (${where})`
  return {
    ruleId: id,
    kind: 'fail',
    level: LEVEL[level],
    text: `${subject}: ${message}${place}`,
    subject,
    at: remark.at,
    key: `${subject} ${id}`,
  }
}

function resultOf(result: Result, ids: readonly string[]): object {
  const { ruleId, kind, level, text, subject, at, key } = result
  const physical = at === undefined ? {} : { physicalLocation: physicalOf(at) }
  const logical = { fullyQualifiedName: printable(subject), kind: 'resource' }
  return {
    ruleId,
    ruleIndex: ids.indexOf(ruleId),
    kind,
    level,
    message: { text: printable(text) },
    locations: [{ ...physical, logicalLocations: [logical] }],
    partialFingerprints: { 'lbprobe/v1': printable(key) },
  }
}

function physicalOf({ file, line, column }: Place): object {
  return {
    artifactLocation: artifactOf(file),
    region: { startLine: line, startColumn: column },
  }
}

/** A relative path is one below the root of the sources. */
function artifactOf(file: string): object {
  const path = encodeURI(printable(file).replaceAll('\\', '/')).replace(/^\.\//, '')
  return path.startsWith('/') ? { uri: `file://${path}` } : { uri: path, uriBaseId: '%SRCROOT%' }
}

/** Usage (2) and our own faults (10) are no findings: the run itself went wrong. */
function invocation({ exit, failed }: Report): object {
  return {
    executionSuccessful: exit !== 2 && exit !== 10 && exit !== 130,
    exitCode: exit,
    ...(failed.length === 0 ? {} : { exitCodeDescription: printable(failed.join('; ')) }),
  }
}

/** `by_country.DE.within` is of the rule `assert/by_country`. */
function ruleIdOf(assertion: string): string {
  const [first = '', second = ''] = assertion.split('.')
  return `assert/${first === 'ecs' ? `ecs.${second}` : first}`
}

// biome-ignore format: table
const ASSERTIONS: Readonly<Record<string, readonly [name: string, help: string]>> = {
  'rotation':      ['RotationChanged',     'The name does not rotate as written. lbprobe dns2 shows how it does.'],
  'addresses':     ['AddressesChanged',    'The addresses seen are not those written.'],
  'min_addresses': ['TooFewAddresses',     'Fewer distinct addresses came up than written.'],
  'ecs.verdict':   ['SteeringChanged',     'Answers do not depend on the client as written. lbprobe ecs shows how they do.'],
  'ecs.scope':     ['ScopeOutOfRange',     'A SCOPE PREFIX-LENGTH (RFC 7871 §7.2.1) is outside the range written.'],
  'ecs.forbid':    ['ForbiddenFinding',    'A finding came up that the file forbids.'],
  'forbid':        ['ForbiddenFinding',    'A finding came up that the file forbids.'],
  'by_country':    ['CountryMissteered',   'Clients of a country are given other addresses than written.'],
  'ttl':           ['TtlOutOfRange',       'The TTL, or what becomes of it, is not as written.'],
  'all_ns':        ['NameServersDiffer',   'The name servers of the zone do not answer alike.'],
  'verdict':       ['VerdictUnexpected',   'The verdict is not the one of --expect.'],
  'same':          ['ServersDiffer',       'The servers do not say the same. lbprobe diff shows in what.'],
  'fail-on':       ['ConditionMet',        'A condition of --fail-on is met.'],
  'file':          ['AssertionFileWrong',  'The assertion file cannot be used as it is.'],
}

function ruleOf(id: string): object {
  if (!id.startsWith('assert/')) return findingRule(id as FindingId)
  const [name, help] = ASSERTIONS[id.slice('assert/'.length)] ?? ['Assertion', 'An assertion.']
  return {
    id,
    name,
    shortDescription: { text: help },
    help: { text: help },
    defaultConfiguration: { level: 'error' },
  }
}

function findingRule(id: FindingId): object {
  const name = rule(id).name
  const help = `${id} ${name}: ${rule(id).section}. lbprobe explain ${id} says more.`
  return {
    id,
    name: name.replace(/(^|-)(.)/g, (_, _dash, letter: string) => letter.toUpperCase()),
    shortDescription: { text: `${name}: ${rule(id).section}` },
    help: { text: help },
    defaultConfiguration: { level: LEVEL[rule(id).level] },
  }
}
