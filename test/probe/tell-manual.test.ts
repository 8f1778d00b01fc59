/** The man page and the completions, held against the table of commands and read by the real shells. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { COMMANDS } from '../../probe/commands.ts'
import { completionText, type SHELLS } from '../../probe/tell/completion.ts'
import { manText } from '../../probe/tell/man.ts'
import { flagEntry, type Manual } from '../../probe/tell/manual.ts'

const FLAGS = [
  ['-p, --port <number>', { short: '-p', long: '--port', value: 'number' }],
  ['--seed <number>', { short: undefined, long: '--seed', value: 'number' }],
  ['-4, --ipv4', { short: '-4', long: '--ipv4', value: undefined }],
  ['--no-progress', { short: undefined, long: '--no-progress', value: undefined }],
] as const

test.each(FLAGS)('%s', (spelt, wanted) => {
  expect(flagEntry(spelt, 'help', [])).toMatchObject(wanted)
})

/** What would trip a shell or roff. */
const NASTY: Manual = {
  program: 'lbprobe',
  version: '1.2.3',
  does: 'Tells it.',
  commands: [
    {
      name: 'ecs',
      does: "It's [real] or: 50 % \\ fake",
      usage: '[options] name…',
      flags: [
        flagEntry('-c, --color <when>', "don't: [ask] \\me", ['auto', 'never']),
        flagEntry('--dry-run', '.first', []),
        flagEntry('-o, --output <file>', 'a file', []),
      ],
      more: "\n'quoted at the beginning\nof a line\n\n.dotted\n",
      words: [],
    },
    {
      name: 'completion',
      does: 'x',
      usage: 'bash|zsh',
      flags: [],
      more: '',
      words: ['bash', 'zsh'],
    },
  ],
}

const FOLDER = mkdtempSync(join(tmpdir(), 'lbprobe-shell-'))

function has(program: string): boolean {
  return spawnSync(program, ['--version']).error === undefined
}

function saved(shell: (typeof SHELLS)[number]): string {
  const path = join(FOLDER, `completion.${shell}`)
  writeFileSync(path, completionText(shell, NASTY))
  return path
}

describe('bash', () => {
  const CASES = [
    [['lbprobe', 'e'], 'ecs'],
    [['lbprobe', 'ecs', '--c'], '--color'],
    [['lbprobe', 'ecs', '--color', 'n'], 'never'],
    [['lbprobe', 'ecs', '-c', ''], 'auto never'],
    [['lbprobe', 'ecs', '--output', 'x'], ''],
    [['lbprobe', 'completion', 'z'], 'zsh'],
    [['lbprobe', 'nosuch', '--c'], ''],
  ] as const

  test.each(CASES)('%j offers %j', (words, offered) => {
    const last = words.length - 1
    const script = `source ${saved('bash')}
COMP_WORDS=(${words.map(word => `'${word}'`).join(' ')}) COMP_CWORD=${last}
_lbprobe lbprobe '${words[last]}' '${words[last - 1]}'
echo "\${COMPREPLY[*]}"`
    const { stdout, stderr } = spawnSync('bash', ['-uc', script], { encoding: 'utf8' })
    expect(stderr).toBe('')
    expect(stdout.trim()).toBe(offered)
  })
})

describe.skipIf(!has('zsh'))('zsh', () => {
  test('reads it, and completes a command, a flag and its value', () => {
    const drive = `
zmodload zsh/zpty
zpty z 'TERM=dumb PS1=">" zsh -f -i'
zpty -w z 'autoload -Uz compinit; compinit -D -u; zstyle ":completion:*" list-prompt ""; source ${saved('zsh')}'
zpty -w z 'lbprobe() { print -r -- "given: $*." }'
zpty -w z $'lbprobe ec\\t--col\\tne\\t'
zpty -r z out '*given: [a-z]*.*'
print -r -- $out`
    const { stdout } = spawnSync('zsh', ['-fc', drive], { encoding: 'utf8', timeout: 20_000 })
    expect(stdout).toContain('given: ecs --color never.')
  })
})

describe.skipIf(!has('fish'))('fish', () => {
  const CASES = [
    ['lbprobe e', /^ecs\tIt's \[real\] or: 50 % \\ fake$/m],
    ['lbprobe ecs --c', /^--color\tdon't: \[ask\] \\me$/m],
    ['lbprobe ecs --color n', /^never/m],
    ['lbprobe completion z', /^zsh/m],
  ] as const

  test.each(CASES)('%s', (line, offered) => {
    const script = `source ${saved('fish')}; complete -C '${line}'`
    const { stdout, stderr } = spawnSync('fish', ['--no-config', '-c', script], {
      encoding: 'utf8',
    })
    expect(stderr).toBe('')
    expect(stdout).toMatch(offered)
  })
})

describe('the man page', () => {
  const text = manText(NASTY)

  test('begins no line with a dot or a quote that is not a macro', () => {
    for (const line of text.split('\n'))
      expect(line).not.toMatch(/^(\.(?!(TH|SH|SS|TP|PP|B|br)\b)|')/)
  })

  test.skipIf(!has('groff'))('groff has nothing to say', () => {
    const { stderr, stdout } = spawnSync('groff', ['-man', '-Tutf8', '-ww', '-z'], {
      input: text,
      encoding: 'utf8',
    })
    expect(stderr + stdout).toBe('')
  })
})

test('every command of the table has a page in it: a name, what it does, and flags in one form', () => {
  for (const { name, does, flags } of COMMANDS) {
    expect(name).toMatch(/^[a-z][a-z0-9]*$/)
    expect(does).toMatch(/^[A-Z]/)
    for (const [spelt] of flags)
      expect(flagEntry(spelt, '', []).long, spelt).toMatch(/^--[a-z0-9-]+$/)
  }
})
