/**
 * Writes a draft as a whole `lbdns.yaml` that a person can read and go on with: keys in the order
 * of the README, a comment where the original has something to say, short lists on one line. Knows
 * the configuration's keys; not where they come from.
 */
import { Document, type Node, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml'
import { type Choice, keysOf, type Level, levelsOf, poolsOf } from './choice.ts'
import type { Draft, DraftCheck, DraftPool, DraftRule, DraftTarget } from './draft.ts'
import type { Imported } from './imported.ts'
import { accountsOf, type Ledger, unsupported } from './ledger.ts'
import { shareRules } from './mend.ts'
import { prove } from './prove.ts'
import { mendListen } from './targets.ts'

/** The longest list that stands on one line. */
const LINE = 76
const WIDTH = 100

const LEVELS: readonly Level[] = [
  ...(['networks', 'asns', 'cities', 'subdivisions', 'countries', 'continents'] as const),
]

/** A network with more prefixes than this is a file of its own. */
const INLINE = 40

/** The draft as an importer hands it out: what does not load is left out first. */
export function importedOf(draft: Draft, report: Ledger): Imported {
  mendListen(draft, report, { file: 'lbdns.yaml', line: 0 })
  prove(draft, report)
  forget(draft)
  noteDatabase(draft, report)
  shareRules(draft)
  const files = new Map(draft.files)
  for (const [name, { prefixes }] of draft.networks) {
    if (prefixes.length > INLINE) files.set(networkFile(name), `${prefixes.join('\n')}\n`)
  }
  return { config: draftText(draft), files, report: accountsOf(report) }
}

/** The database of the package knows countries alone. */
function noteDatabase({ databases, rules }: Draft, report: Ledger): void {
  if (databases.length > 0) return
  for (const [owner, { choose, at }] of rules) {
    const reads = levelsOf(choose).filter(level => !SHIPPED.includes(level))
    if (reads.length === 0) continue
    const here =
      'name a database that has them under geo: database:, the one that ships has countries alone'
    unsupported(report, at, `${owner} reads ${reads.join(', ')}`, here)
  }
}

const SHIPPED = ['networks', 'countries', 'continents']

/** Leaves out pools and networks that no rule names. */
function forget(draft: Draft): void {
  const rules = [...draft.rules.values()]
  const pools = new Set(rules.flatMap(rule => [...poolsOf(rule.choose), rule.lastResort]))
  const networks = new Set(rules.flatMap(({ choose }) => keysOf(choose, 'networks')))
  for (const name of [...draft.pools.keys()]) if (!pools.has(name)) draft.pools.delete(name)
  for (const name of [...draft.networks.keys()]) {
    if (!networks.has(name)) draft.networks.delete(name)
  }
}

function networkFile(name: string): string {
  return `networks/${name.replace(/[^\w.-]/g, '_')}.txt`
}

/** The text of the configuration. */
export function draftText(draft: Draft): string {
  const root = new YAMLMap()
  put(root, 'listen', line(draft.listen))
  if (!draft.ecs) put(root, 'ecs', flat({ enabled: 'off' }), 'The original does not use it.')
  put(root, 'zones', list([...new Set(draft.zones)]))
  if (draft.databases.length > 0) {
    put(root, 'geo', mapping([['database', list(draft.databases)]]))
  }
  section(root, 'networks', draft.networks, ({ prefixes, note }, name) => {
    if (prefixes.length > INLINE) return [flat({ file: networkFile(name) }), note]
    return [list(prefixes), note]
  })
  section(root, 'checks', draft.checks, check => [flat(checkFields(check)), check.note])
  section(root, 'pools', draft.pools, pool => [poolNode(pool), pool.note])
  section(root, 'steer', draft.rules, rule => [ruleNode(rule), rule.note])
  const document = new Document(root)
  document.commentBefore = draft.notes.map(comment).join('\n')
  return document.toString({ lineWidth: WIDTH, flowCollectionPadding: false, singleQuote: false })
}

/** A part of the file: a mapping of what the operator named. */
function section<Value>(
  root: YAMLMap,
  key: string,
  values: ReadonlyMap<string, Value>,
  write: (value: Value, name: string) => readonly [Node, string],
): void {
  if (values.size === 0) return
  const node = new YAMLMap()
  for (const [name, value] of values) {
    const [written, note] = write(value, name)
    put(node, name, written, note)
  }
  put(root, key, node)
  const pair = root.items.at(-1)
  if (pair !== undefined) (pair.key as Scalar).spaceBefore = true
}

function checkFields(check: DraftCheck) {
  const { command, fall, host, path, port, rise, status, type } = check
  const { every, timeout } = check
  const span = (seconds: number | undefined) => (seconds === undefined ? seconds : `${seconds}s`)
  const pace = { every: span(every), timeout: span(timeout), fall, rise }
  return known({ type, command, path, host, status, port, ...pace })
}

function poolNode(pool: DraftPool): Node {
  const fields: [string, Node][] = []
  if (pool.point !== undefined) fields.push(['at', flat(pool.point)])
  if (pool.check !== undefined) fields.push(['check', scalar(pool.check)])
  if (pool.quorum !== undefined) fields.push(['quorum', scalar(pool.quorum)])
  fields.push(['targets', targetsNode(pool.targets)])
  return mapping(fields)
}

function targetsNode(targets: readonly DraftTarget[]): Node {
  if (targets.every(({ weight }) => weight === 1)) return list(targets.map(({ text }) => text))
  const node = new YAMLSeq()
  for (const { kind, text, weight } of targets) {
    const name = kind === 'host' ? 'host' : 'address'
    node.add(weight === 1 ? scalar(text) : flat({ [name]: text, weight }))
  }
  return node
}

function ruleNode(rule: DraftRule): Node {
  const { max, min } = rule.ttl
  const fields: [string, Node][] = [
    ['ttl', max === min ? scalar(`${max}s`) : flat({ max: `${max}s`, min: `${min}s` })],
    ['pick', scalar(rule.pick)],
  ]
  if (rule.answers !== undefined) fields.push(['answers', scalar(rule.answers)])
  if (rule.truncate) fields.push(['truncate', scalar('on')])
  if (rule.lastResort !== undefined) fields.push(['last_resort', scalar(rule.lastResort)])
  return mapping([...fields, ...choiceFields(rule.choose)])
}

function choiceFields(choice: Choice): [string, Node][] {
  switch (choice.kind) {
    case 'pools':
      return [['pools', line(choice.pools)]]
    case 'rule':
      return [['rule', scalar(choice.owner)]]
    case 'nearest': {
      const nearest: [string, Node] = ['nearest', line(choice.pools)]
      return choice.limit === undefined ? [nearest] : [nearest, ['limit', scalar(choice.limit)]]
    }
    default:
      return [['by', byNode(choice)]]
  }
}

function byNode(choice: Choice & { readonly kind: 'by' }): Node {
  const levels: [string, Node][] = []
  const at = (level: string) => choice.branches.filter(branch => branch.level === level)
  const paths = [...new Set(choice.branches.map(({ level }) => level))].flatMap(level =>
    level.startsWith('field ') ? [level] : [],
  )
  for (const level of LEVELS) {
    if (at(level).length > 0) levels.push([level, branchesNode(at(level))])
    if (level !== 'asns' || paths.length === 0) continue
    const fields = paths.map((path): [string, Node] => [path.slice(6), branchesNode(at(path))])
    levels.push(['fields', mapping(fields)])
  }
  return mapping([...levels, ['default', branchNode(choice.default)]])
}

function branchesNode(branches: readonly { readonly key: string; readonly to: Choice }[]): Node {
  return mapping(branches.map(({ key, to }) => [key, branchNode(to)]))
}

function branchNode(choice: Choice): Node {
  return choice.kind === 'pools' ? line(choice.pools) : mapping(choiceFields(choice))
}

function mapping(fields: readonly (readonly [string, Node])[]): YAMLMap {
  const node = new YAMLMap()
  for (const [key, value] of fields) put(node, key, value)
  return node
}

function put(node: YAMLMap, key: string, value: Node, note = ''): void {
  const name = new Scalar(key)
  if (note !== '') name.commentBefore = note.split('\n').map(comment).join('\n')
  node.items.push(new Pair(name, value))
}

/** A mapping on one line. */
type Field = string | number | readonly (string | number)[]

function flat(fields: Readonly<Record<string, Field>>): YAMLMap {
  const nodes = Object.entries(fields).map(([key, value]): [string, Node] => [
    key,
    typeof value === 'object' ? line(value) : scalar(value),
  ])
  const node = mapping(nodes)
  node.flow = true
  return node
}

/** A list on one line, however long. */
function line(items: readonly (string | number)[]): YAMLSeq {
  const node = list(items)
  node.flow = true
  return node
}

/** A list: on one line where it is short. */
function list(items: readonly (string | number)[]): YAMLSeq {
  const node = new YAMLSeq()
  for (const item of items) node.add(scalar(item))
  node.flow = items.join(', ').length <= LINE
  return node
}

/** IPv6 addresses in quotes, as the README writes them. */
function scalar(value: string | number): Scalar {
  const node = new Scalar(value)
  if (typeof value === 'string' && value.includes(':')) node.type = Scalar.QUOTE_DOUBLE
  return node
}

/** A comment ends with its line, whatever an original has in it. */
function comment(text: string): string {
  const plain = text.replace(/\p{Cc}/gu, ' ')
  return plain === '' ? '' : ` ${plain}`
}

function known(fields: Readonly<Record<string, Field | undefined>>): Record<string, Field> {
  const there = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(there) as Record<string, Field>
}
