/**
 * A service manager that only listens: the messages of sd_notify(3) as they come, and from whom. In
 * Python, as Node has no datagrams but those of IP.
 */
import { type Program, startReady, until } from './process.ts'

export type Message = {
  /** Whose it is, as the kernel vouches for. */
  readonly pid: number
  /** Seconds of the clock that never steps, when it was heard. */
  readonly at: number
  readonly lines: readonly string[]
}

export type Listener = {
  readonly messages: () => Message[]
  /** Every line of every message, but for those that only say that all is well. */
  readonly lines: () => string[]
  readonly hears: (line: string, times?: number) => Promise<void>
  readonly program: Program
}

const LISTENER = `
import array, json, os, socket, struct, sys, time
path = sys.argv[1]
heard = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
heard.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
heard.bind('\\0' + path[1:] if path[0] == '@' else path)
if path[0] != '@': os.chmod(path, 0o777)
print('ready', flush=True)
while True:
  data, about, _, _ = heard.recvmsg(4096, 1024)
  pid = 0
  for _, kind, content in about:
    if kind == socket.SCM_CREDENTIALS: pid = struct.unpack('iii', content)[0]
    # a barrier: whoever sent it waits until its descriptor is closed
    if kind == socket.SCM_RIGHTS: [os.close(fd) for fd in array.array('i', content)]
  print(json.dumps({'pid': pid, 'at': time.monotonic(), 'lines': data.decode().split('\\n')}), flush=True)
`

/** @param socket a path, or `@` and a name */
export async function listener(socket: string): Promise<Listener> {
  const program = await startReady('python3', ['-c', LISTENER, socket], ({ stdout }) =>
    stdout().includes('ready'),
  )
  const messages = (): Message[] =>
    program
      .stdout()
      .split('\n')
      .slice(1, -1)
      .map(line => JSON.parse(line))
      .filter(({ lines }: Message) => lines[0] !== 'BARRIER=1')
  const all = () => messages().flatMap(({ lines }) => lines)
  const count = (wanted: string) => all().filter(line => line === wanted).length
  return {
    program,
    messages,
    lines: () => all().filter(line => line !== 'WATCHDOG=1'),
    hears: (line, times = 1) => until(`${times} times ${line}`, () => count(line) >= times),
  }
}
