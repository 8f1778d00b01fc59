/** Errors of sockets, files, programs and libraries as sentences: what a person reads of a failed try. */
import { wrong, wrongText } from '../fault.ts'
import { Failure } from './try-limit.ts'

const SENTENCES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  ECONNABORTED: 'connection reset',
  EPIPE: 'connection closed',
  ETIMEDOUT: 'no answer for so long that the system gave up',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no route to the network',
  EADDRNOTAVAIL: 'no address or port to ask from',
  EMFILE: 'too many files are open in this process',
  ENFILE: 'too many files are open on this machine',
  ENOTFOUND: 'the name has no address',
  EAI_AGAIN: 'the name cannot be resolved at present',
  EACCES: 'not permitted',
  EPERM: 'not permitted',
  ENOENT: 'no such file',
  ENOTDIR: 'no such file',
  EISDIR: 'a folder, not a file',
  ENOEXEC: 'not a program',
  ERR_STREAM_PREMATURE_CLOSE: 'connection closed',
  HPE_HEADER_OVERFLOW: 'header fields longer than 16 KiB',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  CERT_NOT_YET_VALID: 'the certificate is not valid yet',
  CERT_REVOKED: 'the certificate is revoked',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is signed by itself',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate is signed by nobody who is trusted',
  UNABLE_TO_GET_ISSUER_CERT: 'the certificate is signed by nobody who is trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate is signed by nobody who is trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate is signed by nobody who is trusted',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is of another name',
  ERR_SSL_WRONG_VERSION_NUMBER: 'what answers does not speak TLS',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'what answers does not speak TLS',
  ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL: 'the server does not offer HTTP/2',
}

/** Errors of a library, by how their code or name begins, and what they have in common. */
const FAMILIES: readonly (readonly [prefix: string, sentence: string])[] = [
  ['HPE_', 'the answer is not HTTP'],
  ['ERR_SSL_', 'the TLS handshake failed'],
  ['ERR_HTTP2_', 'the answer is not as HTTP/2 wants it'],
]

/** Names what went wrong; what nobody foresaw, in the words of the error. */
export function whyOf(error: unknown): string {
  if (!(error instanceof Error)) return 'it failed for a reason nobody knows'
  if (error instanceof Failure) return error.message
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (Object.hasOwn(SENTENCES, code)) return SENTENCES[code] ?? ''
  const [, sentence] =
    FAMILIES.find(([start]) => code.startsWith(start) || error.name.startsWith(start)) ?? []
  const words = wrongText(wrong(error.message || code || error.name)).replace(/\.$/, '')
  return sentence === undefined ? words : `${sentence}: ${words}`
}
