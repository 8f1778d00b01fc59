/**
 * What the documents of lbprobe are called, each with its version: a later version adds keys, it does
 * not change any. Apart from their shapes, so that who writes one need not load what checks it.
 */

export const DOCUMENT = {
  result: 'lbprobe.result/1',
  recording: 'lbprobe.recording/1',
  map: 'lbprobe.map/1',
  diff: 'lbprobe.diff/1',
  resolver: 'lbprobe.resolver/1',
  check: 'lbprobe.check/1',
  watch: 'lbprobe.watch/1',
  subnets: 'lbprobe.subnets/1',
  explain: 'lbprobe.explain/1',
  checks: 'lbprobe.checks/1',
} as const

/** The document that a command prints: `dns2`, `ecs` and all that have none of their own, a result. */
export function documentOf(command: string): string {
  const own: Readonly<Record<string, string>> = DOCUMENT
  return Object.hasOwn(own, command) ? (own[command] ?? DOCUMENT.result) : DOCUMENT.result
}

/** What wrote a document. */
export function toolOf(version: string): { readonly name: string; readonly version: string } {
  return { name: 'lbprobe', version }
}
