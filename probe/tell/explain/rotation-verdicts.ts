/** Pages of the codes of `dns2`. What to do about each stands in `tell/words.ts`. Data only. */
import type { RotationCode } from '../../judge/verdict.ts'
import type { Page } from './page.ts'

export const ROTATION_VERDICTS: Readonly<Record<RotationCode, Omit<Page, 'next'>>> = {
  'shuffled-list': {
    means: 'The whole list each time, in another order.',
    shown: 'The same set in every reply and no two orders that follow from each other.',
    matters: 'The client chooses; most take the first, so load spreads evenly.',
    unless: 'A resolver that shuffles what the authority gives in one order: ask @auth.',
    section: 'RFC 1794',
  },
  'cyclic-list': {
    means: 'The whole list each time, turned like a wheel.',
    shown: 'The same set in every reply, and all orders are turns of one.',
    matters:
      'As a shuffled list, but each address is always followed by the same: when one fails, its follower gets double.',
    unless: 'Turns by the resolver: ask @auth.',
    section: 'RFC 1794',
  },
  'fixed-list': {
    means: 'The whole list each time, in one order.',
    shown: 'Twenty equal orders have a chance of 2⁻¹⁹ under a fair shuffle of two.',
    matters: 'Most clients take the first address: the others stand idle.',
    unless: 'A resolver or cache that gives one stored order: ask @auth.',
    section: 'RFC 1794',
  },
  'rotating-one': {
    means: 'One address at a time, out of a pool.',
    shown:
      'Every reply holds one address, and not always the same; the evidence estimates the pool.',
    matters: 'The server chooses, for as long as the TTL lasts.',
    unless: 'Steering by the client: ecs tells.',
    section: 'RFC 1794',
  },
  'rotating-subset': {
    means: 'Some addresses at a time, out of a larger pool.',
    shown:
      "Replies hold several addresses, and different sets; Chao's estimate says how many there may be.",
    matters: 'The server chooses a few, the client one of them.',
    unless: 'Health checks that take addresses in and out while it is asked.',
    section: 'RFC 1794',
  },
  single: {
    means: 'One address, always the same.',
    shown: 'Equal replies in a row; the evidence says how likely a rotating pool would look so.',
    matters: 'Nothing is balanced by DNS.',
    unless: 'A cache, or a choice by client address: ask from elsewhere, or use ecs.',
    section: 'no clause: a name may have one address',
  },
  drifting: {
    means: 'The answer changed while it was asked, and stayed changed.',
    shown: 'Equal answers stand side by side more than chance would put them.',
    matters: 'A deploy or a health check, no rotation; figures over both halves mean nothing.',
    unless: 'A rotation slower than the queries, such as one step a minute.',
    section: 'no clause: a matter of evidence',
  },
  empty: {
    means: 'No record of this type.',
    shown: 'All replies hold no answer; the sentence says whether the name exists.',
    matters: 'There is nothing to balance. Many names have no AAAA.',
    unless: 'A typing mistake, or a server that is not responsible for the name.',
    section: 'RFC 2308 §2',
  },
  cached: {
    means: 'The answers come out of a cache.',
    shown: 'TTLs count down in time, from one to the next reply.',
    matters: "Order and choice are the cache's doing, not the authority's.",
    unless: 'An authority whose TTL follows its health checks: it falls, but not with the clock.',
    section: 'RFC 1035 §3.2.1',
  },
  unclear: {
    means: 'Too few usable replies.',
    shown: 'The sentence says what came: errors, silence, or too few equal answers.',
    matters: 'Constant and rotating cannot be told apart from so little.',
    unless: 'A server that drops repeated questions: lower --rate, or use --interval.',
    section: 'no clause: a matter of evidence',
  },
}
