/**
 * What operators write in requests: moments, spans, texts. The schema of requests and the command line
 * read them with the same words. Has no clock, so it cannot say what is past.
 */
import { secondsFrom } from '../config/duration.ts'
import { instantFrom } from '../config/instant.ts'
import { isWrong, type Wrong, wrong } from '../fault.ts'

/** No text of a request is longer, in characters. */
export const LONGEST = 255
/** Seconds: no override is planned or lasts longer. A year. */
const FARTHEST = 366 * 86_400

/** When something begins: so many seconds from now, or at a moment in milliseconds. */
export type When = { readonly inSeconds: number } | { readonly atMs: number }

/** Reads `+60s`, `+1h30m` or `2026-12-24T06:00:00Z`. */
export function whenFrom(text: string): When | Wrong {
  if (!text.startsWith('+')) {
    const atMs = instantFrom(text)
    return isWrong(atMs)
      ? wrong(atMs.wrong, 'write +10m, or a moment like 2026-12-24T06:00:00Z')
      : { atMs }
  }
  const inSeconds = within(secondsFrom(text.slice(1)))
  return isWrong(inSeconds) ? inSeconds : { inSeconds }
}

/** Reads how long something lasts, in seconds: at least one, at most a year. */
export function spanFrom(text: string): number | Wrong {
  const seconds = within(secondsFrom(text))
  return seconds === 0 ? wrong(`${text} is no time at all`, 'write at least 1s') : seconds
}

function within(seconds: number | Wrong): number | Wrong {
  if (isWrong(seconds) || seconds <= FARTHEST) return seconds
  return wrong('longer than a year', 'write at most 366d')
}

/** Reads a name, a reason, an author: what it means is not known here. */
export function wordFrom(text: string): string | Wrong {
  if (text === '') return wrong('nothing stands here', 'name something')
  if (text.length <= LONGEST) return text
  return wrong(`a text of ${text.length} characters`, `write at most ${LONGEST}`)
}

/** A digest in base64url. RFC 8555 §8.4. */
export function tokenFrom(text: string): string | Wrong {
  if (/^[\w-]{1,255}$/.test(text)) return text
  return wrong('a token has letters, digits, - and _ only', 'write it as the ACME client gave it')
}
