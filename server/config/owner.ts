/**
 * Names in an operator's file: owners that are steered and hosts that are handed out. All of them
 * are absolute, with or without the last dot. Answers are wire octets.
 */
import { canonical, type Name, nameFromText, nameText, parentOf, ROOT } from '../dns/name.ts'
import { isWrong, type Wrong, wrong } from '../fault.ts'

/** Reads the owner of a steered name; its first label may be `*`. RFC 4592 §2.1.1. */
export function ownerFrom(text: string): Name | Wrong {
  const wire = absolute(text)
  if (isWrong(wire)) return wire
  if (nameText(parentOf(wire)).split('.').includes('*')) {
    return wrong(`${text} has * where no wildcard can be`, 'only the first label may be *')
  }
  return canonical(wire)
}

/** The canonical text of an owner: equal owners have equal texts. */
export function ownerKey(text: string): string {
  const owner = ownerFrom(text)
  return isWrong(owner) ? text : nameText(owner)
}

/** Reads the name of a host that is handed out as a CNAME. Case is kept. */
export function hostFrom(text: string): Uint8Array | Wrong {
  const wire = absolute(text)
  if (isWrong(wire)) return wire
  if (!/^[\w.-]+$/.test(text)) {
    return wrong(`${text} is not a host name`, 'a host name has letters, digits, - and _ only')
  }
  if (text.includes('.')) return wire
  const fix = `write it in full, like ${text}.example.com, or ${text}. if that is the whole name`
  return wrong(`${text} has one label only, and names here are absolute`, fix)
}

function absolute(text: string): Uint8Array | Wrong {
  if (text === '' || text === '.' || text === '@') {
    return wrong(`"${text}" does not name anything`, 'write the whole name, like www.example.com')
  }
  if (!/^[!-~]+$/.test(text)) {
    return wrong(`${text} has characters that names cannot hold`, 'write IDNs in their xn-- form')
  }
  return nameFromText(text, ROOT)
}
