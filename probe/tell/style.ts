/** Bold and colour as functions of text. Plain leaves text alone, so plain is plain. */

export type Style = {
  readonly bold: (text: string) => string
  readonly faint: (text: string) => string
  readonly good: (text: string) => string
  readonly bad: (text: string) => string
  readonly doubtful: (text: string) => string
}

const same = (text: string): string => text

export const PLAIN: Style = { bold: same, faint: same, good: same, bad: same, doubtful: same }

/** ECMA-48 select graphic rendition. */
function rendition(on: number, off: number): (text: string) => string {
  return text => `\u001b[${on}m${text}\u001b[${off}m`
}

export const COLOR: Style = {
  bold: rendition(1, 22),
  faint: rendition(2, 22),
  good: rendition(32, 39),
  bad: rendition(31, 39),
  doubtful: rendition(33, 39),
}
