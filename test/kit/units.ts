/** Files of systemd as data: sections with their lines in order. Reads, and knows no key. */

export type Line = { readonly section: string; readonly key: string; readonly value: string }

/** @param text without continued lines */
export function unitLines(text: string): Line[] {
  let section = ''
  return text.split('\n').flatMap(line => {
    const [, name] = /^\[(\w+)\]$/.exec(line) ?? []
    section = name ?? section
    const [, key, value = ''] = /^(\w+)=(.*)$/.exec(line) ?? []
    return key === undefined ? [] : [{ section, key, value }]
  })
}

/** The fenced blocks of a language in a text, in order. */
export function fenced(text: string, language: string): string[] {
  const blocks = text.split('```').filter((_, at) => at % 2 === 1)
  return blocks.flatMap(block =>
    block.startsWith(`${language}\n`) ? block.slice(language.length + 1) : [],
  )
}
