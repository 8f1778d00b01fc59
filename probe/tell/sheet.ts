/** A table and its document, in each format: what a command says that measures nothing. */

import { type Cell, csvText } from './csv.ts'
import { cell, markdownTable } from './reporters/markdown.ts'
import { yamlText } from './yaml.ts'

export type Sheet = {
  /** For a person, lines cut to a width where there is one. */
  readonly page: (width: number | undefined) => string
  readonly json: object
  readonly table: { readonly head: readonly string[]; readonly rows: readonly (readonly Cell[])[] }
}

export function sheetText({ json, table }: Sheet, format: 'json' | 'yaml' | 'csv' | 'md'): string {
  switch (format) {
    case 'json':
      return `${JSON.stringify(json)}\n`
    case 'yaml':
      return yamlText(JSON.stringify(json))
    case 'csv':
      return csvText(table.head, table.rows)
    case 'md': {
      const rows = table.rows.map(cells => cells.map(one => cell(String(one ?? ''))))
      return `${markdownTable(table.head.map(cell), rows).join('\n')}\n`
    }
  }
}
