/** The version of the package, wherever this file was compiled to. */

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

export function versionOf(): string {
  const file = createRequire(import.meta.url).resolve('#package')
  const manifest: { readonly version?: unknown } = JSON.parse(readFileSync(file, 'utf8'))
  return String(manifest.version)
}
