/** What compiled zones cost in memory, and that generating and compiling many names is quick. */
import { expect, test } from 'vitest'
import { FIXTURE, findingText, loadText } from '../kit/zone-text.ts'

test('20,000 names take less than 150 octets each, so a million less than 150 MB', () => {
  const { zones, problems } = loadText(`${FIXTURE}$GENERATE 1-20000 host-$ A 192.0.2.1\n`)
  expect(problems).toEqual([])
  expect(zones.nodeCount).toBe(20_004)
  expect(findingText(zones, 'host-20000.example.com.', 'A')).toBe(
    'answer | host-20000.example.com. 300 A 192.0.2.1',
  )
  const octets = Object.values(zones)
    .filter(value => ArrayBuffer.isView(value))
    .reduce((sum, column) => sum + column.byteLength, 0)
  expect(octets / zones.nodeCount).toBeLessThan(150)
})
