/**
 * What an importer makes of another server's files: our configuration, and an honest account of
 * what in it is as it was, what is not, and what could not be had.
 */

/** How well one thing came across. */
export type Fidelity = 'exact' | 'changed' | 'unsupported'

/** One line of the report. */
export type Account = {
  readonly fidelity: Fidelity
  /** A place in the original; line 0 is the file as a whole. */
  readonly file: string
  readonly line: number
  /** What it is there, in the original's words. */
  readonly what: string
  /** What became of it here; empty where it is exact and there is nothing to say. */
  readonly here: string
}

export type Imported = {
  /** A whole `lbdns.yaml`, commented. */
  readonly config: string
  /** Files that it names, by path: zones, networks, latencies. */
  readonly files: ReadonlyMap<string, string>
  readonly report: readonly Account[]
}

/** A file of the original, as text. */
export type Original = { readonly file: string; readonly text: string }

/** Reads a file that an original names, relative to it; `undefined` where there is none. */
export type ReadOriginal = (path: string, from: string) => Original | undefined
