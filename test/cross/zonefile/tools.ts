/**
 * What BIND, Knot, NSD and ldns make of master files: accepted or refused, and the records of those
 * accepted, all brought into one form by `named-compilezone`. Many files a call: a shell starts the
 * programs, one after the other. Knows nothing of what is in the files.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { putFiles, run } from '../../kit/process.ts'

export const TOOLS = ['bind', 'knot', 'nsd', 'ldns'] as const
export type Tool = (typeof TOOLS)[number]
export const PROGRAMS = [
  'named-compilezone',
  'kzonecheck',
  'nsd-checkzone',
  'ldns-read-zone',
] as const

export type Verdict = {
  readonly isAccepted: boolean
  /** Records in lower case, sorted; absent where the tool prints none. */
  readonly records: readonly string[] | undefined
}

/** `$o` is the origin, `$f` the file; what it prints goes to `$f.<tool>`. */
const COMMANDS: Readonly<Record<Tool, string>> = {
  bind: 'named-compilezone -q -i local -k ignore -s full -o $f.bind $o $f',
  knot: 'kzonecheck -o $o $f',
  nsd: 'nsd-checkzone -p $o $f >$f.nsd',
  ldns: 'ldns-read-zone $f >$f.ldns',
}

/** Prints in one form what another one printed. */
const FORM = 'named-compilezone -q -i none -k ignore -n ignore -r ignore -s full -o $f.form $o $f'

/** Runs one tool over files of a folder; what came back has their order. */
export async function judge(
  tool: Tool,
  where: string,
  origin: string,
  files: readonly string[],
): Promise<Verdict[]> {
  const codes = await runOver(COMMANDS[tool], where, origin, files)
  if (tool === 'knot') return codes.map(code => ({ isAccepted: code === 0, records: undefined }))
  const good = files.filter((_, at) => codes[at] === 0)
  const printed = await recordsIn(
    where,
    origin,
    good.map(file => `${file}.${tool}`),
  )
  return files.map((file, at) => ({
    isAccepted: codes[at] === 0,
    records: printed.get(`${file}.${tool}`),
  }))
}

/** The records of files that programs printed; none of a file that BIND will not read. */
export async function recordsIn(
  where: string,
  origin: string,
  files: readonly string[],
): Promise<Map<string, readonly string[]>> {
  const codes = await runOver(FORM, where, origin, files)
  const read = files.filter((_, at) => codes[at] === 0)
  return new Map(read.map(file => [file, linesOf(join(where, `${file}.form`))]))
}

function linesOf(path: string): string[] {
  const lines = readFileSync(path, 'latin1').toLowerCase().split('\n')
  return [
    ...new Set(lines.filter(line => line !== '').map(line => line.replace(/\s+/g, ' '))),
  ].sort()
}

async function runOver(
  command: string,
  where: string,
  origin: string,
  files: readonly string[],
): Promise<number[]> {
  if (files.length === 0) return []
  const script = `cd ${where}; export PATH=$PATH:/usr/sbin; o=${origin}
while read f; do timeout 10 ${command} >/dev/null 2>&1; echo $?; done`
  // The redirect to a file comes first in a command that prints.
  const safe = script.replace(/>(\$f\.\w+) >\/dev\/null/, '>$1')
  const list = `list-${files[0]}-${command.slice(0, 8).trim()}.txt`
  putFiles(where, { [list]: `${files.join('\n')}\n` })
  const { stdout } = await run('sh', ['-c', `(${safe}) <${join(where, list)}`])
  return stdout.trim().split('\n').map(Number)
}
