/** A question and what came of it become an observation: the one place where ask and judge meet. */

import type { Asked } from './ask/ask.ts'
import { serverText } from './ask/server.ts'
import type { Observation } from './judge/observation.ts'
import type { Question, Subnet } from './plan/question.ts'

/**
 * @param began when the measurement began, on the asker's clock
 * @param sequence order of sending, from 0
 */
export function observationOf(
  question: Question,
  asked: Asked,
  began: number,
  sequence: number,
): Observation {
  return {
    ...asked.reply,
    sequence,
    at: Math.round(asked.at - began),
    name: question.name,
    type: question.type,
    server: serverText(asked.server),
    transport: asked.transport,
    round: question.round,
    purpose: asked.purpose,
    sent: asked.subnet === undefined ? undefined : sentOf(asked.subnet),
    milliseconds: Math.round(asked.milliseconds),
  }
}

function sentOf(subnet: Subnet): NonNullable<Observation['sent']> {
  const { text, family, source, region, malformed } = subnet
  const address = Buffer.from(subnet.octets).toString('hex')
  const well = { text, family, source, address, region }
  return malformed === undefined ? well : { ...well, malformed }
}
