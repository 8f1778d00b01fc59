/** Secrets of DNS cookies, as an operator writes them: in the file itself, or in one that it names. */
import { hex } from '../dns/octets.ts'
import { isWrong, problemAt, type Wrong, wrong } from '../fault.ts'
import { linesOf } from './lines.ts'
import { fileAt, type Opening, openNamed } from './named.ts'

/** Reads 32 hex digits: a key of SipHash has 16 octets. */
export function secretFrom(text: string): Uint8Array | Wrong {
  if (/^[0-9a-fA-F]{32}$/.test(text)) return hex(text)
  // Not repeated: it may be one, mistyped.
  return wrong(`a secret of ${text.length} characters`, 'write 32 hex digits: openssl rand -hex 16')
}

/** The secrets of the file that is named, in order; `undefined` where none is. */
export function secretsInFile(opening: Opening): readonly Uint8Array[] | undefined {
  const { remarks, source } = opening
  const named = fileAt(['cookies', 'secrets', 'file'], source)
  const opened = named && openNamed(named, opening)
  if (named === undefined || opened === undefined) return undefined
  const secrets: Uint8Array[] = []
  for (const { text, line } of linesOf(opened.text, /#.*$/)) {
    const secret = secretFrom(text.trim())
    const column = text.search(/\S/) + 1
    if (!isWrong(secret)) secrets.push(secret)
    else remarks.problems.push(problemAt({ file: opened.file, line, column }, secret))
  }
  if (secrets.length > 0) return secrets
  remarks.problems.push(problemAt(named.at, wrong(`${named.path} holds no secret`)))
  return undefined
}
