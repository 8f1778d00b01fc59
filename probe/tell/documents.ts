/**
 * What the documents of lbprobe are called, each with its version: a later version adds keys, it does
 * not change any. Apart from their shapes, so that who writes one need not load what checks it.
 */

export const DOCUMENT = {
  result: 'lbprobe.result/1',
  recording: 'lbprobe.recording/1',
} as const
