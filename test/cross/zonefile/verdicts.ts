/**
 * Every class of file on which the loaders do not agree: who stands apart, and by which clause. The
 * test fails where a difference has no row, and where a row has no difference.
 */
import type { Tool } from './tools.ts'

export type Judge = Tool | 'lbdns'

export type Row = {
  /** Of what is strange in the file. */
  readonly files: RegExp
  readonly who: readonly Judge[]
  readonly clause: string
  readonly why: string
}

// biome-ignore format: table
export const DISAGREEMENTS: readonly Row[] = [
  // Octets and lines.
  { files: /^CRLF$/, who: ['knot'], clause: 'RFC 1035 §5.1', why: 'Knot 3.2 does not take CR for the end of a line' },
  { files: /^a CR in the middle/, who: ['bind', 'nsd'], clause: 'RFC 1035 §5.1', why: 'a CR alone ends no line: BIND and NSD take it for one' },
  { files: /^a form feed|^a NUL octet between/, who: ['ldns'], clause: 'RFC 1035 §5.1', why: 'ldns passes over lines that it cannot read' },
  { files: /^a NUL octet in a name/, who: ['bind', 'knot', 'nsd', 'ldns'], clause: 'RFC 2181 §11', why: 'any octet may be in a label: BIND and Knot refuse it bare, NSD cuts the name there, ldns leaves it out' },
  { files: /^a NUL octet in quotes/, who: ['knot', 'nsd', 'ldns'], clause: 'RFC 1035 §3.3', why: 'Knot refuses it bare, NSD cuts the string there, ldns leaves it out' },
  { files: /^an octet of 255/, who: ['knot'], clause: 'RFC 2181 §11', why: 'Knot takes it only as \\255' },
  { files: /^a BOM/, who: ['lbdns', 'ldns'], clause: 'RFC 3629 §6', why: 'it signs the file as UTF-8 and is no part of it: we and ldns pass over it' },
  // Parentheses and quotes.
  { files: /^parentheses glued/, who: ['ldns'], clause: 'RFC 1035 §5.1', why: 'ldns wants blanks around them' },
  { files: /^nested parentheses/, who: ['knot', 'nsd'], clause: 'RFC 1035 §5.1', why: 'nothing forbids them' },
  { files: /^a parenthesis never opened|^a quote never closed/, who: ['ldns'], clause: 'RFC 1035 §5.1', why: 'ldns guesses' },
  { files: /^a newline in quotes/, who: ['nsd'], clause: 'RFC 1035 §5.1', why: 'NSD takes it into the string' },
  { files: /^BC-149/, who: ['ldns'], clause: 'RFC 1035 §5.1', why: 'ldns guesses where the string ends' },
  { files: /^two strings without/, who: ['knot'], clause: 'RFC 1035 §5.1', why: 'Knot wants a blank between them' },
  { files: /^a quoted word behind/, who: ['knot', 'bind', 'nsd'], clause: 'RFC 1035 §5.1', why: 'a string begins with a quote or has none: BIND and NSD begin another one, Knot refuses, ldns and we keep the quotes' },
  { files: /^a quoted owner/, who: ['lbdns', 'knot'], clause: 'RFC 1035 §5.1', why: 'quotes are for strings, and a name is none' },
  { files: /^a quoted address/, who: ['lbdns', 'nsd'], clause: 'RFC 1035 §5.1', why: 'quotes keep blanks together: NSD and we take a quoted word for a word' },
  { files: /^BC-135 (past|two|a back)/, who: ['nsd'], clause: 'RFC 1035 §5.1', why: 'NSD reads on as if there were no escape' },
  { files: /^BC-143 a string of 256/, who: ['knot'], clause: 'RFC 1035 §3.3', why: 'Knot splits it in two' },
  { files: /^65,536 octets/, who: ['ldns'], clause: 'RFC 1035 §3.2.1', why: 'ldns cuts it off' },
  // What stands before the data.
  { files: /^owner left out, none/, who: ['nsd', 'ldns'], clause: 'RFC 1035 §5.1', why: 'there is no last stated owner: NSD and ldns take the origin' },
  { files: /^class before TTL/, who: ['ldns'], clause: 'RFC 1035 §5.1', why: 'either order is right' },
  { files: /^class CH|^TYPE65536|^BC-138 an unknown unit|^\$TTL of a word/, who: ['ldns'], clause: 'RFC 1035 §5.1', why: 'ldns does not look' },
  { files: /^CLASS1/, who: ['knot'], clause: 'RFC 3597 §5', why: 'Knot has no CLASS1' },
  { files: /^BC-094 TTL 2147483648|^TTL 4294967295/, who: ['lbdns', 'bind', 'nsd'], clause: 'RFC 2181 §8', why: 'no TTL: we refuse it; BIND takes it for 0, NSD for its default' },
  { files: /^TTL 4294967296/, who: ['nsd', 'ldns'], clause: 'RFC 2181 §8', why: 'NSD and ldns let it wrap around' },
  { files: /^\$ttl in lower/, who: ['ldns'], clause: 'RFC 1035 §5.1', why: 'ldns knows capitals only' },
  { files: /^BC-137 no \$TTL/, who: ['nsd', 'ldns'], clause: 'RFC 1035 §5.1', why: 'the last one stated, else the MINIMUM (RFC 2308 §4 came after): NSD and ldns take 3600' },
  { files: /^BC-139/, who: ['knot', 'nsd', 'ldns'], clause: 'RFC 1035 §5.1', why: 'relative to the origin before: Knot and NSD refuse it, ldns forgets the first' },
  { files: /^a directive that is none|^a name of 256/, who: ['ldns'], clause: 'RFC 1035 §2.3.4, §5.1', why: 'ldns passes over it' },
  { files: /^a label by a number past/, who: ['knot', 'nsd'], clause: 'RFC 1035 §5.1', why: 'Knot and NSD read on as if there were no escape' },
  { files: /^(BC-1(29|30|31) .*|\$TTL in the included|\$INCLUDE)$/, who: ['ldns'], clause: 'RFC 1035 §5.1', why: 'ldns has no $INCLUDE' },
  { files: /^BC-129 .* relative/, who: ['knot', 'nsd'], clause: 'RFC 1035 §5.1', why: 'a relative name is relative to the origin; Knot and NSD want an absolute one' },
  { files: /^BC-130 a quoted file/, who: ['nsd'], clause: 'RFC 1035 §5.1', why: 'NSD takes the quotes for a part of the name' },
  { files: /^BC-131/, who: ['nsd'], clause: 'RFC 1035 §5.1', why: 'the last stated owner of the file itself: NSD takes that of the included' },
  { files: /^\$GENERATE (with|in|of a|of an)|^\$GENERATE$/, who: ['knot', 'nsd', 'ldns'], clause: 'none', why: 'a directive of BIND, which we have and they have not' },
  // What records mean together.
  { files: /^an empty file|^only comments|^no SOA/, who: ['ldns'], clause: 'RFC 1035 §5.2', why: 'ldns reads records, not zones' },
  { files: /CNAME beside|beside CNAME|two CNAMEs|two DNAMEs|CNAME at the apex/, who: ['ldns'], clause: 'RFC 2181 §10.1', why: 'the same' },
  { files: /^no NS/, who: ['nsd', 'ldns'], clause: 'RFC 1035 §5.2', why: 'NSD serves a zone without NS' },
  { files: /^the same SOA twice/, who: ['nsd'], clause: 'RFC 2181 §5', why: 'the same record twice is one record' },
  { files: /^two SOAs|^SOA below/, who: ['knot', 'ldns'], clause: 'RFC 1035 §5.2', why: 'Knot takes the first and passes over the others' },
  { files: /out of the zone|above the zone|similar zone/, who: ['bind', 'knot', 'ldns'], clause: 'RFC 1035 §5.2', why: 'BIND and Knot pass over it with a warning; NSD and we refuse, so that nothing is lost unseen' },
  { files: /^DNAME beside NS/, who: ['knot'], clause: 'RFC 6672 §2.3', why: 'a cut hides it: BIND, NSD and we take it' },
  { files: /^data below a DNAME/, who: ['knot', 'nsd'], clause: 'RFC 6672 §2.4', why: 'a server may refuse it: Knot and NSD do, BIND and we warn' },
  { files: /^DNAME at the apex, data/, who: ['lbdns', 'ldns'], clause: 'RFC 6672 §2.4', why: 'a server may refuse it: we warn' },
  { files: /^glue that|^the address of a|^NS to an alias|named by a DNAME/, who: ['knot'], clause: 'RFC 1034 §4.2.1', why: 'Knot refuses to check it well, though it serves it; others warn' },
  { files: /^NS of the apex to an alias|^NS to an address/, who: ['bind', 'knot'], clause: 'RFC 2181 §10.3', why: 'BIND and Knot refuse to check it well; NSD and we warn' },
  { files: /^NS at a wildcard|^DS at the apex/, who: ['bind'], clause: 'RFC 4592 §4.2, RFC 4035 §2.4', why: 'BIND refuses it; others serve it' },
  { files: /^an OPT record|^an AXFR|^type 0/, who: ['knot', 'nsd', 'ldns'], clause: 'RFC 6895 §3.1', why: 'of no record in a zone: BIND and we refuse it' },
  { files: /^NULL/, who: ['knot'], clause: 'RFC 1035 §3.3.10', why: 'Knot refuses it as the RFC does; in the form of RFC 3597 others take it' },
  // Data.
  { files: /in the form of RFC 3597|: \\# x /, who: ['nsd'], clause: 'RFC 3597 §5', why: 'NSD warns only' },
  { files: /a number too large/, who: ['nsd', 'ldns', 'knot', 'bind'], clause: 'RFC 1035 §5.1', why: 'it wraps around in them' },
  { files: /a word too many/, who: ['knot', 'nsd', 'ldns', 'bind'], clause: 'RFC 1035 §5.1', why: 'they read no further, or take it for one string more' },
  { files: /^(ISDN|NSAP|PX|AVC|X25), right/, who: ['knot', 'ldns'], clause: 'RFC 1183, RFC 1706, RFC 2163', why: 'Knot has no words for them, ldns none for AVC' },
]
