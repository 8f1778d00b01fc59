/** Words, lists and remarks as YAML that people like to read; what could be misread is in quotes. */

/** Words that YAML, or an older YAML, takes for something else. */
const TAKEN = /^(true|false|null|yes|no|on|off|y|n)$/i
const PLAIN = /^([a-z_][a-z0-9._-]*|[0-9]+(\.[0-9]+){3}(\/[0-9]+)?)$/i

export function word(text: string): string {
  return PLAIN.test(text) && !TAKEN.test(text) ? text : JSON.stringify(text)
}

export function flow(words: readonly string[]): string {
  return `[${words.map(word).join(', ')}]`
}

/** `key: value`, and what is said of it in a remark. */
export function pair(key: string, value: string, note = ''): string {
  return note === '' ? `${key}: ${value}` : `${key}: ${value} ${remark(note)}`
}

/** A remark ends where the line does. */
export function remark(text: string): string {
  return `# ${text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '?')}`
}
