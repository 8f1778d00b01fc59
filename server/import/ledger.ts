/**
 * The account an importer keeps while it works: one line for each thing it met. Knows how lines are
 * kept, not what is in them.
 */
import type { Account, Fidelity } from './imported.ts'

/** A place in an original; line 0 is the file as a whole. */
export type Spot = { readonly file: string; readonly line: number }

export type Ledger = {
  readonly accounts: Account[]
  /** All of them as text: the same is said once. */
  readonly said: Set<string>
}

export function openLedger(): Ledger {
  return { accounts: [], said: new Set() }
}

/** Notes what came across as it was. */
export function exact(kept: Ledger, at: Spot, what: string, here = ''): void {
  enter(kept, 'exact', at, what, here)
}

/** Notes what is there, but not quite as it was: `here` says how it differs. */
export function changed(kept: Ledger, at: Spot, what: string, here: string): void {
  enter(kept, 'changed', at, what, here)
}

/** Notes what could not be had: `here` says what to do instead. */
export function unsupported(kept: Ledger, at: Spot, what: string, here: string): void {
  enter(kept, 'unsupported', at, what, here)
}

function enter(kept: Ledger, fidelity: Fidelity, at: Spot, what: string, here: string): void {
  const { file, line } = at
  const text = JSON.stringify([file, line, what, here])
  if (kept.said.has(text)) return
  kept.said.add(text)
  kept.accounts.push({ fidelity, file, line, what, here })
}

/** All accounts. What is said to be exact is left out where something of it is not. */
export function accountsOf({ accounts }: Ledger): Account[] {
  const others = new Map<string, string[]>()
  for (const { fidelity, file, line, what } of accounts) {
    if (fidelity === 'exact') continue
    const key = `${file}:${line}`
    others.set(key, [...(others.get(key) ?? []), what])
  }
  return accounts.filter(({ fidelity, file, line, what }) => {
    if (fidelity !== 'exact') return true
    return !others.get(`${file}:${line}`)?.some(other => other.includes(what))
  })
}
