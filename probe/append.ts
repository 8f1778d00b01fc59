/** Text added to the end of a file as it comes, in order, one write at a time. */

/** Adds text to the end of a file; fails as the system says. */
export type Appended = (path: string, text: string) => Promise<void>

export type Appender = {
  readonly add: (text: string) => void
  /** Waits until all is written; what went wrong first, if anything. */
  readonly end: () => Promise<unknown>
}

/**
 * @param path absent: nothing is kept
 * @param lost told at once of what goes wrong first, after which nothing more is written
 */
export function appender(
  path: string | undefined,
  append: Appended,
  lost: (cause: unknown) => void = () => undefined,
): Appender {
  let waiting = ''
  let failed: unknown
  let writing: Promise<void> | undefined
  const write = async (): Promise<void> => {
    while (path !== undefined && waiting !== '' && failed === undefined) {
      const text = waiting
      waiting = ''
      await append(path, text).catch(cause => {
        failed = cause ?? new Error('cannot be written')
        lost(failed)
      })
    }
    writing = undefined
  }
  return {
    add: text => {
      if (path === undefined || failed !== undefined) return
      waiting += text
      writing ??= write()
    },
    end: async () => {
      await writing
      return failed
    },
  }
}
