/** Above the cards, where there are several: a row a name and type, each a way to its card. */
import type { Judgement } from '../../judge/judgement.ts'
import { wordOf } from './card.ts'
import { code, el, type Markup, table } from './markup.ts'

export const idOf = (index: number): string => `verdict-${index + 1}`

/** `dns2` has no answer beside its code, and no scopes. */
export function summary(judgements: readonly Judgement[]): Markup {
  const isEcs = judgements.some(({ verdict }) => verdict.evidence.kind === 'ecs')
  const rows = judgements.map((one, index) => {
    const link = el('a', { href: `#${idOf(index)}` }, `${one.name} ${one.type}`)
    const ecs = isEcs ? [code(one.verdict.code), code(scopesOf(one))] : []
    return [link, answerOf(one), ...ecs, `${addressesOf(one)}`, code(findingsOf(one))]
  })
  const words = isEcs ? ['answer', 'code', 'scopes'] : ['code']
  const head = ['name', ...words, 'distinct answers', 'findings']
  const title = el('h2', { id: 'verdicts' }, 'Verdicts')
  const list = table('One row a name and type', head, rows)
  return el('section', { 'aria-labelledby': 'verdicts' }, title, list)
}

function answerOf(one: Judgement): Markup {
  return el('strong', { class: one.verdict.answer }, wordOf(one))
}

function scopesOf({ scopes }: Judgement): string {
  const all = [...new Set(scopes.flatMap(row => row.scopes))].sort((a, b) => a - b)
  const [least, most] = [all[0], all.at(-1)]
  if (least === undefined) return '-'
  return least === most ? `/${least}` : `/${least} to /${most}`
}

function addressesOf({ groups, verdict: { evidence } }: Judgement): number {
  if (evidence.kind === 'rotation') return evidence.atLeast
  return new Set(groups.flatMap(({ answers }) => answers)).size
}

function findingsOf({ findings }: Judgement): string {
  const ids = [...new Set(findings.map(({ id }) => id))]
  return ids.join(' ') || '-'
}
