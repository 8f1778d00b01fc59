/** A JSON document as YAML 1.2, which older readers understand the same way. */

import { stringify } from 'yaml'

/** Words that YAML 1.1 takes for something else stand in quotes: the region of Norway is no `false`. */
const STYLE = { compat: 'yaml-1.1', aliasDuplicateObjects: false, lineWidth: 0 } as const

/** @param json a document of ours */
export function yamlText(json: string): string {
  return stringify(JSON.parse(json), STYLE)
}
