/**
 * The schema of `admin`: where the admin API is, and who may use it. Whoever can ask it can steer, so
 * that it is open only to this machine, or to who has a token.
 */
import * as z from 'zod'
import { type At, isWrong, type Wrong, wrong } from '../fault.ts'
import { ANY_MAPPING, keyed, reading, refuse } from './brick.ts'
import type { AdminPlace } from './config.ts'
import { type ListenAddress, listenFrom } from './listen.ts'
import { isLoopback } from './loopback.ts'
import { path } from './shape-scalar.ts'

const PORT = 8053
const USUAL = '127.0.0.1'

export function adminShape() {
  const withOptions = keyed({
    listen: reading(z.string(), placeFrom)
      .prefault(USUAL)
      .describe('The address, and the port: 8053 where there is none. Default: 127.0.0.1:8053.'),
    token_file: path
      .optional()
      .describe(
        'A file of tokens, one a line, with the name of who has it before it or without, and nobody ' +
          'else may read it. It is read at each reload. Needed where others than this machine get ' +
          'there. Default: no token is asked for.',
      ),
  }).superRefine(guarded, ANY_MAPPING)
  return z.union([reading(z.string(), alone), withOptions], {
    error: 'an address, or a mapping with listen and token_file',
  })
}

type WrittenAdmin = z.output<ReturnType<typeof adminShape>>

/** @param at where the value at a path stands */
export function adminOf(written: WrittenAdmin, at: (...path: readonly string[]) => At): AdminPlace {
  if (!('listen' in written)) return { ...written, at: at('admin') }
  const { listen, token_file: file } = written
  const tokenFile = file === undefined ? undefined : { path: file, at: at('admin', 'token_file') }
  return { ...listen, tokenFile, at: at('admin', 'listen') }
}

function placeFrom(text: string): ListenAddress | Wrong {
  return listenFrom(text, PORT)
}

/** An address without a token beside it. */
function alone(text: string): ListenAddress | Wrong {
  const place = placeFrom(text)
  if (isWrong(place) || isLoopback(place.host)) return place
  return unguarded(place, `write {listen: "${text}", token_file: …}`)
}

function guarded(admin: Readonly<Record<string, unknown>>, context: z.core.$RefinementCtx): void {
  const place = admin.listen as ListenAddress | undefined
  if (place?.host === undefined || Object.hasOwn(admin, 'token_file')) return
  if (isLoopback(place.host)) return
  const reason = unguarded(place, 'add token_file: with the path of a file of tokens')
  refuse(context, ['listen'], { reason, spot: 'value', needs: ['token_file'] })
}

function unguarded({ host }: ListenAddress, fix: string): Wrong {
  return wrong(`others than this machine may reach ${host}, and could steer`, fix)
}
