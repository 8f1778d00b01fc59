/**
 * Reads the zones of a draft as the server will, and takes out what it would refuse: an original
 * may have mistakes of its own. Everything taken out is told of.
 */
import { ownerFrom } from '../config/owner.ts'
import { TYPE } from '../dns/rrtype.ts'
import { isWrong, type Problem, remarks, wrong } from '../fault.ts'
import { compileZones, type SteeredOwner } from '../zone/compile.ts'
import { parseZone } from '../zone/master.ts'
import { type Stream, textStream } from '../zone/stream.ts'
import type { Draft } from './draft.ts'
import { type Ledger, unsupported } from './ledger.ts'
import { isAlias } from './mend.ts'
import { octetsOf } from './utf8.ts'

/** Taking something out may lay bare something else: at most so often. */
const ROUNDS = 40

/** Stands for name servers until somebody says who they are (RFC 6761 §6.4). */
export const NOBODY = 'ns.invalid.'

/** The "file" of steered names: the line is their number. */
const RULES = 'steer'

/** Takes out of zones and rules what does not load. */
export function prove(draft: Draft, ledger: Ledger): void {
  for (const [owner, rule] of draft.rules) {
    const name = ownerFrom(owner)
    if (!isWrong(name)) continue
    draft.rules.delete(owner)
    unsupported(ledger, rule.at, rule.note, `left out: ${name.wrong}`)
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    const problems = problemsOf(draft)
    if (problems.length === 0) return
    const owners = [...draft.rules.keys()]
    const seen = new Set<string>()
    for (const problem of problems) {
      const key = `${problem.file}:${problem.line}`
      if (!seen.has(key)) repair(draft, ledger, problem, owners)
      seen.add(key)
    }
  }
}

function problemsOf(draft: Draft): readonly Problem[] {
  const found = remarks()
  const zones = draft.zones.flatMap(path => {
    const file = { file: path, stream: streamOf(draft.files.get(path) ?? ''), include }
    return parseZone(file, found) ?? []
  })
  function include(path: string, from: string) {
    const file = `${from.slice(0, from.lastIndexOf('/') + 1)}${path}`
    const text = draft.files.get(file)
    if (text === undefined) return wrong(`${path} does not exist`)
    return { file, stream: streamOf(text) }
  }
  compileZones(zones, ownersOf(draft), found)
  return found.problems
}

/** A text as zones are read: its octets. */
function streamOf(text: string): Stream {
  return textStream(octetsOf(text))
}

function ownersOf(draft: Draft): SteeredOwner[] {
  return [...draft.rules].flatMap(([owner, { choose }], slot): SteeredOwner[] => {
    const name = ownerFrom(owner)
    if (isWrong(name)) return []
    return [
      {
        owner: name,
        slot,
        answers: isAlias(draft, owner) ? 'alias' : 'addresses',
        types: [TYPE.A, TYPE.AAAA],
        tailored: choose.kind !== 'pools',
        at: { file: RULES, line: slot + 1, column: 1 },
      },
    ]
  })
}

/** Takes out the line, or the rule, that is wrong; puts in what a zone cannot do without. */
function repair(
  draft: Draft,
  ledger: Ledger,
  { file, line, what }: Problem,
  owners: readonly string[],
): void {
  const at = { file, line }
  if (file === RULES) {
    const owner = owners[line - 1] ?? ''
    const rule = draft.rules.get(owner)
    draft.rules.delete(owner)
    if (rule !== undefined) unsupported(ledger, rule.at, rule.note, `left out: ${what}`)
    return
  }
  const lines = (draft.files.get(file) ?? '').split('\n')
  const written = lines[line - 1] ?? ''
  if (what.endsWith('has no NS record')) lines.push(`@ NS ${NOBODY}`, '')
  else if (line > 0) lines[line - 1] = `; ${written}`
  else lines.splice(1, 0, `@ SOA ${NOBODY} hostmaster 1 7200 900 1209600 60`)
  draft.files.set(file, lines.join('\n'))
  if (line > 0 && !what.endsWith('has no NS record')) {
    unsupported(ledger, at, written.trim(), `left out: ${what}`)
  } else unsupported(ledger, { file, line: 0 }, what, `${NOBODY} stands for it: correct it`)
}
