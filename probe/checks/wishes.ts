/** The assertions of one check, one by one, with the keys that each stands under. */
import type { Wanted } from './check.ts'
import type { AddressSetShape, CheckShape } from './shape.ts'

export type Written = {
  readonly wanted: Wanted
  readonly label: string
  /** From the check down to the value. */
  readonly keys: readonly PropertyKey[]
}

/** In the order of the schema. */
export function wishesOf(check: CheckShape): readonly Written[] {
  const { rotation, min_addresses: least, all_ns: all, addresses = {} } = check
  return [
    ...(rotation === undefined
      ? []
      : [plain({ kind: 'rotation', codes: list(rotation) }, 'rotation')]),
    ...setsOf(addresses).map(set => plain({ kind: 'addresses', set }, 'addresses', set.how)),
    ...(least === undefined ? [] : [plain({ kind: 'least', addresses: least }, 'min_addresses')]),
    ...ecsOf(check),
    ...Object.entries(check.by_country ?? {}).flatMap(([key, sets]) =>
      setsOf(sets).map(set =>
        plain({ kind: 'country', country: key.toUpperCase(), set }, 'by_country', key, set.how),
      ),
    ),
    ...ttlOf(check),
    ...(all === undefined ? [] : [plain({ kind: 'all-ns' }, 'all_ns')]),
    ...forbidden(check.forbid ?? [], ['forbid']),
  ]
}

function plain(wanted: Wanted, ...keys: readonly string[]): Written {
  return { wanted, label: keys.join('.'), keys }
}

function ecsOf({ ecs = {} }: CheckShape): readonly Written[] {
  const { verdict, scope = {} } = ecs
  return [
    ...(verdict === undefined
      ? []
      : [plain({ kind: 'verdict', words: list(verdict) }, 'ecs', 'verdict')]),
    ...(['min', 'max'] as const).flatMap(bound => {
      const bits = scope[bound]
      return bits === undefined
        ? []
        : [plain({ kind: 'scope', bound, bits }, 'ecs', 'scope', bound)]
    }),
    ...forbidden(ecs.forbid ?? [], ['ecs', 'forbid']),
  ]
}

function ttlOf({ ttl = {} }: CheckShape): readonly Written[] {
  const { policy } = ttl
  return [
    ...(['min', 'max'] as const).flatMap(bound => {
      const seconds = ttl[bound]
      return seconds === undefined ? [] : [plain({ kind: 'ttl', bound, seconds }, 'ttl', bound)]
    }),
    ...(policy === undefined ? [] : [plain({ kind: 'ttl-policy', policy }, 'ttl', 'policy')]),
  ]
}

function forbidden(ids: readonly string[], keys: readonly string[]): readonly Written[] {
  return ids.map((id, at) => ({
    wanted: { kind: 'forbid', id },
    label: [...keys, id].join('.'),
    keys: [...keys, at],
  }))
}

type Sets = Extract<Wanted, { readonly kind: 'addresses' }>['set']

function setsOf(written: AddressSetShape): readonly Sets[] {
  return (['exactly', 'contains', 'within'] as const).flatMap(how => {
    const found = written[how]
    return found === undefined ? [] : [{ how, list: found }]
  })
}

function list(words: string | readonly string[]): readonly string[] {
  return typeof words === 'string' ? [words] : words
}
