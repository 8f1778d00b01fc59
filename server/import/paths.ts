/**
 * Paths as texts, with slashes. Opens nothing.
 */

/** What stands behind the last slash. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** What stands before the last slash; empty where there is none. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

/** A path seen from the folder of a file. */
export function beside(file: string, path: string): string {
  const folder = folderOf(file)
  if (path.startsWith('/') || folder === '') return path
  return `${folder}/${path}`
}
