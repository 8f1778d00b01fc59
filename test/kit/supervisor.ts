/**
 * A small service manager: it binds sockets, hands them to a server as sd_listen_fds(3) has it, and
 * keeps them when that one ends. In Python, as whoever binds must still be there when it is replaced,
 * and the protocol asks for the number of the process between fork and exec.
 */
import { type Program, startReady } from './process.ts'

/** In Python's words. */
export type Handing = {
  readonly kind: 'UDP' | 'TCP'
  readonly host: string
  readonly port: number
  /** Of its address there are several, among which the kernel chooses. */
  readonly reuse?: true
  /** IPv6 alone. Else `::` takes IPv4 in. */
  readonly only?: true
  /** As a manager with NonBlocking=yes hands it over. */
  readonly nonblocking?: true
}

export type Supervised = Program & {
  /** Ends the server, and starts another one once it has gone. */
  readonly replace: () => void
  /** Of every server that was started. */
  readonly pids: () => number[]
}

const SUPERVISOR = `
import fcntl, json, os, signal, socket, sys

plan = json.loads(sys.argv[1])
child, wanted = 0, True

def bound(kind, host, port, reuse=False, only=False, nonblocking=False):
  family = socket.AF_INET6 if ':' in host else socket.AF_INET
  made = socket.socket(family, socket.SOCK_DGRAM if kind == 'UDP' else socket.SOCK_STREAM)
  made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
  if reuse: made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
  if family == socket.AF_INET6: made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, only)
  made.bind((host, port))
  if kind == 'TCP': made.listen(128)
  return made, not nonblocking

def start(sockets):
  pid = os.fork()
  if pid: return pid
  # first above all that are handed over, so that none is overwritten before it is copied
  high = [fcntl.fcntl(one.fileno(), fcntl.F_DUPFD, 100) for one, _ in sockets]
  for at, fd in enumerate(high):
    os.dup2(fd, 3 + at, inheritable=True)
    os.set_blocking(3 + at, sockets[at][1])
    os.close(fd)
  os.environ.update(plan['environment'])
  os.environ['LISTEN_FDS'] = str(len(sockets))
  os.environ['LISTEN_PID'] = str(os.getpid() + plan['stray'])
  os.environ['LISTEN_FDNAMES'] = ':'.join(f'socket-{at}' for at in range(len(sockets)))
  os.execv(plan['command'][0], plan['command'])

def replace(*_): os.kill(child, signal.SIGTERM)
def leave(*_):
  global wanted
  wanted = False
  os.kill(child, signal.SIGTERM)

signal.signal(signal.SIGUSR1, replace)
signal.signal(signal.SIGHUP, lambda *_: os.kill(child, signal.SIGHUP))
signal.signal(signal.SIGTERM, leave)
sockets = [bound(**one) for one in plan['sockets']]
code = 0
while wanted:
  child = start(sockets)
  print(f'pid {child}', flush=True)
  code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
  if code: break
sys.exit(code)
`

/**
 * Starts a program with sockets; ready once it says that it listens.
 *
 * @param stray added to the number of the process that is told: 0 where it is meant itself
 */
export async function supervise(
  sockets: readonly Handing[],
  command: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  stray = 0,
): Promise<Supervised> {
  const plan = JSON.stringify({ sockets, command, environment, stray })
  const program = await startReady('python3', ['-c', SUPERVISOR, plan], ({ stdout }) =>
    stdout().includes('listening'),
  )
  return {
    ...program,
    replace: () => program.signal('SIGUSR1'),
    pids: () => [...program.stdout().matchAll(/^pid (\d+)$/gm)].map(([, pid]) => Number(pid)),
  }
}
