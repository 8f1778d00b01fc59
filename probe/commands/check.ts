/**
 * One use of `check`: assertion files read, all that is wrong with them said at once; measured; held
 * against what they say; told by reporters; and the exit code that follows.
 */

import { type Checked, runChecks } from '../checking.ts'
import type { Check } from '../checks/check.ts'
import { readChecks } from '../checks/read.ts'
import { settleChecks, strictly } from '../checks/settle.ts'
import type { Mistake } from '../checks/source.ts'
import { deliver, type Failure, INTERRUPTION, type Texts } from '../deliver.ts'
import type { Judgement } from '../judge/judgement.ts'
import type { Ruling } from '../judge/ruling.ts'
import { mistakeLines } from '../mistakes.ts'
import { CHECK_FORMATS, refusedIn } from '../options/formats.ts'
import { type Flags, type Options, optionsOf } from '../options.ts'
import { reasonOf } from '../panel.ts'
import { isWrong, type Wrong, wrong } from '../plan/wrong.ts'
import { checkText } from '../tell/check.ts'
import { DOCUMENT, toolOf } from '../tell/documents.ts'
import { judgedFigures } from '../tell/reporters/judged.ts'
import type { Report } from '../tell/reporters/report.ts'
import { vocabulary } from '../vocabulary.ts'
import { readWords } from '../words.ts'
import type { World } from '../world.ts'
import { refuse } from './refuse.ts'

const USAGE = 2
const INTERRUPTED = 130
const DEFAULT_FILE = 'lbprobe.yaml'

export async function runCheck(
  words: readonly string[],
  flags: Flags,
  world: World,
): Promise<number> {
  const began = world.wire.now()
  const options = checkOptions(words, flags)
  if (isWrong(options)) return refuse(options, DOCUMENT.check, refusedIn(flags), world)
  const files = words.filter(word => !word.startsWith('@'))
  const read = await readFiles(files.length === 0 ? [DEFAULT_FILE] : files, world)
  if (read.mistakes.length > 0) return refused(read.mistakes, options, world)
  const checked = await runChecks(read.checks, quietly(options, world), world)
  if ('reason' in checked) return refused([checked], options, world)
  if (options.action === 'plan-only') return 0
  return told(checked, options, world, (world.wire.now() - began) / 1000)
}

/** `@server` words win over the servers that a file names: the same file for staging. */
function checkOptions(words: readonly string[], flags: Flags): Options | Wrong {
  const read = readWords(
    words.filter(word => word.startsWith('@')),
    [],
  )
  return isWrong(read) ? read : optionsOf(read, flags, CHECK_FORMATS)
}

/** A plan line for each measurement would drown the rulings; `-v` and --dry-run have it. */
function quietly(options: Options, world: World): Options {
  if (options.loudness === 'verbose' || options.action === 'plan-only') return options
  const watched = options.loudness === 'usual' && world.err.isTerminal
  const shown = options.progress === 'auto' && watched && world.environment.TERM !== 'dumb'
  return { ...options, loudness: 'quiet', progress: shown ? 'on' : options.progress }
}

type FilesRead = { readonly checks: readonly Check[]; readonly mistakes: readonly Mistake[] }

async function readFiles(files: readonly string[], world: World): Promise<FilesRead> {
  const words = await vocabulary(world)
  const checks: Check[] = []
  const mistakes: Mistake[] = []
  for (const file of files) {
    try {
      const read = readChecks(await world.readText(file), file, words)
      if (read.ok) checks.push(...read.checks)
      else mistakes.push(...read.mistakes)
    } catch (cause) {
      if (!(cause instanceof Error && 'code' in cause)) throw cause
      const reason = wrong(reasonOf(cause), 'name another, or write it with lbprobe snapshot')
      mistakes.push({ at: { file, line: 1, column: 1 }, reason })
    }
  }
  return { checks, mistakes }
}

async function refused(
  mistakes: readonly Mistake[],
  options: Options,
  world: World,
): Promise<number> {
  const lines = mistakeLines(mistakes)
  for (const line of lines) world.err.write(`${line}\n`)
  const rulings = mistakes.map(
    ({ at, reason }): Ruling => ({
      name: at.file,
      type: '',
      assertion: 'file',
      at,
      state: 'fail',
      expected: reason.fix ?? 'a file that can be used',
      seen: reason.wrong,
    }),
  )
  const report = reportOf({ rulings, remarks: [], measured: [] }, [], USAGE, 0, world)
  const error = { code: 'usage', message: lines.join('\n') }
  return deliver(report, { options, world, error, texts: textsOf(report, [], () => '') })
}

async function told(
  checked: Checked,
  options: Options,
  world: World,
  seconds: number,
): Promise<number> {
  const { inconclusive, failOn } = options
  const rulings = strictly(checked.rulings, inconclusive)
  const judgements = checked.measured.flatMap(one => one.judgements)
  const settled = settleChecks(rulings, judgements, failOn, inconclusive)
  const { aborted } = world.interrupt
  const exit = aborted ? INTERRUPTED : settled.exit
  const failed = aborted ? [INTERRUPTION.message] : settled.failed
  const report = reportOf({ ...checked, rulings }, failed, exit, seconds, world)
  const error = errorOf(exit, failed)
  const { prettyText } = await import('../tell/reporters/pretty.ts')
  const texts = textsOf(report, judgements, page => prettyText(report, page))
  return deliver(report, { options, world, error, texts })
}

function errorOf(exit: number, [sentence = '']: readonly string[]): Failure | undefined {
  if (exit === INTERRUPTED) return INTERRUPTION
  return exit === 9 ? { code: 'no-reply', message: sentence } : undefined
}

function textsOf(report: Report, judgements: readonly Judgement[], page: Texts['page']): Texts {
  return {
    page,
    json: error => {
      const exit = error?.code === 'usage' ? USAGE : report.exit // nothing could be written
      return checkText({ ...report, exit }, judgements, toolOf(report.version), error)
    },
    csv: async () => (await import('../tell/check-csv.ts')).checkCsv(report.rulings),
  }
}

function reportOf(
  { rulings, remarks, measured }: Checked,
  failed: readonly string[],
  exit: number,
  seconds: number,
  { version }: World,
): Report {
  const figures = judgedFigures(measured.flatMap(one => one.judgements))
  return { version, command: 'check', rulings, remarks, figures, exit, failed, seconds }
}
