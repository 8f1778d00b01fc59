/**
 * What health checks rely on and no file of ours says: programs that run, and certificates of those
 * who sign others. Looks at them when a configuration is loaded; runs and asks nothing.
 */
import { X509Certificate } from 'node:crypto'
import type { Config } from './config/config.ts'
import { problemAt, type Remarks, type Wrong, wrong } from './fault.ts'
import { beside, type Files, named } from './files.ts'

/** Programs may come later, and a check that cannot run one says so too: what is wrong only warns. */
export function checkPrograms(
  { programs }: Config,
  config: string,
  { flawOf }: Files,
  { warnings }: Remarks,
): void {
  for (const { path, at } of programs) {
    const flaw = flawOf(beside(config, path))
    if (flaw !== undefined) warnings.push(problemAt(at, named(path, flaw)))
  }
}

/** A file in which anything cannot be read would make a check fail everywhere. */
export function checkAuthorities({ authorities }: Config, { problems }: Remarks): void {
  for (const { at, path, pem } of authorities) {
    const flaw = flawOfCertificates(pem)
    if (flaw !== undefined) problems.push(problemAt(at, named(path, flaw)))
  }
}

/** RFC 7468 §5: text before, between and after certificates is nothing. */
const CERTIFICATES = /^-----BEGIN CERTIFICATE-----.*?^-----END CERTIFICATE-----/gms

function flawOfCertificates(pem: string): Wrong | undefined {
  const blocks = pem.match(CERTIFICATES) ?? []
  if (blocks.length === 0)
    return wrong('holds no certificate', 'write certificates into it, as PEM')
  const bad = blocks.findIndex(block => !isCertificate(block))
  if (bad < 0) return undefined
  return wrong(`holds a certificate that cannot be read: number ${bad + 1}`, 'write it anew')
}

function isCertificate(block: string): boolean {
  try {
    return new X509Certificate(block).raw.length > 0
  } catch {
    return false
  }
}
