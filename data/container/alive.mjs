/**
 * Exit code 0 where lbdns answers, 1 where nothing does: for HEALTHCHECK. It asks for a name that no
 * server has, so that whatever is said is good: mostly REFUSED.
 *
 * node alive.mjs [address:port]
 */
import { Resolver } from 'node:dns/promises'

const NAME = 'alive.invalid'
const SILENT = ['ECONNREFUSED', 'ETIMEOUT', 'ETIMEDOUT']

const [place = '127.0.0.1:53'] = process.argv.slice(2)
const resolver = new Resolver({ timeout: 2000, tries: 1 })
resolver.setServers([place])
try {
  await resolver.resolve4(NAME)
} catch ({ code }) {
  process.exitCode = SILENT.includes(code) ? 1 : 0
}
