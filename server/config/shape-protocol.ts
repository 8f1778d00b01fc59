/** The schema of what is said besides answers: DNS cookies, NSID, names that tell who asks. */
import * as z from 'zod'
import { wrong } from '../fault.ts'
import { distinct, keyed, reading, word } from './brick.ts'
import { secretFrom } from './cookies.ts'
import { ownerFrom } from './owner.ts'
import { onOff, path } from './shape-scalar.ts'

/** Octets of an NSID option, and of a character-string. */
const MOST_TEXT = 255

export function protocolOptions() {
  return {
    cookies: cookiesShape()
      .prefault({})
      .describe('DNS cookies, RFC 7873, that all servers of an address make alike (RFC 9018).'),
    nsid: nsid
      .optional()
      .describe(
        'What who asks for it is told of this node (NSID, RFC 5001): {node} is the identity, or the ' +
          'name of the host, {digest} what map.lbdns CH TXT answers. off: nothing. Default: the ' +
          'identity, where there is one.',
      ),
    whoami: whoami
      .optional()
      .describe(
        'Names that tell who asks, for diagnosis: in TXT the transport, the address it comes from, the ' +
          'client subnet, node and digest; in A or AAAA the address. With all below them, and in a ' +
          'zone that is served. Default: none.',
      ),
  }
}

function cookiesShape() {
  const secret = reading(z.string().meta({ pattern: '^[0-9a-fA-F]{32}$' }), secretFrom)
  const inFile = keyed({
    file: path.describe('A file of secrets, one a line. # begins a comment.'),
  })
  return keyed({
    enabled: onOff.prefault(true).describe('off: the option is neither read nor sent.'),
    secrets: z
      .union([z.array(secret).min(1).max(8), inFile], {
        error: 'a list of secrets, each 32 hex digits in quotes, or a mapping with file',
      })
      .optional()
      .describe(
        '32 hex digits each. The first makes cookies, all are accepted: to change it, put the new one ' +
          'second everywhere, then first, and take the old one out an hour later. Servers that share ' +
          'an address need the same. Default: one by chance, which a reload keeps.',
      ),
    require: word('demand', ['never', 'load', 'always'])
      .prefault('never')
      .describe(
        'When a query over UDP has to bring a valid cookie: load while there is more to do than can be ' +
          'done. Who has none is told to come over TCP.',
      ),
  })
}

const nsid = reading(
  z.string().meta({ examples: ['{node}', '{node} {digest}', 'off'] }),
  template => {
    if (!/^[ -~]+$/.test(template)) return wrong('NSID is plain ASCII text', 'or off')
    if (template.length > MOST_TEXT) return wrong(`NSID has at most ${MOST_TEXT} characters`)
    const [strange] = template.match(/\{(?!(?:node|digest)\})[^}]*\}?/) ?? []
    if (strange === undefined) return template
    return wrong(`${strange} stands for nothing here`, 'write {node} or {digest}')
  },
)

const owner = reading(z.string().meta({ examples: ['whoami.example.com'] }), text =>
  text.includes('*')
    ? wrong(`${text} has a *`, 'write the name alone: all below it answer too')
    : ownerFrom(text),
)

const names = z
  .array(owner)
  .min(1)
  .superRefine(
    distinct(
      name => (name instanceof Uint8Array ? name.join() : undefined),
      () => wrong('this name stands in whoami twice', 'keep one of them'),
    ),
  )

const whoami = z.union([owner.transform(one => [one]), names], {
  error: 'a name, or a list of names',
})
