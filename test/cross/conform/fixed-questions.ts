/** Questions that are always asked: at least one for each class of difference, however few are drawn. */
import { nameOctets, type Question } from './wire.ts'

/** Which world, name, type, and what is not as in a plain question without EDNS. */
type Fixed = readonly [world: 0 | 1, name: string, type: number, more?: Partial<Question>]

const WIDE = { edns: { size: 1232, isDo: false } } as const

const Y63 = 'y'.repeat(63)

// biome-ignore format: table
const FIXED: readonly Fixed[] = [
  [0, 'www.deleg.test.',        1,   { class: 4 }],
  [0, 'www.deleg.test.',        1,   { class: 255 }],
  [0, 'wildns.deleg.test.',     1,   { class: 255 }],
  [0, 'deleg.test.',            252, { over: 'tcp' }],
  [0, 'www.deleg.test.',        252],
  [0, 'deleg.test.',            251],
  [0, 'www.deleg.test.',        253],
  [0, 'www.deleg.test.',        249],
  [0, 'www.deleg.test.',        0],
  [0, 'none.alias.test.',       46],
  [0, 'none.alias.test.',       47],
  [0, 'none.alias.test.',       50],
  [0, 'apex.test.',             255, WIDE],
  [0, 'big.large.test.',        255],
  [0, 'www.deleg.test.',        1,   { flags: 0x10 }],
  [0, 'x.glue.wildcut.test.',   1,   { flags: 0x10 }],
  [0, 'b.wide.large.test.',     1,   { flags: 0x20 }],
  [0, '*.ds.wild.test.',        255, { edns: { size: 1232, isDo: true } }],
  [0, 'l0.alias.test.',         1,   WIDE],
  [0, 'l12.alias.test.',        257, WIDE],
  [0, 'ring1.alias.test.',      1],
  [0, 'self.alias.test.',       1],
  [0, 'b.loop2.dname.test.',    1],
  [0, 'x.self.dname.test.',     15],
  [0, 'x.both.wildcut.test.',   2],
  [0, 'low.gap.deleg.test.',    43],
  [0, 'b.ns9.wide.large.test.', 16,  WIDE],
  [0, 'www.cut.added.test.',    1],
  [0, 'wildns.deleg.test.',     1],
  [0, 'apex.test.',             2,   WIDE],
  [0, 'mx.added.test.',         15],
  [0, '0.d2.dname.test.',       255],
  [0, 'www.*.dname.wild.test.', 64],
  [0, `${Y63}.${Y63}.d2.dname.test.`, 1, { edns: { size: 513, isDo: true } }],
  [0, `${Y63}.${Y63}.long.dname.test.`, 16],
  [0, '*.x.grow.dname.test.',   39],
  [1, '.',                      2,   WIDE],
  [1, 'far.',                   1],
  [1, '*.renamed.',             43],
]

export function fixedQuestions(world: number): Question[] {
  const plain = { class: 1, flags: 0, edns: undefined, over: 'udp' } as const
  return FIXED.filter(([where]) => where === world).map(([, name, type, more]) => ({
    ...plain,
    name: nameOctets(name),
    type,
    ...more,
  }))
}
