/** The command line of the bench: what may be written. Does nothing. */
import { Argument, Command, InvalidArgumentError } from 'commander'

export type Options = {
  readonly rounds: number
  readonly seconds: number
  readonly minutes: number
  readonly servers: readonly string[]
  /** Where to write everything as JSON. */
  readonly json?: string
}

/**
 * @param known names of workloads
 * @returns the workloads asked for, all of them where none was named
 */
export function parse(
  argv: readonly string[],
  known: readonly string[],
): { names: readonly string[]; options: Options } {
  const command = new Command('npm run bench --')
    .description('Measures lbdns beside its peers. See test/bench/README.md.')
    .addArgument(new Argument('[workload...]', 'default: all').choices(known))
    .option('--rounds <n>', 'rounds, alternating between servers', positive, 5)
    .option('--seconds <n>', 'seconds each server is measured in a round', positive, 4)
    .option('--minutes <n>', 'how long the soak takes', positive, 10)
    .option('--servers <names>', 'only these, with commas between', listed, [])
    .option('--json <file>', 'write all rounds, rows and targets there')
    .parse(argv)
  const asked = command.processedArgs[0] as readonly string[] | undefined
  const names = asked === undefined || asked.length === 0 ? known : asked
  return { names, options: command.opts() }
}

function positive(text: string): number {
  const value = Number(text)
  if (value > 0) return value
  throw new InvalidArgumentError('a number above 0')
}

function listed(text: string): readonly string[] {
  return text.split(',')
}
