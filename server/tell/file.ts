/** Files for a person to read: without their folders. */

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** `city.mmdb, asn.mmdb` */
export function baseNames(paths: readonly string[]): string {
  return paths.map(baseName).join(', ')
}
