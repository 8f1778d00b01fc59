/** Proofs for certificates: from what an operator asks to what desks answer. */
import { type Challenge, challenge, challengeOwner } from './answer/challenge.ts'
import type { Desk } from './answer/desk.ts'
import { type Name, nameBuffer, nameText, setName } from './dns/name.ts'
import { TYPE } from './dns/rrtype.ts'
import { isWrong, type Wrong, wrong } from './fault.ts'
import { phaseAt } from './steer/impose.ts'
import type { Does, Override } from './steer/override.ts'
import { find } from './zone/find.ts'
import { finding } from './zone/finding.ts'

/** One name needs two at most, for itself and for what a wildcard there stands for. */
const MOST = 8

type Proof = Extract<Does, { readonly kind: 'challenge' }>

/** Reads what is to be proven: a name of our zones. */
export function challengeOf(
  { world }: Desk,
  all: readonly Override[],
  asked: { readonly name: string; readonly token: string },
): Proof | Wrong {
  const owner = challengeOwner(asked.name)
  if (isWrong(owner)) return owner
  const buffer = nameBuffer()
  setName(buffer, owner, 0)
  const found = finding()
  find(world.zones, buffer, TYPE.TXT, found)
  if (found.kind === 'no-zone' || found.kind === 'referral') {
    return wrong(`${asked.name} is in no zone that is served here`, 'name one that is')
  }
  const name = nameText(owner)
  if (proofs(all).filter(({ does }) => does.name === name).length < MOST) {
    return { kind: 'challenge', name, token: asked.token }
  }
  return wrong(`${asked.name} has ${MOST} proofs already`, 'clear them: lbdns ctl acme clear')
}

/** Tells which overrides are the proofs of a name, or the one with that token. */
export function dropsChallenge(asked: {
  readonly name: string
  readonly token?: string | undefined
}): ((override: Override) => boolean) | Wrong {
  const owner = challengeOwner(asked.name)
  if (isWrong(owner)) return owner
  const name = nameText(owner)
  return ({ does }) =>
    does.kind === 'challenge' &&
    does.name === name &&
    (asked.token === undefined || does.token === asked.token)
}

/** What desks answer now. */
export function challengesOf(all: readonly Override[], now: number): Challenge[] {
  return proofs(all)
    .filter(one => phaseAt(one, now) === 'in force')
    .flatMap(({ does }) => {
      const owner: Name | Wrong = challengeOwner(does.name)
      return isWrong(owner) ? [] : [challenge(owner, does.token)]
    })
}

function proofs(all: readonly Override[]): (Override & { readonly does: Proof })[] {
  return all.filter((one): one is Override & { readonly does: Proof } => {
    return one.does.kind === 'challenge'
  })
}
