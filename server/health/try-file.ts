/** A file that another program writes: `UP`, `DOWN`, or a number, which is the load and means up. */
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { inTime, type Limit } from './try-limit.ts'
import { numberIn } from './try-telling.ts'
import { failed, passed, type Told } from './try-told.ts'

const MOST = 4096

export async function tryFile(path: string, place: string, limit: Limit): Promise<Told> {
  const file = path.replaceAll('{address}', () => place)
  const text = (await inTime(headOf(file), limit, 'end of the file')).trim()
  const load = numberIn(text)
  if (load !== undefined) return passed(`load ${load}`, { load })
  const word = text.toUpperCase()
  if (word === 'UP') return passed('UP')
  return failed(word === 'DOWN' ? 'DOWN' : 'the file says neither UP nor DOWN nor a number')
}

/** Opens without waiting: of a pipe that nobody writes to, nothing comes. */
async function headOf(path: string): Promise<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MOST), 0, MOST, -1)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await file.close()
  }
}
