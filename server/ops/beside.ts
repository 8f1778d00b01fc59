/** What went out beside answers, as metrics: the query log, events, webhooks, the admin API. */
import { counter, type Family, gauge, single } from './family.ts'

export const BESIDE: readonly Family[] = [
  counter('querylog_lines_total', 'Lines of the query log, by what became of them.', source => {
    const { dropped, written } = source.told().queryLog
    return outcomes({ written, dropped })
  }),
  counter('events_total', 'Events: verdicts, pools, overrides, reloads.', source =>
    single(source.told().events),
  ),
  counter('webhook_events_total', 'Events for webhooks, by what became of them.', source => {
    const { dropped, failed, sent } = source.told().webhooks
    return outcomes({ sent, failed, dropped })
  }),
  counter('webhook_retries_total', 'Requests to webhooks that were put again.', source =>
    single(source.told().webhooks.retried),
  ),
  gauge('webhook_events_waiting', 'Events that webhooks have not taken yet.', source =>
    single(source.told().webhooks.waiting),
  ),
  counter('admin_requests_total', 'Requests to the admin API.', source =>
    single(source.told().admin.requests),
  ),
  counter('admin_refusals_total', 'Requests to the admin API that were refused.', source => {
    const { limited, unauthorized } = source.told().admin
    return outcomes({ unauthorized, limited })
  }),
]

function outcomes(figures: Readonly<Record<string, number>>) {
  return Object.entries(figures).map(([outcome, value]) => ({ labels: { outcome }, value }))
}
