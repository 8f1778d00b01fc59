/**
 * The account an importer keeps while it works: one line for each thing it met. Knows how lines are
 * kept, not what is in them.
 */
import type { Account, Fidelity } from './imported.ts'

/** A place in an original; line 0 is the file as a whole. */
export type Spot = { readonly file: string; readonly line: number }

export type Ledger = Account[]

/** Notes what came across as it was. */
export function exact(ledger: Ledger, at: Spot, what: string, here = ''): void {
  enter(ledger, 'exact', at, what, here)
}

/** Notes what is there, but not quite as it was: `here` says how it differs. */
export function changed(ledger: Ledger, at: Spot, what: string, here: string): void {
  enter(ledger, 'changed', at, what, here)
}

/** Notes what could not be had: `here` says what to do instead. */
export function unsupported(ledger: Ledger, at: Spot, what: string, here: string): void {
  enter(ledger, 'unsupported', at, what, here)
}

/** The same thing at the same place is said once, however often it is met. */
function enter(ledger: Ledger, fidelity: Fidelity, at: Spot, what: string, here: string): void {
  const { file, line } = at
  const known = ledger.some(
    entry =>
      entry.line === line && entry.file === file && entry.what === what && entry.here === here,
  )
  if (!known) ledger.push({ fidelity, file, line, what, here })
}
