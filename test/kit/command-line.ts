/** What our own command line makes of the words that a unit or a container has. */
import type { Commands } from '../../server/options.ts'
import { program } from '../../server/options.ts'

export type Understood = { readonly command: string; readonly given: unknown }

/** Which command is called with what; throws where the words are wrong. */
export async function understood(words: readonly string[]): Promise<Understood> {
  let called: Understood | undefined
  const hears = (command: string) => {
    return async (...given: readonly unknown[]) => {
      called = { command, given: given.at(-1) }
    }
  }
  const names = ['run', 'check', 'explain', 'map', 'diff', 'import'] as const
  const commands = Object.fromEntries(names.map(name => [name, hears(name)]))
  await program(commands as unknown as Commands).parseAsync([...words], { from: 'user' })
  if (called === undefined) throw new Error(`${words.join(' ')} calls nothing`)
  return called
}
