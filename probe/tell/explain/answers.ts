/** Pages of the four plain answers. Data only. */
import type { Answer } from '../../judge/verdict.ts'
import type { Page } from './page.ts'

export const ANSWERS: Readonly<Record<Answer, Page>> = {
  real: {
    means: "Answers depend on the client's network by geography, and the scopes say so truthfully.",
    shown:
      'Two permutation tests (depends on the subnet; goes with the region) and samples inside each announced block.',
    matters: 'Clients are sent to a place meant for them, and caches can keep the answers apart.',
    next: 'Keep it under watch: --expect real.',
    unless: "Where it is by region, and the panel's regions are few: finer steering is not tested.",
    section: 'RFC 7871 §7.2.1',
  },
  fake: {
    means: 'Something claims tailoring that is not there, or is not true.',
    shown:
      'Scopes and answers contradict each other, or answers differ without geography; the code says which.',
    matters: "Caches are filled in vain, or give clients another network's answer.",
    next: 'See the code that stands beside it: lbprobe explain CODE.',
    unless: 'Steering finer than the panel: ask with --subnet in places that you know.',
    section: 'RFC 7871 §7.2.1, §12.1',
  },
  none: {
    means: 'The same for everyone, as far as client subnets show.',
    shown:
      'No difference between subnets beyond what one subnet shows by itself, in all rounds that were planned.',
    matters:
      'DNS does not steer by the client here. Anycast, or a proxy behind one address, still may.',
    next: 'Compare routes or latency from several places to see whether anycast steers.',
    unless:
      'A server that steers by the address of the resolver: one place to ask from cannot show it.',
    section: 'RFC 7871 §7.2.1',
  },
  unclear: {
    means: 'Too little was seen, or the path spoils the measurement.',
    shown: 'The code says what was missing; "unusable" in the evidence counts the failures.',
    matters: 'Neither yes nor no can be said honestly. With --expect this is exit code 3.',
    next: 'Do what the line "next" says; mostly: ask the authoritative servers, or ask more.',
    unless: 'Name servers that disagree, which is an answer of its own: see ECS013.',
    section: 'no clause: a matter of evidence',
  },
}
