/** `ctl explain`: a question put to the line that serves, with the board that the server has now. */
import { boardFrom } from './board-told.ts'
import { authorOf, socketOf, told } from './command-ctl.ts'
import { explained } from './command-tell.ts'
import { ask } from './ctl-client.ts'
import type { Ctl } from './options-ctl.ts'
import { good, Refused } from './output.ts'
import type { BoardTold } from './tell/control/told.ts'

export const explain: Ctl['explain'] = async (asked, options) => {
  const reply = await ask(await socketOf(options), { kind: 'board', author: authorOf(options) })
  const board = told(reply) as BoardTold
  await explained(asked, options, ({ world: { digest, steering } }) => {
    if (digest === board.digest) return good(boardFrom(board, steering))
    const what = `the server serves another configuration (digest ${board.digest}) than ${options.file}`
    throw new Refused(`${what} (${digest}) · reload it first, or name with -c the file it runs`)
  })
}
