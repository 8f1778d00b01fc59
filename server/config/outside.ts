/**
 * What checks name that lies outside the operator's file: the certificates of those who sign others,
 * which are read with it, and programs, which are not. What is in them is not looked at here.
 */
import type { At } from '../fault.ts'
import type { Authority } from '../steer/trial.ts'
import type { Path as FilePath } from './config.ts'
import type { Opening } from './named.ts'
import { fileAt, openNamed } from './named.ts'
import type { Shape } from './shape.ts'
import { keysAt } from './source.ts'

/** Files of certificates: their text by path. */
export type Authorities = ReadonlyMap<string, string>

/** Reads them, each for every check that names it. What cannot be read is left out. */
export function readAuthorities(opening: Opening): Authorities {
  const { source } = opening
  const files = keysAt(source, ['checks']).flatMap(
    name => fileAt(['checks', name, 'ca'], source) ?? [],
  )
  const opened = files.flatMap(file => {
    const text = openNamed(file, opening)?.text
    return text === undefined ? [] : [[file.path, text] as const]
  })
  return new Map(opened)
}

/** An authority, where it is named. */
export type AuthorityFile = Authority & { readonly at: At }

export type Outside = {
  readonly authorities: readonly AuthorityFile[]
  readonly programs: readonly FilePath[]
}

/** All that checks name, each as often as it is named. */
export function outsideOf({ checks }: Shape, at: (...path: readonly (string | number)[]) => At) {
  const trials = Object.entries(checks).flatMap(([name, check]) =>
    check.kind === 'one' ? [[name, check.check.trial] as const] : [],
  )
  const authorities = trials.flatMap(([name, trial]) => {
    const ca = 'tls' in trial ? trial.tls?.ca : undefined
    return ca === undefined ? [] : [{ ...ca, at: at('checks', name, 'ca') }]
  })
  const programs = trials.flatMap(([name, trial]) => {
    const [path] = trial.kind === 'exec' ? trial.command : []
    return path === undefined ? [] : [{ path, at: at('checks', name, 'command', 0) }]
  })
  return { authorities, programs } satisfies Outside
}
