/**
 * Records as dig prints them: one a line, owner, TTL, class, type, data.
 */
import type { Record } from '../dns/message.ts'
import { nameText } from '../dns/name.ts'
import { rdataText } from '../dns/rdata.ts'
import { classText, typeText } from '../dns/rrtype.ts'

export function recordText({ owner, ttl, class: cls, type, rdata }: Record): string {
  const data = rdataText(type, rdata)
  return `${nameText(owner)} ${ttl} ${classText(cls)} ${typeText(type)} ${data}`
}
