/**
 * What several commands of `lbdns` have in common on their command lines: which configuration they are
 * about, the question that is explained, and how words are read. What cannot be read is wrong usage.
 */
import { createRequire } from 'node:module'
import { Argument, type Command, InvalidArgumentError, Option } from 'commander'
import { type AddressOctets, addressFrom, prefixFrom } from './config/prefix.ts'
import { nameFromText } from './dns/name.ts'
import { TYPE, typeFromText } from './dns/rrtype.ts'
import type { Asked } from './explain.ts'
import { isWrong, type Wrong, wrong, wrongText } from './fault.ts'

const DEMO = createRequire(import.meta.url).resolve('#data/demo/lbdns.yaml')
const LOOPBACK: AddressOctets = { family: 4, octets: Uint8Array.of(127, 0, 0, 1) }

/** Every command is about one configuration. */
export function about(command: Command): Command {
  return command
    .option('-c, --config <file>', 'the configuration', 'lbdns.yaml')
    .addOption(
      new Option('--demo', 'the demonstration configuration that comes with lbdns').conflicts(
        'config',
      ),
    )
}

export function fileOf(options: { readonly config: string; readonly demo?: true }): string {
  return options.demo ? DEMO : options.config
}

/** A question to be explained. */
export type AskedWords = Omit<Asked, 'client'> & {
  /** As written: an address, a prefix, a country or `none`. */
  readonly client: string
}

/** What is supposed while it is explained. */
export type ExplainWords = {
  readonly seed: number | undefined
  /** Pools and targets to be held to be down. */
  readonly down: readonly string[]
}

export function addQuestion(command: Command): Command {
  return command
    .argument('<name>', 'the name asked for', reading(nameFrom))
    .addArgument(
      new Argument('[type]', 'record type').argParser(reading(typeFrom)).default(TYPE.A, 'A'),
    )
    .addOption(
      new Option('--client <who>', 'whom the resolver tells of: an address, a prefix, DE, none')
        .argParser(reading(clientText))
        .default('none'),
    )
    .addOption(
      new Option('--source <address>', "the resolver's address")
        .argParser(reading(addressFrom))
        .default(LOOPBACK, '127.0.0.1'),
    )
    .option('--down <what>', 'a pool, address or host to be held to be down', each)
    .option('--seed <number>', 'draw the same each time', reading(seedFrom))
}

/** What an action is handed of a command with a question. */
export function explainWords(
  name: Uint8Array,
  type: number,
  options: Pick<AskedWords, 'client' | 'source'> & Partial<ExplainWords>,
): { readonly asked: AskedWords; readonly supposed: ExplainWords } {
  const { client, down = [], seed, source } = options
  return { asked: { name, type, client, source }, supposed: { seed, down } }
}

/** What a reader of text cannot read is wrong usage. */
export function reading<T>(read: (text: string) => T | Wrong): (text: string) => T {
  return text => {
    const value = read(text)
    if (!isWrong(value)) return value
    throw new InvalidArgumentError(wrongText(value))
  }
}

/** A name on a command line is whole, with or without its last dot. */
export function nameFrom(text: string): Uint8Array | Wrong {
  return nameFromText(text.endsWith('.') ? text : `${text}.`, undefined)
}

function typeFrom(text: string): number | Wrong {
  return typeFromText(text) ?? wrong(`${text} is no record type`)
}

/** An option that may stand again and again. */
export function each(text: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, text]
}

/** `5%` or `0.05`. */
export function shareFrom(text: string): number | Wrong {
  const share = text.endsWith('%') ? Number(text.slice(0, -1)) / 100 : Number(text)
  if (text.trim() !== '' && share >= 0 && share <= 1) return share
  return wrong(`${text} is no share`, 'write it like 5% or 0.05')
}

/** What can be a client: countries are looked up where they are known. */
function clientText(text: string): string | Wrong {
  if (/^[A-Za-z]+$/.test(text)) return text
  const prefix = prefixFrom(text)
  return isWrong(prefix) ? prefix : text
}

function seedFrom(text: string): number | Wrong {
  if (/^\d{1,10}$/.test(text) && Number(text) <= 0xffff_ffff) return Number(text)
  return wrong(`${text} is no seed`, 'write a whole number below 4294967296')
}
