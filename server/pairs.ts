/**
 * The certificates and keys that a configuration names: looked at when it is loaded, so that all that is
 * wrong with them is told with the rest, and nothing is served with what is no use.
 */
import type { Config, Path, TlsFiles } from './config/config.ts'
import { isWrong, problemAt, type Remarks, type Wrong } from './fault.ts'
import { beside, type Files, named } from './files.ts'
import { flawOfPair, remarkOfPair } from './transport/pair.ts'

/** Each pair once, where it is first named. */
export function checkPairs({ listen }: Config, config: string, files: Files, into: Remarks): void {
  const pairs = new Map<string, TlsFiles>()
  for (const { tls } of listen) {
    if (tls !== undefined && !pairs.has(keyOf(tls))) pairs.set(keyOf(tls), tls)
  }
  for (const pair of pairs.values()) checkPair(pair, config, files, into)
}

function keyOf({ cert, key }: TlsFiles): string {
  return `${cert.path}\0${key.path}`
}

function checkPair(pair: TlsFiles, config: string, { read }: Files, into: Remarks): void {
  const say = (to: 'problems' | 'warnings', { at, path }: Path, reason: Wrong): void => {
    into[to].push(problemAt(at, named(path, reason)))
  }
  const cert = read(beside(config, pair.cert.path))
  const key = read(beside(config, pair.key.path))
  if (isWrong(cert)) say('problems', pair.cert, cert)
  if (isWrong(key)) say('problems', pair.key, key)
  if (isWrong(cert) || isWrong(key)) return
  const flaw = flawOfPair(cert, key)
  if (flaw !== undefined) say('problems', pair[flaw.of], flaw.reason)
  const remark = remarkOfPair(cert, Date.now())
  if (remark !== undefined) say('warnings', pair.cert, remark)
}
