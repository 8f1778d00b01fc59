/**
 * Where names stand in the data of a record: numbers are octets before or between them. Types that
 * are not here have none that any server compresses (RFC 3597 §4), and are octets.
 */
export type Field = number | 'name' | 'string'

// biome-ignore format: table
const LAYOUTS: Readonly<Record<number, readonly Field[]>> = {
  2:   ['name'],                   // NS
  5:   ['name'],                   // CNAME
  6:   ['name', 'name'],           // SOA
  12:  ['name'],                   // PTR
  14:  ['name', 'name'],           // MINFO
  15:  [2, 'name'],                // MX
  17:  ['name', 'name'],           // RP
  18:  [2, 'name'],                // AFSDB
  21:  [2, 'name'],                // RT
  26:  [2, 'name', 'name'],        // PX
  33:  [6, 'name'],                // SRV
  35:  [4, 'string', 'string', 'string', 'name'], // NAPTR
  36:  [2, 'name'],                // KX
  39:  ['name'],                   // DNAME
  64:  [2, 'name'],                // SVCB
  65:  [2, 'name'],                // HTTPS
  107: [2, 'name'],                // LP
}

export function layoutOf(type: number): readonly Field[] {
  return LAYOUTS[type] ?? []
}
