/** What single words of a file of the user's may be: names, types, servers, countries of the table. */

import { readServer } from './ask/server.ts'
import type { Vocabulary } from './checks/shape.ts'
import { readTable } from './plan/panel.ts'
import { isWrong, type Wrong, wrong } from './plan/wrong.ts'
import { readName, readType } from './words.ts'
import type { World } from './world.ts'

export async function vocabulary(world: World): Promise<Vocabulary> {
  const countries = new Set(readTable(await world.table()).map(({ country }) => country))
  return {
    name: text => wrongIn(readName(text)),
    type: text =>
      readType(text) === undefined
        ? wrong(`${text} is no record type`, 'write A, AAAA or another')
        : undefined,
    server: text => wrongIn(readServer(text.replace(/^@/, ''))),
    country: code =>
      countries.has(code.toUpperCase())
        ? undefined
        : wrong(`${code} has no subnets here`, `known: ${[...countries].sort().join(' ')}`),
  }
}

function wrongIn(read: unknown): Wrong | undefined {
  return isWrong(read) ? read : undefined
}
