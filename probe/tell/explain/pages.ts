/** All pages, by word, and the words nearest to one that is not there. */
import { FINDING_IDS, rule } from '../../judge/finding.ts'
import { nearTo } from '../../judge/near.ts'
import { ECS_ANSWER, ROTATION_ANSWER } from '../../judge/verdict.ts'
import { NEXT } from '../words.ts'
import { ANSWERS } from './answers.ts'
import { DNS_FINDINGS } from './dns-findings.ts'
import { ECS_FINDINGS } from './ecs-findings.ts'
import { ECS_VERDICTS } from './ecs-verdicts.ts'
import { MODIFIERS } from './modifiers.ts'
import type { Page } from './page.ts'
import { ROTATION_VERDICTS } from './rotation-verdicts.ts'

export type Entry = {
  readonly word: string
  readonly kind: 'answer' | 'verdict of ecs' | 'verdict of dns2' | 'modifier' | 'finding'
  /** What stands beside the word: `overlap, error`, `real`. */
  readonly title: string
  readonly section: string
  readonly page: Page
}

/** Every page there is: answers, verdicts, modifiers, findings. */
export const ENTRIES: readonly Entry[] = [
  ...Object.entries(ANSWERS).map(([word, page]) => entry(word, 'answer', '', page)),
  ...keys(ECS_VERDICTS).map(code => {
    const page = { ...ECS_VERDICTS[code], next: NEXT[code] }
    return entry(code, 'verdict of ecs', ECS_ANSWER[code], page)
  }),
  ...keys(ROTATION_VERDICTS).map(code => {
    const page = { ...ROTATION_VERDICTS[code], next: NEXT[code] }
    return entry(code, 'verdict of dns2', ROTATION_ANSWER[code], page)
  }),
  ...Object.entries(MODIFIERS).map(([word, page]) => entry(word, 'modifier', '', page)),
  ...FINDING_IDS.map(id => {
    const { name, level, section } = rule(id)
    const page = { ...ECS_FINDINGS, ...DNS_FINDINGS }[id]
    return entry(id, 'finding', `${name}, ${level}`, { ...page, section })
  }),
]

function entry(word: string, kind: Entry['kind'], title: string, page: Page): Entry {
  return { word, kind, title, section: page.section ?? '', page }
}

function keys<Key extends string>(table: Readonly<Record<Key, unknown>>): readonly Key[] {
  return Object.keys(table) as Key[]
}

/** The pages of a word in any case, `cname-to:edge.example.net` and rule names like `overlap` too. */
export function pagesOf(text: string): readonly Entry[] {
  const word = text.toLowerCase().replace(/(?<=[a-z]):.*$/, '')
  return ENTRIES.filter(one => wordsOf(one).some(name => name.toLowerCase() === word))
}

/** By what a page is found: findings by their rule's name as well. */
function wordsOf({ word, kind, title }: Entry): readonly string[] {
  return kind === 'finding' ? [word, ...title.split(',', 1)] : [word]
}

/** Words that may have been meant, the nearest first. */
export function nearest(text: string): readonly string[] {
  return nearTo(text, ENTRIES.flatMap(wordsOf))
}
