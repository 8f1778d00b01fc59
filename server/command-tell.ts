/**
 * The commands that load a configuration and say something of it: loads, asks the room that knows,
 * prints. Nothing is served.
 */
import { clientFrom, downFrom } from './asked.ts'
import { compared } from './diff.ts'
import { nameText } from './dns/name.ts'
import { counts, drawn } from './drawing.ts'
import { explain as explainAnswer, slotOf } from './explain.ts'
import { remarks } from './fault.ts'
import { readOctets, readText } from './files.ts'
import { Loads } from './health/loads.ts'
import { load, type Machine, type Serving } from './load.ts'
import { type Commands, type MapView, machine } from './options.ts'
import type { AskedWords } from './options-read.ts'
import { good, note, print, Refused, refuse, warn } from './output.ts'
import { type Question, readQuestions } from './questions.ts'
import { freshSeed } from './seed.ts'
import { loadFilesOf } from './served.ts'
import { advise } from './steer/advise.ts'
import { type Board, openBoard } from './steer/board.ts'
import { excesses } from './tell/diff/diff.ts'
import { diffJson, diffText, excessText } from './tell/diff/text.ts'
import { explainText } from './tell/explain/text.ts'
import { counted } from './tell/figures.ts'
import { mapText } from './tell/map/map.ts'

export const check: Commands['check'] = async ({ file, strict }) => {
  const result = load(file, machine())
  warn(result.warnings)
  if (!result.ok) refuse(result.problems)
  const { config, sites, world } = result.value
  const { zones, steering } = world
  const advice = advise(config.policy, { steering, sites })
  warn(advice.warnings)
  note(advice.notes)
  const count = result.warnings.length + advice.warnings.length
  if (strict && count > 0) throw new Refused(`${counted(count, 'warning')}, and --strict`)
  const all = `${counted(zones.zoneCount, 'zone')}, ${counted(steering.slots, 'steered name')}`
  await print([`${file} is good: ${all}, ${counted(count, 'warning')}\n`])
}

export const explain: Commands['explain'] = (asked, options) => explained(asked, options, boardOf)

/** @param boardFor what is known of targets */
export async function explained(
  asked: AskedWords,
  { file, json, seed, down }: Parameters<Commands['explain']>[1],
  boardFor: (serving: Serving, file: string) => Board,
): Promise<void> {
  const serving = loaded(file, machine(), silent)
  const client = good(clientFrom(asked.client, serving))
  const options = {
    seed: seed === undefined ? freshSeed() : [seed],
    down: down.length === 0 ? undefined : good(downFrom(down, serving)),
    board: boardFor(serving, file),
  }
  const told = explainAnswer(serving, { ...asked, client }, options)
  await print(json ? [`${JSON.stringify(told, undefined, 2)}\n`] : [explainText(told)])
}

export const map: Commands['map'] = async (name, { file, families, view }) => {
  const serving = loaded(file, machine(), silent)
  const slot = good(slotOf(serving.world, name))
  await print(mapPieces(serving, slot, { name: nameText(name), families, view }))
}

export const diff: Commands['diff'] = async (
  files,
  { oldDatabases, newDatabases, name, log, maxMove = 1, json },
) => {
  const here = machine()
  const old = { file: files.old, serving: loaded(files.old, here, silent, oldDatabases) }
  const now = { file: files.now, serving: loaded(files.now, here, silent, newDatabases) }
  const diff = good(compared(old, now, { name, log: log === undefined ? log : logIn(log) }))
  await print([json ? diffJson(diff) : diffText(diff)])
  const over = excesses(diff, maxMove)
  for (const excess of over) process.stderr.write(`${excessText(excess, maxMove)}\n`)
  if (over.length > 0) throw new Refused(`${counted(over.length, 'name')} over --max-move`)
}

/** Loads, or says everything that is wrong and ends the command. */
function loaded(file: string, here: Machine, tell = warn, databases?: readonly string[]): Serving {
  const result = load(file, here, undefined, databases)
  tell(result.warnings)
  return result.ok ? result.value : refuse(result.problems)
}

/** A query log, or the end of the command where it cannot be read. */
function logIn(file: string): { readonly file: string; readonly questions: Question[] } {
  const text = readText(file, readOctets)
  if (typeof text !== 'string') refuse([text])
  const found = remarks()
  const questions = readQuestions(text, file, found)
  if (found.problems.length > 0) refuse(found.problems)
  return { file, questions }
}

/** Warnings are `check`'s and `run`'s business. */
function silent(): void {}

/** A board as a server that starts now would have it. */
function boardOf({ config, world: { steering } }: Serving, file: string): Board {
  const board = openBoard(steering)
  new Loads(loadFilesOf(config, file), steering, board, silent).look()
  return board
}

function mapPieces(
  serving: Serving,
  slot: number,
  options: {
    readonly name: string
    readonly families: readonly (4 | 6)[]
    readonly view: MapView
  },
): Iterable<string> {
  const { name, families, view } = options
  switch (view) {
    case 'svg':
      return [drawn(serving, slot)]
    case 'summary':
      return [counts(serving, slot, { families, format: 'text' })]
    case 'summary-json':
      return [counts(serving, slot, { families, format: 'json' })]
    default:
      return mapText(serving.world.steering, slot, { name, families, format: view })
  }
}
