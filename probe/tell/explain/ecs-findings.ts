/** Pages of the findings about client subnets, ECS001 … ECS019. Data only. */
import type { FindingId } from '../../judge/finding.ts'
import type { Page } from './page.ts'

export const ECS_FINDINGS = {
  ECS001: {
    means:
      'Some replies to queries with a client subnet come back without the option, though the server uses it or answers by it.',
    shown:
      'Replies without the option are counted beside those with it; the places are subnets. See "echo" of each row.',
    matters:
      "Without the option a cache takes the answer to be good for everybody, and hands one network's answer to all others.",
    next: 'Return the option in every reply to a query that has one: negative, CNAME and error replies too.',
    unless:
      'A load balancer before several servers of which one does no ECS; ask each address by itself, or -v and look at NSID.',
  },
  ECS002: {
    means:
      'FAMILY, SOURCE or ADDRESS in a reply are not those of the query, or the option is malformed, or its SCOPE is longer than an address.',
    shown:
      'The option is compared octet by octet with what was sent; --json has both, as "sent" and "got".',
    matters:
      'Resolvers must drop such a reply as if it were forged: clients wait, and then get an answer that is not tailored, or none.',
    next: 'Copy the three fields from the query as they came, shortened or not; set SCOPE only.',
    unless:
      'Something on the way that asks on behalf of its own network: compare with the authoritative servers (@auth).',
  },
  ECS003: {
    means: 'A query without a client subnet was answered with one.',
    shown: 'The control queries without the option show it; it takes one such reply.',
    matters:
      'A client that did not ask may be unable to read the option, and a resolver may file the answer under the wrong network.',
    next: 'Send the option only to those who sent one.',
    unless: 'A forwarder that adds the option to what passes and leaves it in the reply.',
  },
  ECS004: {
    means: 'Subnets are answered differently, while SCOPE says 0: good for everybody.',
    shown:
      'The permutation test shows that answers depend on the subnet; the places were answered with scope 0.',
    matters:
      'The first answer that a resolver caches is given to all its clients, wherever they are.',
    next: 'Return the length of the network that decided. Scope 0 is for names that are the same for everybody.',
    unless:
      'Two data sets behind one address, of which one does not tailor: look for "by-instance", ask for NSID.',
  },
  ECS005: {
    means: 'Scopes are above 0, yet everybody gets the same.',
    shown:
      'No difference between subnets of several regions in all rounds; the evidence says which share of networks could be missed.',
    matters:
      'Resolvers keep a copy for each network and ask again for each: many times the queries and the latency, for nothing.',
    next: 'Return scope 0 where the subnet is not used.',
    unless:
      'A name that is tailored for networks that were not asked for: --country and --subnet ask for others.',
  },
  ECS006: {
    means:
      'A block that a reply claims to cover holds networks that are answered otherwise, or another block that overlaps it.',
    shown:
      'All scopes are held against each other, and networks inside each block are asked for: the first, the last, some between.',
    matters:
      "What clients get depends on who asked first: some are sent to another network's place until the TTL ends.",
    next: 'Make scopes the leaves of one partition of the address space: disjoint, and the same for all inside. lbprobe map draws it.',
    unless: 'Data that were changed while it was asked: ask again.',
  },
  ECS007: {
    means:
      'SCOPE is longer than the SOURCE that was sent: the answer wants more bits than it was told.',
    shown:
      'SCOPE and SOURCE of each exact reply are compared. Past /24 or /56 it is a warning, else a note.',
    matters:
      'Resolvers that never send more, as public ones do, can use the answer for that one query length only, and cache little.',
    next: 'Steer by networks no longer than /24 and /56.',
    unless:
      'A constant scope, such as /32 to everybody; that is a habit of the software, not a need.',
  },
  ECS008: {
    means: 'NXDOMAIN or NODATA comes with a scope above 0.',
    shown: 'Negative replies with an exact option are counted.',
    matters:
      'Resolvers keep negative answers for everybody whatever the scope says: a name that is missing for some is missing for all.',
    next: 'Answer that a name or type does not exist to all alike, with scope 0.',
    unless:
      'A name with addresses for some networks only: the same fault, seen from the other side ("mixed-negative").',
  },
  ECS009: {
    means: 'A referral to the name servers of another zone comes with a scope above 0.',
    shown:
      'A reply without answer and without SOA that names other servers is a referral; its scope is read.',
    matters:
      'Delegations are kept for everybody: whose servers are asked would depend on who came first.',
    next: 'Return scope 0 with a referral.',
    unless: 'A server asked that is not the authority of the name: ask @auth.',
  },
  ECS010: {
    means: 'An authority gives more than the first alias in one tailored reply.',
    shown: 'Authoritative replies that have a scope above 0, a CNAME, and more behind it.',
    matters:
      'One scope stands for the whole chain, and resolvers may drop all but the first link and ask again.',
    next: 'Nothing, if the chain is all in one zone and one scope is true for it.',
    unless: 'A chain within one zone, which many servers complete out of courtesy.',
  },
  ECS011: {
    means: 'Malformed options are answered as if they were in order.',
    shown:
      'With --hostile six are sent once each: bits past SOURCE, too few and too many octets, SOURCE past the end, unknown FAMILY, SCOPE set.',
    matters:
      "A client's mistake stays unseen, and two spellings of one network may be two entries of a cache.",
    next: 'Return FORMERR to options that are not well-formed.',
    unless: 'A middlebox that repairs or removes the option before the server sees it.',
  },
  ECS012: {
    means:
      'A private subnet (RFC 1918, RFC 4193) gets an answer of its own, or a scope that does not cover the private block.',
    shown:
      '10.53.0.0/24, and fd00::/56 where the panel has IPv6, are asked for three times and compared with no option and SOURCE 0.',
    matters:
      'Private addresses say nothing of where somebody is: all who send one would share what was meant for one of them.',
    next: 'Treat private networks as the address that asks, with a scope no longer than the private block.',
    unless: 'A split horizon on purpose, for clients inside: then it is as it should be.',
  },
  ECS013: {
    means:
      'Name servers of the zone do not do client subnets alike: one has none, or other scopes.',
    shown:
      'Every name server is asked for one subnet in each round; lbprobe diff compares them in full.',
    matters:
      'Answers of the one without ECS are good for everybody, and soon fill the caches of those who use ECS.',
    next: 'Switch client subnets on at every name server, with the same data.',
    unless: 'A change that has not reached all servers yet: compare SOA serials.',
  },
  ECS014: {
    means:
      'A query with SOURCE 0 (the client would rather not say) is answered otherwise than one without the option, or with a scope.',
    shown:
      'Both are asked in every round, for IPv4 and IPv6; three replies that are all alike on each side are compared.',
    matters: 'Who asks not to be located is located, or is sent to a place that nobody else gets.',
    next: 'Answer SOURCE 0 as a query without the option, with scope 0.',
    unless: 'A change between the queries, where each side has been constant by luck.',
  },
  ECS015: {
    means: 'Types of DNSSEC (DNSKEY, DS, NSEC) are answered with a scope above 0.',
    shown: 'Each is asked for once, with the first subnet of the panel.',
    matters:
      'Keys and proofs must be the same for everybody; a cache that keeps them by network asks for them again and again.',
    next: 'Return scope 0 for types that are not steered.',
    unless:
      'Software that sets one scope for a name, whatever the type. Harmless where resolvers ignore it.',
  },
  ECS016: {
    means: 'A and AAAA of one name do not do client subnets alike.',
    shown: 'Both judgements are held side by side: scopes above 0, scope 0, or no option.',
    matters: 'Clients with both families use either, so half of them are steered and half are not.',
    next: 'Steer both families by the same rule.',
    unless: 'A family that is served at one place only: then nothing can be steered.',
  },
  ECS017: {
    means: 'Queries with a client subnet get an error, and without it they succeed.',
    shown: 'Reply codes with the option beside those of the control queries without it.',
    matters:
      'Resolvers that send the option must ask twice, or fail: users of those resolvers see a slow or broken name.',
    next: 'Ignore the option where it is not wanted; never answer it with an error.',
    unless: 'A server that refuses this prefix length or the sender only: try a shorter --subnet.',
  },
  ECS018: {
    means: 'A resolver answered. Its option shows what it says, not what it passed on.',
    shown: 'No reply is authoritative, and recursion is on offer.',
    matters:
      "Some resolvers echo the client's subnet and ask with another one: the measurement is then about that one.",
    next: 'Ask the authoritative servers (@auth), or calibrate the resolver first: lbprobe resolver.',
    unless: 'An authority that sets RA and not AA by mistake.',
  },
  ECS019: {
    means: 'The server also returns an option that nobody knows: it echoes whatever it gets.',
    shown:
      'An option for local use (65432) goes along with SOURCE 0, where no sample depends on it.',
    matters: 'That the client subnet comes back proves nothing then, and neither does scope 0.',
    next: 'Ignore unknown options, as RFC 6891 has it.',
    unless: 'A middlebox that reflects the whole OPT record.',
  },
} as const satisfies Readonly<Partial<Record<FindingId, Page>>>
