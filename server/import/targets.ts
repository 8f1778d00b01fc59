/**
 * Texts that can be handed out, and addresses to listen on: whether our own configuration takes
 * them.
 */
import { listenFrom, listenKey } from '../config/listen.ts'
import { hostFrom } from '../config/owner.ts'
import { addressFrom, looksLikeAddress } from '../config/prefix.ts'
import { isWrong } from '../fault.ts'
import type { Draft, DraftTarget } from './draft.ts'
import { type Ledger, type Spot, unsupported } from './ledger.ts'

/** The family of an address; `undefined` where a text is none. */
export function familyOf(text: string): 'ipv4' | 'ipv6' | undefined {
  const address = addressFrom(text)
  if (isWrong(address)) return undefined
  return address.family === 4 ? 'ipv4' : 'ipv6'
}

/** An address as a target. */
export function addressTarget(text: string, weight = 1): DraftTarget | undefined {
  const kind = familyOf(text)
  return kind === undefined ? undefined : { kind, text: text.toLowerCase(), weight }
}

/** A host name, absolute with or without the last dot, as a target. */
export function hostTarget(text: string, weight = 1): DraftTarget | undefined {
  const name = `${text.replace(/\.$/, '')}.`
  return looksLikeAddress(name) || isWrong(hostFrom(name))
    ? undefined
    : { kind: 'host', text: name, weight }
}

/** Leaves out what cannot be listened on; listens everywhere where nothing is left. */
export function mendListen(draft: Draft, ledger: Ledger, at: Spot): void {
  const seen = new Set<string>()
  const kept = draft.listen.filter(text => {
    const address = listenFrom(text)
    if (isWrong(address)) unsupported(ledger, at, `listen ${text}`, `left out: ${address.wrong}`)
    if (isWrong(address) || seen.has(listenKey(address))) return false
    seen.add(listenKey(address))
    return true
  })
  draft.listen.splice(0, draft.listen.length, ...kept)
  if (kept.length === 0) draft.listen.push('0.0.0.0:53', '[::]:53')
}
