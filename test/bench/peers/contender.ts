/** A server that takes part in the bench: how it is configured and started, and what can be asked of it. */
import type { Strictness } from '../load/check.ts'
import type { Site, SiteKind } from '../site/site.ts'

export type Contender = {
  /** In the tables. */
  readonly name: string
  /** What has to be installed. */
  readonly program: string
  readonly serves: readonly SiteKind[]
  /** Answers the steered name by client; if not, it may still take part as a floor or by answering alike. */
  readonly tailors: boolean
  readonly tcp: boolean
  /** How far its answers are right, of plain names and of the steered one. */
  readonly strictness: { readonly plain: Strictness; readonly steered: Strictness }
  /**
   * Writes its configuration.
   *
   * @param folder its own, empty and there
   * @returns the command that serves in the foreground on 127.0.0.1, without the program
   */
  readonly prepare: (site: Site, folder: string, port: number) => Promise<readonly string[]>
}
