/** The one sentence that a person wants, whatever was measured. */
import type { Judgement } from '../judge/judgement.ts'
import { ECS_ANSWER, type EcsCode, ROTATION_ANSWER, type RotationCode } from '../judge/verdict.ts'
import { ecsSentence } from './ecs-words.ts'
import { printable } from './number.ts'
import { rotationSentence } from './rotation-words.ts'

/** Without a full stop. */
export function sentenceOf(one: Judgement): string {
  const { code, evidence } = one.verdict
  if (evidence.kind === 'rotation' && isRotation(code)) {
    return printable(rotationSentence(one, code, evidence))
  }
  if (evidence.kind === 'ecs' && isEcs(code)) return printable(ecsSentence(one, code, evidence))
  return code
}

function isRotation(code: string): code is RotationCode {
  return Object.hasOwn(ROTATION_ANSWER, code)
}

function isEcs(code: string): code is EcsCode {
  return Object.hasOwn(ECS_ANSWER, code)
}
