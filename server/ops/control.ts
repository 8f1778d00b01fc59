/**
 * What control sockets and the admin API have in common: a request comes in as JSON that may be
 * anything, and one reply goes out. Knows no socket; what obeys is an argument.
 */
import type { Request } from './request.ts'

/** Obeys one request. Never rejects. */
export type Obey = (request: Request, author: string) => Promise<Reply>

export type Reply =
  | { readonly ok: true; readonly value: unknown }
  /** Sentences. `usage`: what was asked is wrong; `failed`: it could not be done. */
  | { readonly ok: false; readonly code: 'usage' | 'failed'; readonly problems: readonly string[] }

export function refused(code: 'usage' | 'failed', ...problems: readonly string[]): Reply {
  return { ok: false, code, problems }
}

/**
 * Reads what came and obeys it. The schema is opened by the first who asks.
 *
 * @param author who asks, as far as is known; a request may tell better
 */
export async function attend(obey: Obey, written: unknown, author: string): Promise<Reply> {
  const { requestFrom } = await import('./request.ts')
  const read = requestFrom(written)
  if (!read.ok) return refused('usage', ...read.problems)
  const { request } = read
  return obey(request, request.author ?? author)
}
