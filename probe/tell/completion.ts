/**
 * Completions for three shells: commands, their flags, and values where there are few. Names and
 * servers are the user's own; nothing is looked up while completing.
 */

import type { CommandPage, FlagEntry, Manual } from './manual.ts'

export const SHELLS = ['bash', 'zsh', 'fish'] as const

export type Shell = (typeof SHELLS)[number]

/** The script that a shell reads. */
export function completionText(shell: Shell, manual: Manual): string {
  return `${SCRIPTS[shell](manual).join('\n')}\n`
}

const SCRIPTS: Readonly<Record<Shell, (manual: Manual) => readonly string[]>> = {
  bash: bashLines,
  zsh: zshLines,
  fish: fishLines,
}

function bashLines({ program, commands }: Manual): readonly string[] {
  return [
    `# completion of ${program} for bash: source it, or put it into bash-completion's folder`,
    `_${program}() {`,
    '  local word=$2 before=$3 offered=',
    '  if [ "$COMP_CWORD" -eq 1 ]; then',
    `    offered="${commands.map(({ name }) => name).join(' ')} --help --version"`,
    `  else case \${COMP_WORDS[1]} in`,
    ...commands.flatMap(bashCase),
    '  esac; fi',
    '  COMPREPLY=($(compgen -W "$offered" -- "$word"))',
    '}',
    `complete -o default -F _${program} ${program}`,
  ]
}

function bashCase({ name, flags, words }: CommandPage): readonly string[] {
  const valued = flags.filter(({ value }) => value !== undefined)
  const all = flags.flatMap(({ short, long }) => (short === undefined ? [long] : [short, long]))
  return [
    `  ${name}) case $before in`,
    ...valued.map(
      flag => `    ${spellings(flag).join('|')}) offered="${flag.values.join(' ')}" ;;`,
    ),
    `    *) offered="${[...words, ...all, '--help'].join(' ')}" ;;`,
    '    esac ;;',
  ]
}

function zshLines({ program, commands }: Manual): readonly string[] {
  return [
    `#compdef ${program}`,
    `_${program}() {`,
    '  local -a commands=(',
    ...commands.map(({ name, does }) => `    ${quoted(`${name}:${does}`)}`),
    '  )',
    '  if (( CURRENT == 2 )); then _describe -t commands command commands; return; fi',
    '  local command=$words[2]',
    '  shift words; (( CURRENT-- ))',
    '  case $command in',
    ...commands.flatMap(zshCase),
    '  esac',
    '}',
    `if [ "$funcstack[1]" = "_${program}" ]; then _${program} "$@"; else compdef _${program} ${program}; fi`,
  ]
}

function zshCase({ name, flags, words }: CommandPage): readonly string[] {
  const rest = words.length === 0 ? '*: :_files' : `*: :(${words.join(' ')})`
  return [
    `  ${name}) _arguments -s \\`,
    ...flags.flatMap(flag => spellings(flag).map(spelt => `    ${zshFlag(spelt, flag)} \\`)),
    `    ${quoted('--help[help]')} \\`,
    `    ${quoted(rest)} ;;`,
  ]
}

function zshFlag(spelt: string, { help, value, values }: FlagEntry): string {
  const about = help.replace(/[[\]\\:]/g, '\\$&')
  const taken =
    value === undefined
      ? ''
      : `:${value}:${values.length === 0 ? '_files' : `(${values.join(' ')})`}`
  return quoted(`*${spelt}[${about}]${taken}`)
}

function fishLines({ program, commands }: Manual): readonly string[] {
  const none = `__fish_use_subcommand`
  return [
    `# completion of ${program} for fish: put it into ~/.config/fish/completions/${program}.fish`,
    `complete -c ${program} -n ${none} -f -l help -d 'help'`,
    `complete -c ${program} -n ${none} -f -l version -s V -d 'version'`,
    ...commands.flatMap(page => [
      `complete -c ${program} -n ${none} -f -a ${page.name} -d ${quoted(page.does)}`,
      ...fishCommand(program, page),
    ]),
  ]
}

function fishCommand(program: string, { name, flags, words }: CommandPage): readonly string[] {
  const here = `complete -c ${program} -n ${quoted(`__fish_seen_subcommand_from ${name}`)}`
  const free = words.length === 0 ? [] : [`${here} -f -a ${quoted(words.join(' '))}`]
  return [...free, ...flags.map(flag => `${here} ${fishFlag(flag)}`)]
}

function fishFlag({ short, long, value, values, help }: FlagEntry): string {
  const names = short === undefined ? [] : [`-s ${short.slice(1)}`]
  const taken =
    value === undefined ? [] : values.length === 0 ? ['-r'] : [`-x -a ${quoted(values.join(' '))}`]
  return [...names, `-l ${long.slice(2)}`, ...taken, `-d ${quoted(help)}`].join(' ')
}

function spellings({ short, long }: FlagEntry): readonly string[] {
  return short === undefined ? [long] : [short, long]
}

/** In single quotes, as all three shells read them. */
function quoted(text: string): string {
  return `'${text.replace(/'/g, "'\\''")}'`
}
