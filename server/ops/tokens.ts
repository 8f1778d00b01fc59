/**
 * The tokens of the admin API: a file of them, one a line, `NAME TOKEN` or only `TOKEN`. No token is
 * kept, only its digest, and none is shown.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { linesOf } from '../config/lines.ts'
import { isWrong, type Problem, problemAt, type Wrong, wrong } from '../fault.ts'
import { readSecret } from './secret.ts'

/** Characters. */
const SHORTEST = 16

export type Token = {
  /** Who has it; absent: nobody says. */
  readonly name: string | undefined
  /** SHA-256. */
  readonly digest: Uint8Array
  /** In its file, from 1. */
  readonly line: number
}

export type Tokens = { readonly tokens: readonly Token[]; readonly warnings: readonly Problem[] }

/** Lines that are wrong are left out, and so is a file that cannot be used. */
export function readTokens(file: string): Tokens {
  const text = readSecret(file)
  const whole = { file, line: 0, column: 0 }
  if (isWrong(text)) return { tokens: [], warnings: [problemAt(whole, closed(text))] }
  const tokens: Token[] = []
  const warnings: Problem[] = []
  for (const { text: written, line } of linesOf(text, /(?:^|\s)#.*$/)) {
    const token = tokenFrom(written, line, tokens)
    if (isWrong(token)) warnings.push(problemAt({ file, line, column: 1 }, token))
    else tokens.push(token)
  }
  if (tokens.length === 0) warnings.push(problemAt(whole, closed(wrong('holds no token'))))
  return { tokens, warnings }
}

/**
 * Finds whose token this is. How long that takes tells nothing: all are compared, and all of each.
 *
 * @returns `undefined` where it is nobody's
 */
export function holderOf(secret: string, tokens: readonly Token[]): Token | undefined {
  const digest = digestOf(secret)
  let holder: Token | undefined
  for (const token of tokens) if (timingSafeEqual(token.digest, digest)) holder = token
  return holder
}

/** Whether the same people may ask; where no token is asked for (absent), all may. */
export function sameTokens(a: Guard, b: Guard): boolean {
  return tokensText(a) === tokensText(b)
}

type Guard = readonly Token[] | undefined

function tokensText(tokens: Guard): string {
  if (tokens === undefined) return 'all'
  return tokens.map(({ digest, name }) => `${digest.join('.')} ${name}`).join('\n')
}

function tokenFrom(written: string, line: number, before: readonly Token[]): Token | Wrong {
  const words = written.trim().split(/\s+/)
  const [name, secret = ''] = words.length === 1 ? [undefined, words[0]] : words
  if (words.length > 2) return wrong('more than a name and a token', 'write NAME TOKEN')
  if (name !== undefined && !/^[^\p{C}]{1,64}$/u.test(name)) {
    return wrong('a name of more than 64 characters, or of some that cannot be shown')
  }
  if (!/^[!-~]+$/.test(secret)) return wrong('a token of others than plain ASCII characters')
  if (secret.length < SHORTEST) {
    return wrong(`a token shorter than ${SHORTEST} characters`, 'make one: openssl rand -hex 32')
  }
  const same = holderOf(secret, before)
  if (same !== undefined) return wrong(`the token of line ${same.line}`, 'give each its own')
  return { name, digest: digestOf(secret), line }
}

function digestOf(secret: string): Uint8Array {
  return createHash('sha256').update(secret).digest()
}

/** Says what becomes of it. */
function closed({ wrong: what, fix = 'mend it, and reload' }: Wrong): Wrong {
  return wrong(`${what}: nobody may use the admin API`, fix)
}
