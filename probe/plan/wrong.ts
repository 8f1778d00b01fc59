/** A word of the user's that cannot be used, and what to write instead. Knows no streams. */

export type Wrong = { readonly wrong: string; readonly fix?: string }

export function wrong(what: string, fix?: string): Wrong {
  return fix === undefined ? { wrong: what } : { wrong: what, fix }
}

export function isWrong(value: unknown): value is Wrong {
  return typeof value === 'object' && value !== null && 'wrong' in value
}

/** `what · how to fix` */
export function wrongText(reason: Wrong): string {
  return reason.fix === undefined ? reason.wrong : `${reason.wrong} · ${reason.fix}`
}
