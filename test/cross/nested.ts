/**
 * A whole systemd as process 1 of namespaces of its own, over a copy of this machine's files that is
 * lost with it: nothing of the machine itself is changed. There the package is installed, and a
 * script runs that says what it found. Takes root, and a kernel that lets it.
 */
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { folder, LBDNS, run, start, until } from '../kit/process.ts'

/** The package whose `dist` is tested. */
const PACKAGE = join(LBDNS, '../../..')
const NEEDED = ['koffi', '@koromix', '@ip-location-db', 'world-atlas']
const INSTALLED = '/usr/lib/node_modules/lbdns'

/** Units that would set up the machine's own kernel and devices. */
const MASKED = [
  ...['systemd-sysctl', 'systemd-modules-load', 'systemd-binfmt', 'systemd-remount-fs'],
  ...['systemd-random-seed', 'systemd-journal-flush', 'systemd-udevd', 'systemd-udev-trigger'],
]

/** How long it may take until the script begins. */
const BOOT_MS = 60_000

/** Control groups have a root of their own too: that systemd's are made below it, and go with it. */
const ENTERING = `
set -e
read -r _ mounted _ < <(grep ' cgroup2 ' /proc/mounts)
own="$mounted$(sed -n 's/^0:://p' /proc/self/cgroup)/lbdns-trial-$$"
mkdir "$own"; echo $$ > "$own/cgroup.procs"; echo "$own"
exec unshare "$@"
`

/** Makes the file tree, goes over to it, and becomes systemd. */
function booting(shared: string): string {
  const modules = NEEDED.map(name => `"${PACKAGE}/node_modules/${name}"`).join(' ')
  const masks = MASKED.map(unit => `ln -sf /dev/null $R/etc/systemd/system/${unit}.service`)
  return `
set -e
export PATH="$PATH:/usr/sbin:/sbin"
mount --make-rprivate /
T=${shared}/tree; mkdir $T; mount -t tmpfs tmpfs $T; mkdir $T/up $T/work $T/root
mount -t overlay overlay -o lowerdir=/,upperdir=$T/up,workdir=$T/work $T/root
R=$T/root
mount -t proc proc $R/proc
mount -t sysfs sysfs $R/sys
mount -t cgroup2 cgroup2 $R/sys/fs/cgroup
for place in run tmp dev; do mount -t tmpfs tmpfs $R/$place; done
mkdir $R/dev/pts $R/dev/shm $R/dev/mqueue $R/dev/hugepages $R/run/shared
for device in null zero full random urandom tty; do
  : > $R/dev/$device; mount --bind /dev/$device $R/dev/$device
done
mount -t devpts -o newinstance,ptmxmode=0666 devpts $R/dev/pts; ln -s pts/ptmx $R/dev/ptmx
mount -t tmpfs tmpfs $R/dev/shm; ln -s /proc/self/fd $R/dev/fd; : > $R/dev/console
mount --bind ${shared} $R/run/shared
ip link set lo up
rm -rf $R/etc/systemd/system/*.wants $R/etc/systemd/system/lbdns* $R${INSTALLED} $R/etc/lbdns
${masks.join('\n')}
mkdir -p $R${INSTALLED}/node_modules $R/usr/local/bin $R/etc/lbdns
cp -r "${PACKAGE}/dist" "${PACKAGE}/package.json" "${PACKAGE}/data" $R${INSTALLED}
cp -r ${modules} $R${INSTALLED}/node_modules
cp "${process.execPath}" $R/usr/local/bin/node
ln -sf ${INSTALLED}/dist/server/main.js $R/usr/local/bin/lbdns
chmod 755 $R${INSTALLED}/dist/server/main.js
cp ${shared}/trial.service ${shared}/trial.target $R/etc/systemd/system
mkdir $R/before; cd $R; pivot_root . before; cd /; umount -l /before
exec env -i container=trial PATH=$PATH /lib/systemd/systemd --system --unit=trial.target
`
}

const SERVICE = `[Unit]
After=basic.target
[Service]
Type=oneshot
ExecStart=/bin/bash /run/shared/trial.sh
StandardOutput=append:/run/shared/trial.out
StandardError=append:/run/shared/trial.err
ExecStopPost=/bin/systemctl poweroff --force --force
`
const TARGET = '[Unit]\nWants=basic.target trial.service\n'

/** What it was: the lines that the script said, or why it could not be. */
export type Nested =
  | { readonly ok: true; readonly said: readonly string[]; readonly errors: string }
  | { readonly ok: false; readonly why: string }

/**
 * Boots, runs a script of bash, and goes down again.
 *
 * @param withinMs how long the script may take
 */
export async function nested(script: string, withinMs: number): Promise<Nested> {
  const shared = folder({
    'boot.sh': booting('PLACE'),
    'trial.sh': `echo begun\n${script}\necho over\n`,
    'trial.service': SERVICE,
    'trial.target': TARGET,
    'trial.out': '',
    'trial.err': '',
  })
  chmodSync(shared, 0o755)
  writeFileSync(join(shared, 'boot.sh'), booting(shared))
  const spaces = ['pid', 'mount', 'uts', 'ipc', 'net', 'cgroup'].map(space => `--${space}`)
  const args = [...spaces, '--fork', '--kill-child=SIGKILL', 'bash', join(shared, 'boot.sh')]
  const system = start('bash', ['-c', ENTERING, 'entering', ...args])
  let isDown = false
  const down = system.ended.catch(() => {}).finally(() => (isDown = true))
  const said = () => readFileSync(join(shared, 'trial.out'), 'utf8').split('\n').slice(0, -1)
  try {
    await until('it has booted', () => isDown || said().length > 0, BOOT_MS)
    if (said().length === 0) return { ok: false, why: system.stderr() || 'it does not boot' }
    await until('the script is over', () => isDown || said().includes('over'), withinMs)
  } catch (cause) {
    if (said().length === 0) return { ok: false, why: String(cause) }
    throw new Error(`${cause}\n${said().join('\n')}\n${readFileSync(join(shared, 'trial.err'))}`)
  } finally {
    system.signal('SIGKILL')
    await down
    await removeGroup(system.stdout().split('\n')[0] ?? '')
  }
  return { ok: true, said: said(), errors: readFileSync(join(shared, 'trial.err'), 'utf8') }
}

/** Once the last process of it is gone. */
async function removeGroup(group: string): Promise<void> {
  if (!group.startsWith('/')) return
  const removing = ['-depth', '-type', 'd', '-exec', 'rmdir', '{}', ';']
  await until('its control groups are gone', async () => {
    if (existsSync(group)) await run('find', [group, ...removing])
    return !existsSync(group)
  })
}
