/**
 * A World out of text, through the real loader; and one to ask it: dns-packet, which shares no code
 * with the server, makes the queries and reads the replies.
 */
import { randomInt } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { join } from 'node:path'
import dnsPacket from 'dns-packet'
import { type Desk, openDesk } from '../../server/answer/desk.ts'
import { ecsPolicy } from '../../server/answer/ecs.ts'
import type { Peer } from '../../server/answer/peer.ts'
import { serve } from '../../server/answer/serve.ts'
import type { World } from '../../server/answer/world.ts'
import { address, addressText, setAddressText } from '../../server/dns/address.ts'
import { problemText, type Remarks, remarks, wrong } from '../../server/fault.ts'
import { cookiePolicy } from '../../server/guard/cookies.ts'
import { guardPolicy } from '../../server/guard/guard.ts'
import { type Loaded, load } from '../../server/load.ts'
import { chance } from '../../server/steer/chance.ts'
import { compileSteering } from '../../server/steer/compile.ts'
import type { Policy, Rule } from '../../server/steer/rule.ts'
import { isTailored, type Steering, targetOctets } from '../../server/steer/steering.ts'
import { compileZones, type SteeredOwner } from '../../server/zone/compile.ts'
import { parseZone } from '../../server/zone/master.ts'
import { textStream } from '../../server/zone/stream.ts'
import { NO_PLACES } from './steering.ts'

export const MACHINE = { version: 'lbdns test', host: 'test-host' }

/** Loads `lbdns.yaml` out of files that are texts or octets; paths are relative to it. */
export function loadFrom(files: Readonly<Record<string, string | Uint8Array>>): Loaded {
  return load('lbdns.yaml', MACHINE, file => {
    const content = files[join(file)]
    return content === undefined ? wrong(`${file} does not exist`) : Buffer.from(content)
  })
}

/** A desk over such files; what is wrong with them fails the test. */
export function deskFrom(files: Readonly<Record<string, string | Uint8Array>>): Desk {
  const loaded = loadFrom(files)
  if (!loaded.ok) throw new Error(loaded.problems.map(problemText).join('\n'))
  return openDesk(loaded.value.world, chance(7))
}

/** A zone alone, steered or not. */
export function deskOf(zone: string, yaml = ''): Desk {
  return deskFrom({ 'lbdns.yaml': `${HEAD}${yaml}`, 'a.zone': zone })
}

export const HEAD = 'listen: [127.0.0.1:5353]\nzones: [a.zone]\n'

export function peerOf(text = '127.0.0.1', transport: Peer['transport'] = 'udp'): Peer {
  const peer: Peer = { ...address(), transport, ecs: true, port: 0, keepalive: 0 }
  if (!setAddressText(peer, text)) throw new Error(`${text} is no address`)
  return peer
}

const OUT = new Uint8Array(65_535)

/** The reply's octets; `undefined` where the server says nothing. */
export function exchange(desk: Desk, query: Uint8Array, peer = peerOf()): Uint8Array | undefined {
  const length = serve(desk, query, query.length, OUT, peer)
  return length === 0 ? undefined : OUT.slice(0, length)
}

export type Ask = {
  readonly type?: string
  /** `198.51.100.0/24`; without it no option is sent. */
  readonly subnet?: string
  readonly edns?: false
  readonly size?: number
  readonly from?: string
  readonly transport?: Peer['transport']
}

/** What came back, in words that tests compare. */
export type Said = {
  readonly rcode: string
  readonly aa: boolean
  readonly tc: boolean
  /** `owner TTL type data` */
  readonly answer: readonly string[]
  readonly authority: readonly string[]
  readonly additional: readonly string[]
  /** `family/source/scope/address hex`, as it stands in the option. */
  readonly ecs: string | undefined
  readonly scope: number | undefined
  readonly edns: boolean
  readonly octets: number
}

/** Asks one question and reads the reply. */
export function ask(desk: Desk, name: string, options: Ask = {}): Said {
  const query = queryOf(name, options)
  const reply = exchange(desk, query, peerOf(options.from, options.transport))
  if (reply === undefined) throw new Error('no reply')
  return said(reply)
}

/** Addresses answered, sorted: for comparing sets. */
export function addresses(answer: Said): string[] {
  return answer.answer
    .filter(line => /\b(A|AAAA)\b/.test(line))
    .map(line => line.split(' ')[3] ?? '')
    .sort()
}

/** Types that dns-packet has no word for, as it writes and reads them. */
const NUMBERED: Readonly<Record<string, string>> = { HTTPS: 'UNKNOWN_65', SVCB: 'UNKNOWN_64' }

export function queryOf(name: string, options: Ask = {}): Uint8Array {
  const { edns, size = 1232, subnet, type = 'A' } = options
  const data = subnet === undefined ? [] : [{ code: 8, data: Buffer.from(subnetOctets(subnet)) }]
  const opt = {
    type: 'OPT',
    name: '.',
    udpPayloadSize: size,
    extendedRcode: 0,
    ednsVersion: 0,
    flags: 0,
    flag_do: false,
    options: data,
  } as const
  return dnsPacket.encode({
    type: 'query',
    id: randomInt(65_536),
    flags: 0,
    questions: [{ type: (NUMBERED[type] ?? type) as 'A', class: 'IN', name }],
    ...(edns === false ? {} : { additionals: [opt as never] }),
  })
}

/** The data of an ECS option: RFC 7871 §6. */
export function subnetOctets(subnet: string): number[] {
  const [text = '', bits = ''] = subnet.split('/')
  const whole = address()
  setAddressText(whole, text)
  const six = isIPv6(text)
  const octets = [...(six ? v6(text) : whole.octets.subarray(0, 4))]
  const source = Number(bits)
  return [0, six ? 2 : 1, source, 0, ...octets.slice(0, (source + 7) >> 3)]
}

/** Mapped addresses too stay 16 octets here. */
function v6(text: string): number[] {
  const whole = address()
  setAddressText(whole, text)
  if (whole.family === 6) return [...whole.octets]
  return [...Array(10).fill(0), 255, 255, ...whole.octets.subarray(0, 4)]
}

export function said(reply: Uint8Array): Said {
  const message = dnsPacket.decode(Buffer.from(reply))
  const opt = message.additionals?.find(record => record.type === 'OPT')
  const ecs = opt?.type === 'OPT' ? opt.options.find(option => option.code === 8) : undefined
  const data = ecs === undefined ? undefined : optionData(reply)
  return {
    rcode: rcodes[reply[3]! & 15] ?? String(reply[3]! & 15),
    aa: (reply[2]! & 4) !== 0,
    tc: (reply[2]! & 2) !== 0,
    answer: (message.answers ?? []).map(line),
    authority: (message.authorities ?? []).map(line),
    additional: (message.additionals ?? []).filter(({ type }) => type !== 'OPT').map(line),
    ecs:
      data === undefined
        ? undefined
        : `${data[1]}/${data[2]}/${data[3]}/${Buffer.from(data.subarray(4)).toString('hex')}`,
    scope: data?.[3],
    edns: opt !== undefined,
    octets: reply.length,
  }
}

const rcodes = ['NOERROR', 'FORMERR', 'SERVFAIL', 'NXDOMAIN', 'NOTIMP', 'REFUSED', 'YXDOMAIN']

/** The raw data of the only option, found from the end: the server writes OPT last and ECS in it. */
function optionData(reply: Uint8Array): Uint8Array {
  for (let at = reply.length - 8; at > 12; at -= 1) {
    const length = ((reply[at + 2] ?? 0) << 8) | (reply[at + 3] ?? 0)
    if (reply[at] === 0 && reply[at + 1] === 8 && at + 4 + length === reply.length) {
      return reply.subarray(at + 4)
    }
  }
  throw new Error('no ECS option at the end of the reply')
}

function line(record: dnsPacket.Answer): string {
  const ttl = 'ttl' in record ? record.ttl : 0
  const data = 'data' in record ? dataText(record.data) : ''
  const [type = record.type] = Object.keys(NUMBERED).filter(word => NUMBERED[word] === record.type)
  return `${record.name === '.' ? '' : record.name}. ${ttl} ${type} ${data}`
}

function dataText(data: unknown): string {
  if (Array.isArray(data)) return data.map(part => `"${String(part)}"`).join(' ')
  if (Buffer.isBuffer(data)) return data.toString('hex')
  if (typeof data !== 'object' || data === null) return String(data)
  return Object.values(data).join(' ')
}

/** A World of one zone without steering, past the configuration: for tests that load thousands. */
export function worldOfZone(text: string): World {
  return worldOf(text, { pools: [], networks: [], latencies: [], rules: [] })
}

/** A World of one zone and a policy, past the configuration; everybody is nowhere. */
export function worldOf(text: string, policy: Policy): World {
  const found = remarks()
  const { steering } = compileSteering(policy, NO_PLACES, found)
  return worldWith(text, policy, steering, found)
}

/** The same over what was compiled already; problems, those `found` there too, fail the test. */
export function worldWith(text: string, policy: Policy, steering: Steering, found: Remarks): World {
  const include = () => wrong('no includes here')
  const records = parseZone({ file: 'a.zone', stream: textStream(text), include }, found)
  const owners = policy.rules.map((rule, slot) => steeredOwner(steering, rule, slot))
  const zones = compileZones(records === undefined ? [] : [records], owners, found)
  if (found.problems.length > 0) throw new Error(found.problems.map(problemText).join('\n'))
  const ecs = ecsPolicy({ enabled: true, allow: [], deny: [] })
  const guard = guardPolicy({ maxAgeMs: 0, shedding: 'off' })
  const cookies = cookiePolicy({ enabled: true, secrets: [new Uint8Array(16)], require: 'never' })
  const said = { chaos: [], nsid: new Uint8Array(0), whoami: [], node: '', digest: '' }
  return { zones, steering, ecs, guard, cookies, ...said }
}

function steeredOwner(
  steering: Steering,
  { at, owner, services = [] }: Rule,
  slot: number,
): SteeredOwner {
  const answers = steering.alias[slot] === 1 ? 'alias' : 'addresses'
  const types = [1, 28, ...services.map(({ type }) => type)]
  return { owner, slot, answers, types, tailored: isTailored(steering, slot), at }
}

/** Makes targets of those addresses up or down on the board that answers. */
export function setUp({ board, world }: Desk, up: 0 | 1, ...targets: readonly string[]): void {
  const { steering } = world
  for (let target = 0; target < steering.targets; target += 1) {
    if (targets.includes(addressText(targetOctets(steering, target)))) board.up[target] = up
  }
}
