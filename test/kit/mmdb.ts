/**
 * Writes MaxMind DB files (format 2.0) for tests: any record width, IPv4 or IPv6, with or without
 * the aliases of IPv4, and damaged on purpose. Shares no code with the reader.
 */
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
  const cells = plant(text, ipVersion)
  const nodes = cells.length / 2
  const data = dataSection(text.networks.map(([, record]) => record))
  const records = cells.map(cell => {
    if (cell >= 0) return cell
    return cell === NOTHING ? nodes : nodes + 16 + (data.offsets[~cell] ?? 0)
  })
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
    metadataMap({
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

/** Types of the numbers of the metadata: readers written in C insist on them. */
const METADATA_TYPES: Readonly<Record<string, number>> = {
  binary_format_major_version: 5,
  binary_format_minor_version: 5,
  build_epoch: 9,
  ip_version: 5,
  record_size: 5,
}

function metadataMap(fields: Fields): Buffer {
  const entries = Object.entries(fields)
  const pairs = entries.flatMap(([key, field]) => {
    const type = typeof field === 'number' ? METADATA_TYPES[key] : undefined
    return [encode(key), type === undefined ? encode(field) : unsigned(field as number, type)]
  })
  return Buffer.concat([tagged(7, Buffer.alloc(0), entries.length), ...pairs])
}

/** A whole number in as few octets as it takes. */
function unsigned(value: number, type: number): Buffer {
  const hex = value.toString(16)
  return tagged(type, Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex'))
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

/** A cell of the trie is a node's number, the complement of a network's index, or this. */
const NOTHING = ~0x7fff_fffe

/** A binary trie: node n has the cells 2n and 2n + 1. The root is 0. */
function plant({ networks, aliased }: DatabaseText, ipVersion: 4 | 6): number[] {
  const cells = [NOTHING, NOTHING]
  const ordered = networks.map(([cidr], index) => ({ index, bits: bitsOf(cidr, ipVersion) }))
  ordered.sort((a, b) => a.bits.length - b.bits.length)
  for (const { index, bits } of ordered) hang(cells, bits, ~index)
  if (aliased) {
    const ipv4 = descend(cells, '0'.repeat(96))
    for (const alias of ['::ffff:0:0/96', '2001::/32', '2002::/16']) {
      hang(cells, bitsOf(alias, 6), ipv4)
    }
  }
  return cells
}

function hang(cells: number[], bits: string, what: number): void {
  if (bits === '') {
    cells.fill(what)
    return
  }
  const last = bits.length - 1
  let node = 0
  for (let at = 0; at < last; at += 1) node = opened(cells, 2 * node + digit(bits, at))
  cells[2 * node + digit(bits, last)] = what
}

/** 0 or 1. */
function digit(bits: string, at: number): number {
  return bits.charCodeAt(at) & 1
}

/** The node in a cell, split where it was a leaf. */
function opened(cells: number[], at: number): number {
  const cell = cells[at] ?? NOTHING
  if (cell >= 0) return cell
  const made = cells.push(cell, cell) / 2 - 1
  cells[at] = made
  return made
}

function descend(cells: readonly number[], bits: string): number {
  let cell = 0
  for (let at = 0; at < bits.length && cell >= 0; at += 1) {
    cell = cells[2 * cell + digit(bits, at)] ?? NOTHING
  }
  return cell
}

/** The leading bits of a prefix, in the space of the tree. */
function bitsOf(cidr: string, ipVersion: 4 | 6): string {
  const [address = '', length] = cidr.split('/')
  if (address.includes(':')) return hextetBits(address).slice(0, Number(length))
  const bits = address.split('.').map(octet => Number(octet).toString(2).padStart(8, '0'))
  return (ipVersion === 6 ? '0'.repeat(96) : '') + bits.join('').slice(0, Number(length))
}

function hextetBits(address: string): string {
  const [head = [], tail = []] = address.split('::').map(half => half.split(':').filter(Boolean))
  const zeros = new Array<string>(8 - head.length - tail.length).fill('0')
  const hextets = [...head, ...zeros, ...tail]
  return hextets.map(hextet => Number.parseInt(hextet, 16).toString(2).padStart(16, '0')).join('')
}

/** The records, each once, and where each begins. */
function dataSection(records: readonly Value[]): { octets: Buffer; offsets: readonly number[] } {
  const pieces: Buffer[] = []
  const known = new Map<Value, number>()
  let length = 0
  const offsets = records.map(record => {
    const before = known.get(record) ?? known.get(JSON.stringify(record))
    if (before !== undefined) return before
    const piece = encode(record)
    pieces.push(piece)
    known.set(record, length).set(JSON.stringify(record), length)
    length += piece.length
    return length - piece.length
  })
  return { octets: Buffer.concat(pieces), offsets }
}

function treeSection(records: readonly number[], recordBits: 24 | 28 | 32): Buffer {
  const width = recordBits / 4
  const octets = Buffer.alloc((records.length / 2) * width)
  for (let node = 0; 2 * node < records.length; node += 1) {
    const [left = 0, right = 0] = [records[2 * node], records[2 * node + 1]]
    const at = node * width
    if (recordBits === 32) {
      octets.writeUInt32BE(left, at)
      octets.writeUInt32BE(right, at + 4)
      continue
    }
    octets.writeUIntBE(left % 2 ** 24, at, 3)
    octets.writeUIntBE(right % 2 ** 24, at + width - 3, 3)
    // 28: the first four bits of each record share the octet in the middle.
    if (recordBits === 28) octets[at + 3] = ((left >>> 24) << 4) | (right >>> 24)
  }
  return octets
}

/** The control octets of a type and size, then its payload. */
function tagged(type: number, payload: Buffer, size: number = payload.length): Buffer {
  const extra = size < 29 ? [] : size < 285 ? [size - 29] : [(size - 285) >> 8, (size - 285) & 0xff]
  const length = size < 29 ? size : size < 285 ? 29 : 30
  const control = type < 8 ? [(type << 5) | length] : [length, type - 7]
  return Buffer.concat([Buffer.from([...control, ...extra]), payload])
}

/** An unsigned integer of 32 bits, or a double. */
function number(value: number): Buffer {
  const isUnsigned = Number.isInteger(value) && value >= 0 && value < 2 ** 32
  const payload = Buffer.alloc(isUnsigned ? 4 : 8)
  if (isUnsigned) payload.writeUInt32BE(value)
  else payload.writeDoubleBE(value)
  return tagged(isUnsigned ? 6 : 3, payload)
}
