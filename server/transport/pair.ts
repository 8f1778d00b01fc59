/**
 * A certificate and its key as PEM text: what is wrong with them, before anybody is served with them.
 * Reads no files.
 */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import { type Wrong, wrong } from '../fault.ts'

/** Which of the two is wrong, and how. */
export type Flaw = { readonly of: 'cert' | 'key'; readonly reason: Wrong }

export function flawOfPair(cert: Buffer, key: Buffer): Flaw | undefined {
  const certificate = tried(() => new X509Certificate(cert))
  if (certificate === undefined) {
    const fix = 'write it as PEM, the certificates above it behind it'
    return { of: 'cert', reason: wrong('holds no certificate that can be read', fix) }
  }
  const secret = tried(() => createPrivateKey(key))
  if (secret === undefined) return { of: 'key', reason: flawOfKey(key) }
  if (!certificate.checkPrivateKey(secret)) {
    const fix = 'name the key that the certificate was made for'
    return { of: 'key', reason: wrong('is the key of another certificate', fix) }
  }
  return flawOfUse(cert, key, secret)
}

/** @returns a warning for what is good and no client will believe */
export function remarkOfPair(cert: Buffer, now: number): Wrong | undefined {
  const certificate = tried(() => new X509Certificate(cert))
  if (certificate === undefined) return undefined
  const { validFrom, validTo } = certificate
  if (Date.parse(validTo) < now) return wrong(`has expired: ${validTo}`, 'have it renewed')
  if (Date.parse(validFrom) > now) return wrong(`is not valid before ${validFrom}`)
  return undefined
}

function flawOfKey(key: Buffer): Wrong {
  const isEncrypted = key.includes('ENCRYPTED')
  return isEncrypted
    ? wrong('is an encrypted key', 'store it without a passphrase, for one user to read')
    : wrong('holds no key that can be read', 'write it as PEM, without a passphrase')
}

/** Each is good, and OpenSSL will not serve with them: a key that is too short, for example. */
function flawOfUse(cert: Buffer, key: Buffer, { asymmetricKeyType }: KeyObject): Flaw | undefined {
  try {
    createSecureContext({ cert, key })
    return undefined
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    const what = `cannot be served with (${asymmetricKeyType ?? 'of no known type'}): ${why}`
    return { of: 'cert', reason: wrong(what, 'make another') }
  }
}

function tried<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
