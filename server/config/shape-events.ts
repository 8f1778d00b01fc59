/** The schema of `events`: who is told of what happens, and of what of it. */
import * as z from 'zod'
import { type At, type Wrong, wrong } from '../fault.ts'
import { ANY_LIST, ANY_MAPPING, distinct, keyed, reading, refuse, word } from './brick.ts'
import type { EventKind, Hook } from './config.ts'
import { isLoopback } from './loopback.ts'
import { path } from './shape-scalar.ts'

const MOST_HOOKS = 8

const KINDS = [
  ...(['verdict', 'pool', 'override'] as const),
  ...(['reloaded', 'reload refused', 'planned'] as const),
] satisfies EventKind[]

export function eventsShape() {
  const alone = url.transform((url): WrittenHook => ({ url }))
  const one = z.union([alone, hookShape()], { error: 'a URL, or a mapping with url' })
  const several = z
    .array(one)
    .min(1)
    .superRefine(distinct(keyOf, twice), ANY_LIST)
    .superRefine(few, ANY_LIST)
  return keyed({
    webhook: z
      .union([alone, hookShape(), several], {
        error: 'a URL, a mapping with url, or a list of them',
      })
      .optional()
      .describe('URLs that events are posted to as JSON, one a request, in order: one, or a list.'),
  })
}

type WrittenHook = z.output<ReturnType<typeof hookShape>>
type WrittenEvents = z.output<ReturnType<typeof eventsShape>>

/** @param at where the value at a path stands */
export function hooksOf(
  { webhook = [] }: WrittenEvents,
  at: (...path: readonly (string | number)[]) => At,
): Hook[] {
  if (!Array.isArray(webhook))
    return [hookOf(webhook, (...path) => at('events', 'webhook', ...path))]
  return webhook.map((one, index) =>
    hookOf(one, (...path) => at('events', 'webhook', index, ...path)),
  )
}

function hookOf(written: WrittenHook, at: (...path: readonly string[]) => At): Hook {
  const { kinds, secret_file: secret, token_file: token, url } = written
  return {
    url,
    tokenFile: token === undefined ? undefined : { path: token, at: at('token_file') },
    secretFile: secret === undefined ? undefined : { path: secret, at: at('secret_file') },
    kinds,
    at: at(),
  }
}

const url = reading(z.string().meta({ examples: ['https://hooks.example.com/lbdns'] }), urlFrom)

function hookShape() {
  return keyed({
    url: url.describe('Where events are posted.'),
    token_file: path
      .optional()
      .describe('A file with the token that is sent along; nobody else may read it.'),
    secret_file: path
      .optional()
      .describe(
        'A file with the secret that each body is signed with; nobody else may read it. ' +
          'X-Lbdns-Signature is sha256= and the HMAC in hexadecimal digits.',
      ),
    kinds: z
      .array(word('kind of event', KINDS))
      .min(1)
      .optional()
      .describe('Only events of these kinds are posted. Default: all.'),
  }).superRefine(secretly, ANY_MAPPING)
}

function urlFrom(text: string): string | Wrong {
  if (/^https?:\/\/[^/?#]*@/i.test(text)) {
    return wrong('a URL with a password ends up where URLs are shown', 'use token_file:')
  }
  const isPlain = /^https?:\/\/[!-~]+$/i.test(text) && !text.includes('#')
  if (isPlain && z.url().safeParse(text).success) return text
  return wrong(
    `${text || '""'} is no URL to post to`,
    'write it like https://hooks.example.com/lbdns',
  )
}

/** What goes over plain HTTP is read by whoever stands between. */
function secretly(hook: Readonly<Record<string, unknown>>, context: z.core.$RefinementCtx): void {
  if (typeof hook.url !== 'string' || !Object.hasOwn(hook, 'token_file')) return
  const [, host] = /^http:\/\/(\[[^\]]*\]|[^/:?]*)/i.exec(hook.url) ?? []
  if (host === undefined || isLoopback(host.replace(/^\[|\]$/g, ''))) return
  const reason = wrong('over plain HTTP the token can be read on its way', 'write https://')
  refuse(context, ['url'], { reason, spot: 'value' })
}

function few(hooks: readonly unknown[], context: z.core.$RefinementCtx): void {
  if (hooks.length <= MOST_HOOKS) return
  const reason = wrong(`more than ${MOST_HOOKS} webhooks`, 'let one of them tell others')
  refuse(context, [MOST_HOOKS], { reason, spot: 'value' })
}

function keyOf(hook: WrittenHook | string): string | undefined {
  return typeof hook === 'string' ? hook : hook.url
}

function twice(url: string): Wrong {
  return wrong(`${url} stands in webhook twice`, 'keep one of them')
}
