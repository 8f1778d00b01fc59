/** `import`: another server's files are brought over, and it is said what became of each part. */
import { isWrong, type Wrong, wrongText } from './fault.ts'
import type { Imported } from './import/imported.ts'
import { reportJson, reportText } from './import/report.ts'
import { importFiles, writeImported } from './importing.ts'
import type { Commands } from './options.ts'
import { print, Refused } from './output.ts'
import { counted } from './tell/figures.ts'

export const importing: Commands['import'] = async (format, files, { out, json }) => {
  const imported = importFiles(format, files)
  if (isRefusal(imported)) {
    for (const one of imported) process.stderr.write(`${wrongText(one)}\n`)
    throw new Refused(counted(imported.length, 'problem'))
  }
  const report = json ? reportJson(imported.report) : reportText(imported.report)
  if (out === undefined) {
    await print([imported.config])
    process.stderr.write(report + filesText(imported))
    return
  }
  const flaw = writeImported(imported, out)
  if (isWrong(flaw)) throw new Refused(wrongText(flaw))
  await print([report])
}

function isRefusal(imported: Imported | readonly Wrong[]): imported is readonly Wrong[] {
  return Array.isArray(imported)
}

/** What stdout had no room for. */
function filesText({ files }: Imported): string {
  if (files.size === 0) return ''
  return `\nThe configuration names files; --out FOLDER writes them: ${[...files.keys()].join(', ')}\n`
}
