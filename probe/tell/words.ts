/**
 * What to do about each verdict: one line under the sentence. A table, so that no code is without.
 */
import type { EcsCode, RotationCode } from '../judge/verdict.ts'

// biome-ignore format: table
export const NEXT: Readonly<Record<EcsCode | RotationCode, string>> = {
  geo:                'nothing to do; keep the scopes under watch with --expect geo',
  'geo-unaggregated': 'merge neighbouring networks that are answered alike: fewer queries, more cache hits',
  'scope-theatre':    'return scope 0 where the subnet is not used, so that one cache entry serves all',
  'lying-scope':      'return the length of the network that decided as scope; 0 only where everybody gets the same',
  'broken-scope':     'make scopes the leaves of one partition: disjoint, and the same for all inside',
  'prefix-sharding':  'if that is a hash, it moves nobody closer; if it is geography finer than a region, ask with --subnet in known places',
  'no-echo':          'return the option with its scope in every reply to a query that has one',
  'single-answer':    'to see whether anycast steers, compare latency or routes from several places: DNS does not show it',
  'static-pool':      'to see what order the list comes in, use dns2',
  rotation:           'to see how it rotates, use dns2',
  'no-ecs':           'a server may still steer by the address of the resolver; ask from other places to see',
  'partial-ecs':      'switch client subnets on at every name server of the zone, with the same data',
  data:               'ask again with more subnets (five or more in each of several regions), or when fewer replies get lost',
  path:               'ask the authoritative servers (@auth) instead of a resolver',
  cached:             'ask the authoritative servers (@auth), or wait between queries for longer than the TTL',
  refused:            'ask without --subnet, or another server; refusing client subnets is its right, failing to answer is not',
  'shuffled-list':    'order is a hint only: resolvers and client libraries may sort again (RFC 6724)',
  'cyclic-list':      'order is a hint only: resolvers and client libraries may sort again (RFC 6724)',
  'fixed-list':       'clients that take the first address all go to one place: shuffle the list',
  'rotating-one':     'the server chooses for as long as the TTL lasts: keep it as short as the choice is good for',
  'rotating-subset':  'ask more often (-n) to see the whole pool',
  single:             'nothing is balanced by DNS here; anycast or a proxy behind the address may do it',
  drifting:           'ask again: if it has settled, something was changed or a health check moved',
  empty:              'check the name and the type; many names have no AAAA',
  unclear:            'ask again with a greater -n or a longer --timeout',
}
