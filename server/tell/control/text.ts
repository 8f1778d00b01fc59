/** What a reply says to a person, by the kind of request. */
import { counted } from '../figures.ts'
import { dryRunText } from './dry-run-text.ts'
import { healthText } from './health-text.ts'
import { overrideLine, overridesText } from './overrides-text.ts'
import { statesText } from './states-text.ts'
import { statusText } from './status-text.ts'
import type { Challenged, DryRun, OverrideTold, Reloaded, Told, Undone } from './told.ts'

type Texts = {
  readonly [Kind in keyof Told]: (told: Told[Kind], now: number) => readonly string[]
}

const TEXTS: Texts = {
  status: statusText,
  states: statesText,
  health: healthText,
  overrides: overridesText,
  reload: reloadedText,
  drain: imposedText,
  force: imposedText,
  ramp: imposedText,
  undrain: undoneText,
  unforce: undoneText,
  undo: undoneText,
  push: ({ targets }) => [`taken by ${targets.join(', ')}`],
  'acme set': challengedText,
  'acme clear': challengedText,
  board: documentText,
  dump: documentText,
}

/**
 * Lines. Throws where a server of another version tells what is not known here.
 *
 * @param now milliseconds
 */
export function toldText<Kind extends keyof Told>(
  kind: Kind,
  told: Told[Kind],
  now: number,
): readonly string[] {
  return TEXTS[kind](told, now)
}

function imposedText(told: OverrideTold | DryRun): readonly string[] {
  return 'names' in told ? dryRunText(told) : [overrideLine(told)]
}

function undoneText({ undone }: Undone): readonly string[] {
  if (undone.length === 0) return ['nothing was to be undone']
  return undone.map(({ does, id }) => `undone: ${id}, ${does}`)
}

function reloadedText(told: Reloaded): readonly string[] {
  const { digest, now } = told
  return [
    now === 'planned' ? `planned for ${told.at}, digest ${digest}` : `reloaded, digest ${digest}`,
  ]
}

function challengedText({ name, tokens }: Challenged): readonly string[] {
  return [`${name} now has ${counted(tokens, 'token')}`]
}

function documentText(told: unknown): readonly string[] {
  return [JSON.stringify(told, undefined, 2)]
}
