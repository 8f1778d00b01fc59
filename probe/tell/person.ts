/** A judgement for a person at a terminal: what it is, why one may believe it, and what to do next. */
import type { Finding } from '../judge/finding.ts'
import type { Judgement } from '../judge/judgement.ts'
import type { Answer } from '../judge/verdict.ts'
import { ecsLines } from './ecs-lines.ts'
import { printable } from './number.ts'
import { hostNote, providerNote } from './providers.ts'
import { rotationLines } from './rotation-lines.ts'
import { sentenceOf } from './sentence.ts'
import type { Style } from './style.ts'
import { NEXT } from './words.ts'

export type PersonOptions = {
  readonly style: Style
  /** Columns of the terminal; absent: lines are not cut. */
  readonly width: number | undefined
}

/** All judgements, a blank line between them, a line end after the last. */
export function personText(judgements: readonly Judgement[], options: PersonOptions): string {
  return judgements.map(one => `${paragraph(one, options).join('\n')}\n`).join('\n')
}

function paragraph(one: Judgement, options: PersonOptions): readonly string[] {
  const { style } = options
  const { evidence } = one.verdict
  const inner = { style, width: options.width === undefined ? undefined : options.width - 2 }
  const body =
    evidence.kind === 'ecs' ? ecsLines(one, evidence, inner) : rotationLines(one, evidence, inner)
  const lines = [
    style.bold(sentenceOf(one)),
    ...body,
    ...one.findings.map(found => findingLine(found, style)),
    ...calibrationLines(one, style),
    ...knownOf(one).map(note => style.faint(`known: ${note}`)),
    style.faint(`next: ${NEXT[one.verdict.code]}`),
  ]
  return [headline(one, style), ...lines.map(line => `  ${line}`)]
}

/** Beside a verdict on client subnets: habits of those whom a name is with. */
function knownOf({ verdict, nameServers = [] }: Judgement): readonly string[] {
  if (verdict.evidence.kind !== 'ecs') return []
  const notes = [providerNote(verdict.modifiers), hostNote(nameServers)]
  return notes.filter(note => note !== undefined)
}

/** Where the resolver on the way spoils nothing; what it spoils is the finding ECS018. */
function calibrationLines({ calibration }: Judgement, style: Style): readonly string[] {
  if (calibration?.path !== 'intact') return []
  return [style.faint(`through: ${printable(`${calibration.server} ${calibration.reason}`)}`)]
}

/** `real  geo  cdn.example.com A`. The answer first; `dns2` asks for one client and has none to give. */
function headline(one: Judgement, style: Style): string {
  const { answer, code, modifiers, evidence } = one.verdict
  const words = [code, ...modifiers.map(modifier => printable(modifier))].join(' ')
  const at = one.host === undefined ? '' : `  ${printable(one.host)} ${one.server}`
  const name = style.bold(`${printable(one.name)} ${one.type}`) + at
  if (evidence.kind === 'rotation') return `${name}  ${paint(answer, style)(words)}`
  return `${paint(answer, style)(answer)}  ${words}  ${name}`
}

function paint(answer: Answer, style: Style): (text: string) => string {
  if (answer === 'real') return style.good
  if (answer === 'fake') return style.bad
  return answer === 'unclear' ? style.doubtful : style.bold
}

/** `ECS006 error: … · where` */
export function findingLine({ id, level, message, where }: Finding, style: Style): string {
  const text = `${id} ${level}: ${printable(message)}${where === undefined ? '' : ` · ${printable(where)}`}`
  return level === 'error' ? style.bad(text) : level === 'warning' ? style.doubtful(text) : text
}
