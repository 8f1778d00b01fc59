/**
 * README's examples are true. Every line `$ …` of a console block is run against the demo, and what
 * it prints must be what README shows: `…` stands for anything on a line, and for any lines where it
 * stands alone. Blank lines at the end do not count.
 */
import { chmodSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { folder, LBDNS, LBPROBE, run, stopAll } from '../kit/process.ts'
import { serveDemo } from '../kit/server.ts'

type Example = {
  readonly command: string
  readonly shown: readonly string[]
  readonly line: number
}

/** The commands of all console blocks, with what stands below each. */
function examples(markdown: string): Example[] {
  const found: { command: string; shown: string[]; line: number }[] = []
  let inside = false
  for (const [at, text] of markdown.split('\n').entries()) {
    if (text.startsWith('```')) inside = text === '```console'
    else if (inside && text.startsWith('$ '))
      found.push({ command: text.slice(2), shown: [], line: at + 1 })
    else if (inside) found.at(-1)?.shown.push(text)
  }
  return found
}

/** A pattern for the whole output. */
function pattern(shown: readonly string[]): RegExp {
  const lines = shown.map(line => (line.trim() === '…' ? '(?:.*\\n)*?' : `${lineText(line)}\\n`))
  return new RegExp(`^${lines.join('')}$`)
}

function lineText(line: string): string {
  return line
    .trimEnd()
    .split('…')
    .map(part => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*')
}

/** Output as README can show it: no blanks at the ends of lines, no blank lines at its end. */
function normal(output: string): string {
  const text = output.replace(/[ \t]+$/gm, '').trimEnd()
  return text === '' ? '' : `${text}\n`
}

/** The programs by the names that README uses. */
function shims(): string {
  const script = (file: string) => `#!/bin/sh\nexec '${process.execPath}' '${file}' "$@"\n`
  const made = folder({ lbdns: script(LBDNS), lbprobe: script(LBPROBE) })
  for (const name of ['lbdns', 'lbprobe']) chmodSync(`${made}/${name}`, 0o755)
  return made
}

const EXAMPLES = examples(readFileSync('README.md', 'utf8'))
const path = shims()

beforeAll(async () => {
  await serveDemo()
}, 90_000)
afterAll(stopAll)

describe('README', () => {
  test('has examples, of our programs and dig alone', () => {
    expect(EXAMPLES.length).toBeGreaterThan(5)
    for (const { command } of EXAMPLES) expect(command).toMatch(/^(lbdns|lbprobe|dig) /)
  })

  test.each(EXAMPLES)('line $line: $command', async ({ command, shown }) => {
    const ran = await run('sh', [
      '-c',
      `PATH='${path}':$PATH; NO_COLOR=1; export NO_COLOR; ${command} 2>&1`,
    ])
    expect(normal(ran.stdout)).toMatch(pattern(normal(shown.join('\n')).split('\n').slice(0, -1)))
  })
})
