/**
 * A real systemd → lbdns under the units of `data/systemd`, as they are: it serves on the sockets it
 * is handed, in the sandbox it is given, and nothing is lost while it is replaced.
 */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { describeWith, LOOPBACK, stopAll } from '../kit/process.ts'
import { IS_ROOT } from '../kit/user.ts'
import { type Nested, nested } from './nested.ts'

const TRIAL_MS = 240_000

const ZONE = `$ORIGIN example.com.
$TTL 60
@ SOA ns1 hostmaster 7 7200 900 1209600 60
@ NS ns1
ns1 A 192.0.2.251
`

/** The example of the README, with a check, so that there is a state to keep. */
const README = readFileSync(new URL('../../data/systemd/README.md', import.meta.url), 'utf8')
const [, EXAMPLE = ''] = /```yaml\n([\s\S]*?)```/.exec(README) ?? []
const CONFIG = `${EXAMPLE}checks: {dns: {type: tcp, port: 53, every: 1s}}
pools: {own: {check: dns, targets: [127.0.0.1]}}
steer: {www.example.com: {ttl: 10s, pools: [own]}}
`

const TRIAL = `
cat > /etc/lbdns/example.com.zone <<'END'
${ZONE}END
cat > /etc/lbdns/lbdns.yaml <<'END'
${CONFIG}END
cp /usr/lib/node_modules/lbdns/data/systemd/lbdns.* /etc/systemd/system
mkdir /etc/systemd/system/lbdns.service.d
printf '[Service]\\nWatchdogSec=4\\n' > /etc/systemd/system/lbdns.service.d/impatient.conf
systemctl daemon-reload
of() { echo "$1 $(systemctl show lbdns -p "$2" --value)"; }
pid() { systemctl show lbdns -p MainPID --value; }
ask() { dig "$@" ns1.example.com +short +time=20 +tries=1 | tail -1; }
count() { sort | uniq -c | tr -s ' ' | sed 's/^ //'; }

echo "verified $(systemd-analyze verify --man=no lbdns.service lbdns.socket 2>&1 | grep -v 'Failed to parse system call' | wc -l)"
systemctl start lbdns; echo "started $?"
of state SubState; of status StatusText
grep -hE '^(Uid|CapEff|CapPrm|CapBnd|NoNewPrivs|Seccomp):' /proc/$(pid)/task/*/status | tr '\\t' ' ' | sort -u
for address in 127.0.0.1 127.0.0.9 ::1; do
  echo "udp $address $(ask @$address)"; echo "tcp $address $(ask @$address +tcp)"
done
systemctl reload lbdns; echo "reloaded $?"
for turn in $(seq 100); do journalctl -u lbdns -o cat --no-pager | grep -q '"reloaded"' && break; sleep 0.1; done
of reloaded-status StatusText
echo "ranked $(cat /proc/$(pid)/task/*/stat | awk '$19 == 10' | wc -l)"
sed -i 's/^zones:/zons:/' /etc/lbdns/lbdns.yaml
systemctl reload lbdns; echo "broken $?"; of broken-state SubState
kill -HUP $(pid)
for turn in $(seq 100); do systemctl show lbdns -p StatusText | grep -q refused && break; sleep 0.1; done
of broken-status StatusText; echo "still $(ask @127.0.0.1)"
sed -i 's/^zons:/zones:/' /etc/lbdns/lbdns.yaml
for turn in $(seq 100); do [ -e /var/lib/lbdns/lbdns.state ] && break; sleep 0.1; done
echo "kept $(stat -Lc '%U %a' /var/lib/lbdns/lbdns.state)"; echo "run $(stat -c '%U %a' /run/lbdns)"

first=$(pid)
( for turn in $(seq 60); do ask @127.0.0.1 & sleep 0.05; done; wait ) > /run/asked & asking=$!
sleep 0.5; systemctl restart lbdns; echo "restarted $?"; wait $asking
echo "asked $(count < /run/asked)"; [ $first = $(pid) ]; echo "another $?"
kill -KILL $(pid)
for turn in $(seq 300); do systemctl show lbdns -p NRestarts,SubState | tr '\\n' ' ' | grep -q 'NRestarts=1 SubState=running' && break; sleep 0.1; done
of killed NRestarts; echo "killed-asked $(ask @127.0.0.1)"
kill -STOP $(pid); echo "stopped-asked $(ask @127.0.0.1)"; of hung NRestarts
echo "watchdog $(journalctl -u lbdns -o cat --no-pager | grep -c 'Watchdog timeout')"
systemctl stop lbdns.socket lbdns; of ended Result; of left SubState
`

let trial: Nested = { ok: false, why: 'it takes root' }

describeWith(
  ['unshare', 'pivot_root', 'ip', 'systemd-analyze', 'dig'],
  'under a systemd of its own',
  () => {
    beforeAll(async () => {
      if (IS_ROOT) trial = await nested(TRIAL, TRIAL_MS)
    }, TRIAL_MS + 100_000)
    afterAll(stopAll)
    beforeEach(context => context.skip(!trial.ok, `no systemd can be had here: ${reason()}`))

    const reason = () => (trial.ok ? '' : trial.why.trim().split('\n').at(-1))
    const said = () => (trial.ok ? trial.said : [])
    const all = (word: string) =>
      said().flatMap(line => (line.startsWith(`${word} `) ? line.slice(word.length + 1) : []))

    // biome-ignore format: table
    const FACTS = [
    // what                                                               said, in order
    ['systemd has no complaint of the units',                             'verified',        ['0']],
    ['it starts, and is there once it serves',                            'started',         ['0']],
    ['and runs',                                                          'state',           ['running']],
    ['and says what it serves',                                           'status',          ['serves 1 zone, 1 steered name at [::]:53']],
    ['no thread has a capability: in effect',                             'CapEff:',         ['0000000000000000']],
    ['no thread has a capability: permitted',                             'CapPrm:',         ['0000000000000000']],
    ['no thread has a capability: to be had',                             'CapBnd:',         ['0000000000000000']],
    ['no thread can get more',                                            'NoNewPrivs:',     ['1']],
    ['every thread has the filter of system calls',                       'Seccomp:',        ['2']],
    ['a good reload',                                                     'reloaded',        ['0']],
    ['is one',                                                            'reloaded-status', ['serves 1 zone, 1 steered name at [::]:53']],
    ['a reload of what is broken is refused',                             'broken',          ['1']],
    ['and it runs on',                                                    'broken-state',    ['running']],
    ['and says so, where it was told by a signal',                        'broken-status',   ['reload refused, the old configuration keeps serving: 1 problem']],
    ['and answers',                                                       'still',           ['192.0.2.251']],
    ['what outlives it is its own, and for nobody else',                  'kept',            ['lbdns 600']],
    ['so is the folder for its control socket',                           'run',             ['lbdns 755']],
    ['a restart',                                                         'restarted',       ['0']],
    ['is one',                                                            'another',         ['1']],
    ['and nothing is lost: 60 of 60',                                     'asked',           ['60 192.0.2.251']],
    ['killed, it is started again',                                       'killed',          ['1']],
    ['and answers',                                                       'killed-asked',    ['192.0.2.251']],
    ['hung, it is replaced, and what was asked meanwhile is answered',    'stopped-asked',   ['192.0.2.251']],
    ['which is a restart more',                                           'hung',            ['2']],
    ['by the watchdog',                                                   'watchdog',        ['1']],
    ['it leaves as it should',                                            'ended',           ['success']],
    ['and is gone',                                                       'left',            ['dead']],
  ] as const

    for (const [what, word, expected] of FACTS) {
      test(`${what} (${word})`, () => expect(all(word)).toEqual(expected))
    }

    test('it is nobody that the machine knows, in every thread', () => {
      const [uids, ...others] = all('Uid:')
      expect(others).toEqual([])
      const [uid, ...same] = (uids ?? '').split(' ')
      expect(new Set(same)).toEqual(new Set([uid]))
      expect(Number(uid)).toBeGreaterThan(1000) // DynamicUser: 61184 … 65519
    })

    test('whatever is asked answers: every address of loopback, over UDP and TCP', () => {
      const addresses = ['127.0.0.1', '127.0.0.9', ...LOOPBACK.filter(host => host === '::1')]
      for (const over of ['udp', 'tcp']) {
        for (const address of addresses) {
          expect(all(over)).toContain(`${address} 192.0.2.251`)
        }
      }
    })

    test('the filter lets threads be ranked', () => {
      expect(Number(all('ranked')[0])).toBeGreaterThan(0)
    })
  },
)
