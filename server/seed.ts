/** Seeds of the machine's own, so that no two desks draw alike. */
import { randomBytes } from 'node:crypto'

export function freshSeed(): number[] {
  return [...new Uint32Array(randomBytes(16).buffer)]
}
