/**
 * `run`: loads aside, and serves. Reads no file here: what a load needs is loaded on the thread of the
 * load, and goes with it.
 */
import { loadAside } from './aside.ts'
import { findSuccessor } from './become.ts'
import { begin, type Farewell } from './daemon.ts'
import { log } from './log.ts'
import { ServiceManager, type Wish, wishIn } from './ops/notify.ts'
import { type Commands, machine } from './options.ts'
import { refuse, warn } from './output.ts'
import { otherThreads } from './rank.ts'
import { type ChosenEngine, chooseEngine, copierOf } from './transport/batching.ts'
import { Handed, handedIn } from './transport/handed.ts'
import { collectAtOnce, collectLate } from './v8.ts'

export const run: Commands['run'] = async options => {
  process.on('SIGHUP', () => {}) // before it serves: fresh files are being read anyway
  collectAtOnce()
  const farewell = await begun(options)
  await farewell()
}

/** The first World is known here only: whoever waits for the end must not keep it until then. */
async function begun({ file, absent }: Parameters<Commands['run']>[0]): Promise<Farewell> {
  const here = machine()
  // Taken before there are children.
  const sockets = handedIn(process.env)
  const wish = wishIn(process.env)
  const helpers = otherThreads() // none is of our own making yet
  collectLate()
  const loading = loadAside(file, here, undefined)
  const [engine, result] = await Promise.all([chooseEngine(), loading])
  warn(result.warnings)
  if (!result.ok) refuse(result.problems)
  const { user, group } = result.value.config
  const asked = { user, group }
  const successor = findSuccessor(asked)
  if (successor !== undefined && 'what' in successor) refuse([successor])
  const handed = new Handed(sockets, copierOf(engine.name))
  const manager = await managerOf(wish, engine)
  const start = { file, machine: here, absent, engine, helpers, handed, manager, asked, successor }
  return begin(start, result.value)
}

/** Whoever started us and wants to be told; where nobody does, nothing is opened for it. */
async function managerOf(wish: Wish | undefined, { name }: ChosenEngine): Promise<ServiceManager> {
  const warn = (what: string) => log.warn(what)
  if (wish === undefined) return new ServiceManager(undefined, undefined, warn)
  const { sendDirectly, sendThroughProgram } = await import('./ops/message.ts')
  const send = name === 'batched' ? sendDirectly : sendThroughProgram
  return new ServiceManager(send(wish.socket), wish.withinMs, warn)
}
