/**
 * `run`: loads aside, and serves. Reads no file here: what a load needs is loaded on the thread of the
 * load, and goes with it.
 */
import { loadAside } from './aside.ts'
import { findSuccessor } from './become.ts'
import { begin, type Farewell } from './daemon.ts'
import { type Commands, machine } from './options.ts'
import { refuse, warn } from './output.ts'
import { otherThreads } from './rank.ts'
import { chooseEngine, copierOf } from './transport/batching.ts'
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
  const sockets = handedIn(process.env) // before it has children
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
  const start = { file, machine: here, absent, engine, helpers, handed, asked, successor }
  return begin(start, result.value)
}
