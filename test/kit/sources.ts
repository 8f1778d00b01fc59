/** Many resolvers: sources of 127/8, each in a /24 of its own, ask one name over UDP. */
import { createSocket } from 'node:dgram'
import { queryOf, type Said, said } from './world.ts'

/** How long an answer may take before its question is put again. */
const PATIENCE_MS = 1_000
const TRIES = 5
/** So many ask at a time. */
const AT_ONCE = 50

/** Of each source the answer, in their order. */
export async function askFromMany(port: number, name: string, sources: number): Promise<Said[]> {
  const answers: Said[] = []
  for (let from = 0; from < sources; from += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, sources - from) }, (_, i) => from + i)
    answers.push(...(await Promise.all(some.map(source => askFrom(source, port, name)))))
  }
  return answers
}

function askFrom(source: number, port: number, name: string): Promise<Said> {
  const socket = createSocket('udp4')
  const query = queryOf(name, {})
  return new Promise<Said>((resolve, reject) => {
    let tries = 0
    const put = () => {
      tries += 1
      if (tries > TRIES) reject(new Error(`no answer to source ${source}`))
      else socket.send(query, port, '127.0.0.1')
    }
    const again = setInterval(put, PATIENCE_MS)
    socket.once('close', () => clearInterval(again))
    socket.once('error', reject)
    socket.once('message', reply => resolve(said(reply)))
    socket.bind(0, `127.${100 + (source >> 8)}.${source & 255}.53`, put)
  }).finally(() => socket.close())
}
