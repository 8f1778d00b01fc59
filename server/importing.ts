/**
 * `import`: another server's files become ours on paper. Reads what is named, writes only into a
 * folder that was asked for, and never over a file that is there.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, normalize, sep } from 'node:path'
import { isWrong, type Wrong, wrong } from './fault.ts'
import { beside, readOctets } from './files.ts'
import { importGdnsd } from './import/gdnsd.ts'
import { importGeodns } from './import/geodns.ts'
import type { Imported, Original, ReadOriginal } from './import/imported.ts'
import { importOctodns } from './import/octodns.ts'
import { importPdnsGeoip } from './import/pdns-geoip.ts'
import type { Format } from './options.ts'

type Importer = (originals: readonly Original[], read: ReadOriginal) => Imported | readonly Wrong[]

const IMPORTERS: Readonly<Record<Format, Importer>> = {
  gdnsd: importGdnsd,
  'pdns-geoip': importPdnsGeoip,
  geodns: importGeodns,
  octodns: importOctodns,
}

/** Imports files of a format, or says why they cannot be read. */
export function importFiles(format: Format, paths: readonly string[]): Imported | readonly Wrong[] {
  const opened = paths.map(originalAt)
  const wrongs = opened.filter(isWrong)
  if (wrongs.length > 0) return wrongs
  const originals = opened.filter((one): one is Original => !isWrong(one))
  const read: ReadOriginal = (path, from) => {
    const found = originalAt(beside(from, path))
    return isWrong(found) ? undefined : found
  }
  return IMPORTERS[format](originals, read)
}

function originalAt(file: string): Original | Wrong {
  const octets = readOctets(file)
  if (isWrong(octets)) return wrong(`${file} ${octets.wrong}`, octets.fix)
  return { file, text: octets.toString('utf8') }
}

/** Writes what was imported below a folder; `undefined` where all is there. */
export function writeImported(imported: Imported, folder: string): Wrong | undefined {
  for (const [path, text] of [['lbdns.yaml', imported.config], ...imported.files] as const) {
    const flaw = writeNew(join(folder, path), text, folder)
    if (flaw !== undefined) return flaw
  }
  return undefined
}

function writeNew(file: string, text: string, folder: string): Wrong | undefined {
  if (!normalize(file).startsWith(normalize(folder + sep))) {
    return wrong(`${file} is not in ${folder}`, 'rename what it was made of')
  }
  try {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text, { flag: 'wx' })
    return undefined
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)
    if (code === 'EEXIST') return wrong(`${file} exists`, 'name a new folder')
    return wrong(`${file} cannot be written (${code})`, 'name a folder that you may write to')
  }
}
