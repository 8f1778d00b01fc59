/** Pages of the findings about the rest of a reply, DNS001 … DNS008. Data only. */
import type { FindingId } from '../../judge/finding.ts'
import type { Page } from './page.ts'

export const DNS_FINDINGS = {
  DNS001: {
    means: 'A negative answer carries no SOA record.',
    shown:
      'Replies without answer, without SOA, and without name servers of another zone are counted.',
    matters:
      'The SOA says for how long "there is none" may be kept: without it every client asks again.',
    next: "Put the zone's SOA into the authority section of NXDOMAIN and NODATA.",
    unless: 'A server that is not responsible for the name and has nothing to say.',
  },
  DNS002: {
    means: 'The server answers only when the query has no EDNS.',
    shown: 'FORMERR, NOTIMP or BADVERS with EDNS, and an answer to the same question without.',
    matters:
      'No client subnet, no large replies and no DNSSEC; some resolvers do not try again without EDNS.',
    next: 'Ignore what is not understood of EDNS, and answer.',
    unless: 'A firewall that does not know EDNS before a server that does.',
  },
  DNS003: {
    means: 'Replies cannot be read, or end before they say they do.',
    shown:
      'Every reply is read in full, names and lengths checked; unreadable ones are counted and not used.',
    matters: 'Resolvers drop them: to clients the name fails now and then.',
    next: 'Look at the reply in a packet capture; send TC where it does not fit.',
    unless: 'A path that cuts large datagrams: try +tcp.',
  },
  DNS004: {
    means:
      'Replies came that do not belong to the query: another ID, question or address. They were ignored.',
    shown:
      'Each reply is held against ID, question and source of the query, while waiting goes on.',
    matters:
      'It may be somebody who forges replies, or a server that answers from another address, which many clients drop.',
    next: 'See who sends them; answer from the address that was asked.',
    unless: 'Late replies to earlier queries, where sockets are shared by a NAT.',
  },
  DNS005: {
    means: 'Aliases stand in the wrong order, or lead round in a circle.',
    shown: 'The answer section is followed from the name asked, link by link.',
    matters: 'Some clients read from the top and find no address; a circle has none for anybody.',
    next: 'Put each CNAME before what it leads to; take the circle apart.',
    unless: 'A middlebox that sorts the answer.',
  },
  DNS006: {
    means: 'Records of other owners stand in the answer. They were not counted.',
    shown: 'Only the name asked, and what its aliases lead to, count as an answer.',
    matters: 'A resolver that believes them could be made to believe anything.',
    next: 'Answer with the records of the name asked only.',
    unless: 'A DNAME whose own record is missing.',
  },
  DNS007: {
    means: 'The OPT record stands outside the additional section.',
    shown: 'Its section is looked at; there it does not count as EDNS.',
    matters: 'Clients take it for an unknown answer, or reject the reply.',
    next: 'Put OPT into the additional section, once, owned by the root.',
    unless:
      'A server that fills sections in the wrong order: the other records may be astray as well.',
  },
  DNS008: {
    means: 'The server limits its response rate.',
    shown:
      'At least three replies came over TCP only, as UDP was dropped or, at least once, cut to an empty TC, at a server that answers over UDP as well.',
    matters: 'What it drops is no failure of the name; asking faster only loses more.',
    next: 'Ask more slowly with --rate, or over @tcp://; the pace was halved already.',
    unless: 'A server that cuts every answer of some kind to TC, and a path that loses datagrams.',
  },
} as const satisfies Readonly<Partial<Record<FindingId, Page>>>
