/** Pages of the codes of `ecs`. What to do about each stands in `tell/words.ts`. Data only. */
import type { EcsCode } from '../../judge/verdict.ts'
import type { Page } from './page.ts'

export const ECS_VERDICTS: Readonly<Record<EcsCode, Omit<Page, 'next'>>> = {
  geo: {
    means: 'Answers go with the region of the client, and each scope is true.',
    shown:
      'Both tests under their limit, no overlap, and every sample inside a block answered as the block.',
    matters: 'This is what geoDNS should be: caches can hold it without mixing clients up.',
    unless:
      'A fault smaller than the samples find: the last line says how large one may be; --thorough takes 29 a block.',
    section: 'RFC 7871 §7.2.1',
  },
  'geo-unaggregated': {
    means:
      'As geo, but scopes are copies of SOURCE, or over four times finer than the answers need.',
    shown:
      'Neighbouring blocks are asked for, and shorter sources: how many are answered alike gives "times as fine as needed".',
    matters: 'True, but costly: caches keep a copy for each small network, and ask for each.',
    unless: 'Neighbours that happen to be alike today, and are steered apart on purpose.',
    section: 'RFC 7871 §7.2.1',
  },
  'scope-theatre': {
    means: 'Scopes are above 0, while everybody gets the same.',
    shown:
      'No difference in any round, or none beyond rotation after the last look; the scopes are in the table.',
    matters:
      'Resolvers keep a copy a network for nothing. It is called fake geoDNS because it looks like it.',
    unless:
      'A few networks that are steered and were not asked for: the sentence says how small a share that would be.',
    section: 'RFC 7871 §12.1',
  },
  'lying-scope': {
    means: 'Answers depend on the subnet, and scope 0 says they do not.',
    shown:
      'The first test is under its limit, and replies of that kind came with scope 0 (ECS004).',
    matters: 'One cached answer is given to all clients of a resolver.',
    unless: 'A private or special subnet in the panel, which is allowed scope 0.',
    section: 'RFC 7871 §7.2.1',
  },
  'broken-scope': {
    means: 'Tailored, but scopes overlap, or blocks hold networks that are answered otherwise.',
    shown: 'ECS006 names the blocks and the networks in them.',
    matters: 'Which answer a client gets depends on who asked before.',
    unless: 'Data that were changed between the rounds and the samples: ask again.',
    section: 'RFC 7871 §7.2.1, §7.3.1',
  },
  'prefix-sharding': {
    means: 'Answers depend on the prefix and not on the region: a hash, or stickiness.',
    shown: 'Subnets of one region disagree about as much as those of two; the second test says so.',
    matters: 'Load is spread, but nobody is sent closer.',
    unless: 'Geography finer than regions, such as cities: ask with --subnet in known places.',
    section: 'no clause: how a name steers is its own affair',
  },
  'no-echo': {
    means: 'Answers depend on the subnet, and no reply returns the option.',
    shown: 'The first test is under its limit; every reply lacks the option (ECS001).',
    matters: 'Caches take each answer to be good for everybody.',
    unless: 'A proxy on the way that strips the option from replies.',
    section: 'RFC 7871 §7.2.1',
  },
  'single-answer': {
    means: 'One address for everybody.',
    shown: 'All replies of the first three rounds are alike: nothing more was asked.',
    matters: 'DNS does not steer. Anycast behind that address may.',
    unless: 'A steered share smaller than the sentence says could be missed.',
    section: 'RFC 7871 §7.2.1',
  },
  'static-pool': {
    means: 'The same set of addresses for everybody, in whatever order.',
    shown: 'All sets of the first three rounds are alike. Order is no part of a set.',
    matters: 'DNS does not steer; the client chooses from the list.',
    unless: 'A steered share smaller than the sentence says could be missed.',
    section: 'RFC 1794',
  },
  rotation: {
    means: 'Answers vary, but not with the subnet.',
    shown: 'After eight rounds subnets differ no more from each other than each does from itself.',
    matters:
      'With one query a subnet this looks like geoDNS: one of eight addresses differs in 87.5 % of pairs.',
    unless: 'Steering weaker than eight rounds can show, hidden in a large rotating pool.',
    section: 'RFC 1794',
  },
  'no-ecs': {
    means: 'No reply returns the option, and answers do not depend on it.',
    shown: 'No option in any reply, and no difference between subnets.',
    matters: 'Clients of far resolvers are served by the place of the resolver, if by any.',
    unless:
      'A server that does client subnets only for resolvers that it knows (Akamai does): your address is not on its list.',
    section: 'RFC 7871 §7.2.1',
  },
  empty: {
    means: 'No record of this type for any subnet: NODATA, NXDOMAIN, or a referral.',
    shown: 'All replies hold no answer; the sentence says which kind.',
    matters: 'There is nothing to steer. Many names have no AAAA.',
    unless: 'A typing mistake, or a server that is not responsible for the name.',
    section: 'RFC 2308 §2',
  },
  'partial-ecs': {
    means: 'Some replies return the option and some do not, by name server or by chance.',
    shown:
      'Each name server\'s habit stands in ECS013; "otherwise:" is what it would be but for that.',
    matters: 'Answers without the option are kept for everybody and push out the tailored ones.',
    unless: 'A roll-out under way: ask again later.',
    section: "Google's guideline: all name servers of a zone must agree",
  },
  data: {
    means: 'Too few whole rounds, or too few subnets that differ, to tell steering from chance.',
    shown:
      'A round counts where three subnets in four were answered; at least three rounds are needed.',
    matters: 'A guess would be wrong too often. Nothing is said rather than that.',
    unless: 'A server that limits its rate: lower --rate, or wait.',
    section: 'no clause: a matter of evidence',
  },
  path: {
    means: 'The option does not come back as it was sent, in most replies.',
    shown: 'ECS002 counts them; --json has "sent" and "got" of every query.',
    matters: "What was measured is somebody else's question.",
    unless: 'An authority that writes its own address into the option.',
    section: 'RFC 7871 §11.2',
  },
  cached: {
    means: 'Answers come out of a cache that was never filled anew meanwhile.',
    shown:
      'TTLs fall in time and never rise; or a resolver answers and most subnets were never fetched again.',
    matters: 'A frozen rotation looks exactly like geography.',
    unless: 'An authority that lowers its TTLs with the clock.',
    section: 'RFC 1035 §3.2.1',
  },
  refused: {
    means: 'Queries with a client subnet are answered with an error.',
    shown: 'Reply codes with the option and without it (ECS017).',
    matters: 'Nothing can be said about steering; resolvers that send the option must ask twice.',
    unless:
      'A limit on prefix length or on who may ask: try another server, or a shorter --subnet.',
    section: 'RFC 7871 §7.1.1, §7.5',
  },
}
