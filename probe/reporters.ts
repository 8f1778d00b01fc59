/**
 * Writes what reporters make of a run: each to its file or to stdout. A reporter is opened only when
 * it is asked for.
 */

import type { ReporterName, ReporterOption } from './options/reporters.ts'
import { reasonOf } from './panel.ts'
import { type Wrong, wrong } from './plan/wrong.ts'
import type { PersonOptions as Page } from './tell/person.ts'
import type { Report } from './tell/reporters/report.ts'
import { PLAIN } from './tell/style.ts'
import type { World } from './world.ts'

/** What a reporter that only knows rulings makes of them; `pretty` has a page besides. */
type Teller = (report: Report) => string

const TELLERS: Readonly<Record<Exclude<ReporterName, 'pretty'>, () => Promise<Teller>>> = {
  junit: async () => (await import('./tell/reporters/junit.ts')).junitText,
  sarif: async () => (await import('./tell/reporters/sarif.ts')).sarifText,
  github: async () => (await import('./tell/reporters/github.ts')).githubText,
  tap: async () => (await import('./tell/reporters/tap.ts')).tapText,
  nagios: async () => (await import('./tell/reporters/nagios.ts')).nagiosText,
  prom: async () => (await import('./tell/reporters/prom.ts')).promText,
  markdown: async () => (await import('./tell/reporters/markdown.ts')).markdownText,
}

/** How a run is told to a person, which is the command's own affair. */
export type Pretty = (page: Page) => string

/** Writes all reports; what cannot be written is the user's to mend. */
export async function tellAll(
  reporters: readonly ReporterOption[],
  report: Report,
  pretty: Pretty,
  page: Page,
  world: World,
): Promise<Wrong[]> {
  const failed: Wrong[] = []
  for (const { name, file } of reporters) {
    const own = file === undefined ? page : { style: PLAIN, width: undefined }
    const text = name === 'pretty' ? pretty(own) : (await TELLERS[name]())(report)
    if (file === undefined) world.out.write(text)
    else failed.push(...(await written(`--reporter ${name}=${file}`, file, text, world)))
    if (name === 'github') failed.push(...(await summarise(report, world)))
  }
  return failed
}

/** What a step of GitHub Actions shows on the page of the run; other text may stand there already. */
async function summarise(report: Report, world: World): Promise<readonly Wrong[]> {
  const file = world.environment.GITHUB_STEP_SUMMARY
  if (file === undefined || file === '') return []
  const text = (await TELLERS.markdown())(report)
  const before = await world.readText(file).catch(() => '')
  return written('GITHUB_STEP_SUMMARY', file, before + text, world)
}

async function written(
  what: string,
  file: string,
  text: string,
  world: World,
): Promise<readonly Wrong[]> {
  try {
    await world.writeText(file, text)
    return []
  } catch (cause) {
    return [wrong(`${what}: ${reasonOf(cause)}`, 'name a file that can be written')]
  }
}

/** Whether a report goes to stdout. */
export function takesStdout(reporters: readonly ReporterOption[]): boolean {
  return reporters.some(({ name, file }) => file === undefined && name !== 'github')
}

/** The exit code as the reader of the reports knows it. */
export async function exitFor(reporters: readonly ReporterOption[], exit: number): Promise<number> {
  if (!reporters.some(({ name }) => name === 'nagios')) return exit
  const { nagiosExit } = await import('./tell/reporters/nagios.ts')
  return nagiosExit(exit)
}
