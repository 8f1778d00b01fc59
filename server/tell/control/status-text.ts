/** What a server says of itself, a fact a line. */
import { columns } from '../columns.ts'
import { counted, listeningText } from '../figures.ts'
import { ageText } from './age.ts'
import type { Status } from './told.ts'

/** @param now milliseconds */
export function statusText(status: Status, now: number): string[] {
  const { version, pid, started } = status
  const facts: (readonly [string, string])[] = [
    ['configuration', status.config],
    ['digest', `${status.digest}, since ${status.loaded}`],
    ...plannedFact(status),
    ['listening', listeningText(status.listening)],
    ['udp', udpText(status)],
    ['serves', `${counted(status.zones, 'zone')}, ${counted(status.names, 'steered name')}`],
    ['pools', `${status.pools.usable} of ${status.pools.all} usable`],
    ['targets', `${status.targets.up} of ${status.targets.all} up`],
    ['overrides', `${status.overrides.now} in force, ${status.overrides.later} later`],
    ['reloads', `${status.reloads.done} done, ${status.reloads.refused} refused`],
  ]
  const head = `${version}, process ${pid}, since ${started} (${ageText(started, now)})`
  return [head, ...columns(facts).map(line => `  ${line}`)]
}

function plannedFact({ planned }: Status): (readonly [string, string])[] {
  return planned === undefined ? [] : [['planned', `${planned.digest}, at ${planned.at}`]]
}

function udpText({ engine, restarts, workers }: Status): string {
  const how = engine === 'batched' ? 'in batches' : 'through node:dgram'
  return `${counted(workers, 'worker')}, ${how}, ${counted(restarts, 'restart')}`
}
