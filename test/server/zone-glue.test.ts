/** Glue of delegations: RFC 9471. */
import { expect, test } from 'vitest'
import { glueFrom, glueIsRequired, glueRrset, glueTo } from '../../server/zone/zones.ts'
import { FIXTURE, findText, loadText, rrsetTexts } from '../kit/zone-text.ts'

/** The glue of the referral for a name, the optional one in parentheses. */
function glueOf(text: string, name: string): string[] {
  const { zones, problems } = loadText(FIXTURE + text)
  expect(problems).toEqual([])
  const { kind, rrset } = findText(zones, name, 'A')
  expect(kind).toBe('referral')
  const texts: string[] = []
  for (let at = glueFrom(zones, rrset); at < glueTo(zones, rrset); at += 1) {
    const records = rrsetTexts(zones, glueRrset(zones, at)).join(', ')
    texts.push(glueIsRequired(zones, at) ? records : `(${records})`)
  }
  return texts
}

// biome-ignore format: table
const TABLE = [
  ['RFC 9471 §3.1 both families', 'c NS ns.c\nns.c A 192.0.2.7\nns.c AAAA 2001:db8::7\n',
    ['ns.c.example.com. 300 A 192.0.2.7', 'ns.c.example.com. 300 AAAA 2001:db8::7']],
  ['RFC 9471 §3.1 the whole RRset', 'c NS ns.c\nns.c A 192.0.2.7\nns.c A 192.0.2.8\n',
    ['ns.c.example.com. 300 A 192.0.2.7, ns.c.example.com. 300 A 192.0.2.8']],
  ['RFC 9471 §3.1 the delegated name itself', 'c NS c\nc A 192.0.2.7\n', ['c.example.com. 300 A 192.0.2.7']],
  ['RFC 9471 §3.2 a sibling’s is optional', 'c NS ns.d\nd NS ns.d\nns.d A 192.0.2.7\n', ['(ns.d.example.com. 300 A 192.0.2.7)']],
  ['an address of the zone itself is optional', 'c NS ns1\n', ['(ns1.example.com. 300 A 192.0.2.1)']],
  ['required ones come first', 'c NS ns1\nc NS ns.c\nns.c A 192.0.2.7\n',
    ['ns.c.example.com. 300 A 192.0.2.7', '(ns1.example.com. 300 A 192.0.2.1)']],
  ['a name server elsewhere has none', 'c NS ns.example.net.\n', []],
  ['a name below a DNAME has none', 'c NS ns.d\nd DNAME e\nns.d A 192.0.2.7\n', []],
  ['targets in any case', 'c NS NS.C\nns.c A 192.0.2.7\n', ['ns.c.example.com. 300 A 192.0.2.7']],
] as const

for (const [rule, text, glue] of TABLE) {
  test(rule, () => expect(glueOf(text, 'x.c.example.com.')).toEqual(glue))
}
