/**
 * What does each command of `lbdns`. A command loads its own part of the program, when it is asked for:
 * a server has no use for what compares maps, nor for what reads the files of others.
 */
import type { Commands } from './options.ts'

export const commands: Commands = {
  run: async options => (await import('./command-run.ts')).run(options),
  check: async options => (await import('./command-tell.ts')).check(options),
  explain: async (asked, options) => (await import('./command-tell.ts')).explain(asked, options),
  map: async (name, options) => (await import('./command-tell.ts')).map(name, options),
  diff: async (files, options) => (await import('./command-tell.ts')).diff(files, options),
  ctl: {
    ask: async (request, call) => (await import('./command-ctl.ts')).ask(request, call),
    watch: async call => (await import('./ctl-watch.ts')).watch(call),
    events: async call => (await import('./command-ctl.ts')).events(call),
    explain: async (asked, options) => (await import('./ctl-explain.ts')).explain(asked, options),
  },
  import: async (...given) => (await import('./command-import.ts')).importing(...given),
}
