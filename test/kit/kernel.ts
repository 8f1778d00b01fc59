/** What the tests of the batched engine ask of the kernel beside it: engines of their own, options. */
import { createRequire } from 'node:module'
import { batchedEngine } from '../../server/transport/batched.ts'
import { figuresOf, type UdpEngine, type UdpSocket } from '../../server/transport/engine.ts'
import { type Kernel, openKernel } from '../../server/transport/kernel.ts'
import { withoutBatches } from './engine.ts'
import { until } from './transport.ts'

/** Why tests of the batched engine are skipped, at the end of a title. */
export const UNLESS = withoutBatches === undefined ? '' : ` (skipped: ${withoutBatches})`

/** An engine that nobody drives; some calls may go another way than to the kernel. */
export function ownEngine(change: (kernel: Kernel) => Partial<Kernel> = () => ({})) {
  const kernel = openKernel()
  const { turn, ...engine } = batchedEngine({ ...kernel, ...change(kernel) })
  if (turn === undefined) throw new Error('a batched engine has turns')
  return { ...engine, turn } satisfies UdpEngine
}

/** Turns until so much has been received. */
export function turnUntil(
  { turn }: ReturnType<typeof ownEngine>,
  socket: UdpSocket,
  received: number,
): Promise<void> {
  return until(() => {
    turn(0)
    return figuresOf(socket.counts).received >= received
  })
}

/** What `getsockopt` says of an integer. */
export function optionOf(fd: number, level: number, option: number): number {
  const koffi: typeof import('koffi') = createRequire(import.meta.url)('koffi')
  const getsockopt = koffi.load(null).func('int getsockopt(int, int, int, void *, void *)')
  const value = new Int32Array(1)
  if (getsockopt(fd, level, option, value, Uint32Array.of(4)) !== 0) return -koffi.errno()
  return value[0] ?? 0
}
