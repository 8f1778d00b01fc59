/**
 * Writes MaxMind DB files (format 2.0) for tests: any record width, IPv4 or IPv6, with or without
 * the aliases of IPv4, and damaged on purpose. Shares no code with the reader.
 */
import { Address4, Address6 } from 'ip-address'

export type Fields = { readonly [key: string]: Value }
export type Value = string | number | boolean | readonly Value[] | Fields

export type DatabaseText = {
  /** Width of a record; 24 by default. */
  readonly recordBits?: 24 | 28 | 32
  /** 6 by default. IPv4 networks of an IPv6 tree go to ::/96. */
  readonly ipVersion?: 4 | 6
  /** Networks and what is said of them; the longer win. */
  readonly networks: readonly (readonly [cidr: string, record: Value])[]
  /** Hangs the IPv4 tree under ::ffff:0:0/96, 2001::/32 and 2002::/16 as well. */
  readonly aliased?: boolean
  /** Added to the metadata, or instead of what stands there. */
  readonly metadata?: Fields
}

/** A database as the octets of its file. */
export function writeDatabase(text: DatabaseText): Buffer {
  const { recordBits = 24, ipVersion = 6 } = text
  const tree = plant(text, ipVersion)
  const nodes = numbered(tree)
  const data = dataSection(text.networks.map(([, record]) => record))
  const records = nodes.flatMap(node =>
    node.children.map(child => {
      if (child === undefined) return nodes.length
      if (typeof child !== 'number') return nodes.indexOf(child)
      return nodes.length + 16 + (data.offsets[child] ?? 0)
    }),
  )
  return assemble({ recordBits, ipVersion, records, data: data.octets, metadata: text.metadata })
}

export type Parts = {
  readonly recordBits: 24 | 28 | 32
  readonly ipVersion: 4 | 6
  /** Two for each node. */
  readonly records: readonly number[]
  readonly data: Buffer
  readonly metadata?: Fields | undefined
}

/** Puts a file together from its parts, whether they make sense or not. */
export function assemble({ recordBits, ipVersion, records, data, metadata }: Parts): Buffer {
  return Buffer.concat([
    treeSection(records, recordBits),
    Buffer.alloc(16),
    data,
    Buffer.from('abcdef4d61784d696e642e636f6d', 'hex'),
    encode({
      binary_format_major_version: 2,
      binary_format_minor_version: 0,
      build_epoch: 1_700_000_000,
      database_type: 'Test',
      description: { en: 'a test' },
      ip_version: ipVersion,
      languages: ['en'],
      node_count: records.length / 2,
      record_size: recordBits,
      ...metadata,
    }),
  ])
}

/** The octets of a value in the data section. */
export function encode(value: Value): Buffer {
  if (typeof value === 'string') return tagged(2, Buffer.from(value))
  if (typeof value === 'boolean') return tagged(14, Buffer.alloc(0), Number(value))
  if (typeof value === 'number') return number(value)
  if (Array.isArray(value)) {
    return Buffer.concat([tagged(11, Buffer.alloc(0), value.length), ...value.map(encode)])
  }
  const entries = Object.entries(value)
  const pairs = entries.flatMap(([key, field]) => [encode(key), encode(field)])
  return Buffer.concat([tagged(7, Buffer.alloc(0), entries.length), ...pairs])
}

type Node = { readonly children: (Node | number | undefined)[] }

/** A binary trie whose leaves are indices into the networks. */
function plant(text: DatabaseText, ipVersion: 4 | 6): Node {
  const root: Node = { children: [undefined, undefined] }
  const ordered = [...text.networks.entries()].map(([index, [cidr]]) => ({
    index,
    bits: bitsOf(cidr, ipVersion),
  }))
  ordered.sort((a, b) => a.bits.length - b.bits.length)
  for (const { index, bits } of ordered) hang(root, bits, index)
  if (text.aliased) {
    const ipv4 = descend(root, '0'.repeat(96))
    for (const alias of ['::ffff:0:0/96', '2001::/32', '2002::/16']) {
      hang(root, bitsOf(alias, 6), ipv4)
    }
  }
  return root
}

function hang(root: Node, bits: string, what: Node | number | undefined): void {
  let node = root
  for (const bit of bits.slice(0, -1)) node = opened(node, Number(bit))
  node.children[Number(bits.at(-1))] = what
}

/** The child of a node, split where it was a leaf. */
function opened(node: Node, bit: number): Node {
  const child = node.children[bit]
  if (child !== undefined && typeof child !== 'number') return child
  const made: Node = { children: [child, child] }
  node.children[bit] = made
  return made
}

function descend(root: Node, bits: string): Node | number | undefined {
  let at: Node | number | undefined = root
  for (const bit of bits) {
    if (at === undefined || typeof at === 'number') return at
    at = at.children[Number(bit)]
  }
  return at
}

/** The leading bits of a prefix, in the space of the tree. */
function bitsOf(cidr: string, ipVersion: 4 | 6): string {
  const [address = '', length] = cidr.split('/')
  if (cidr.includes(':')) {
    return new Address6(address).bigInt().toString(2).padStart(128, '0').slice(0, Number(length))
  }
  const bits = new Address4(address).bigInt().toString(2).padStart(32, '0')
  return (ipVersion === 6 ? '0'.repeat(96) : '') + bits.slice(0, Number(length))
}

/** Every node once, the root first. */
function numbered(root: Node): Node[] {
  const nodes = new Set<Node>([root])
  for (const node of nodes) {
    for (const child of node.children) {
      if (child !== undefined && typeof child !== 'number') nodes.add(child)
    }
  }
  return [...nodes]
}

function dataSection(records: readonly Value[]): { octets: Buffer; offsets: readonly number[] } {
  const pieces: Buffer[] = []
  const known = new Map<string, number>()
  let length = 0
  const offsets = records.map(record => {
    const key = JSON.stringify(record)
    const before = known.get(key)
    if (before !== undefined) return before
    const piece = encode(record)
    pieces.push(piece)
    known.set(key, length)
    length += piece.length
    return length - piece.length
  })
  return { octets: Buffer.concat(pieces), offsets }
}

function treeSection(records: readonly number[], recordBits: 24 | 28 | 32): Buffer {
  const digits = recordBits / 4
  let hex = ''
  for (let at = 0; at < records.length; at += 2) {
    const left = (records[at] ?? 0).toString(16).padStart(digits, '0')
    const right = (records[at + 1] ?? 0).toString(16).padStart(digits, '0')
    // 28: the first digit of each record goes to the octet in the middle.
    hex += recordBits === 28 ? `${left.slice(1)}${left[0]}${right}` : left + right
  }
  return Buffer.from(hex, 'hex')
}

/** The control octets of a type and size, then its payload. */
function tagged(type: number, payload: Buffer, size: number = payload.length): Buffer {
  const extra = size < 29 ? [] : size < 285 ? [size - 29] : [(size - 285) >> 8, (size - 285) & 0xff]
  const length = size < 29 ? size : size < 285 ? 29 : 30
  const control = type < 8 ? [(type << 5) | length] : [length, type - 7]
  return Buffer.concat([Buffer.from([...control, ...extra]), payload])
}

function number(value: number): Buffer {
  const payload = Buffer.alloc(Number.isInteger(value) ? 4 : 8)
  if (!Number.isInteger(value)) {
    payload.writeDoubleBE(value)
    return tagged(3, payload)
  }
  payload.writeUInt32BE(value)
  return tagged(6, payload)
}
