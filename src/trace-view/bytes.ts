/** What the commands run inside pods wrote and read, and on which volume it landed. */
import type { Container, PersistentVolume, Pod } from '../../machines/model/objects.ts';
import type { StepRecord, Trace } from '../../machines/trace/format.ts';
import { find, ofKind, worldAt, type World } from './world.ts';

/** One file that a command in a pod wrote, read or was refused. */
export interface Touch {
  readonly index: number;
  readonly t: number;
  readonly how: 'wrote' | 'read' | 'refused';
  readonly path: string;
  /** What was written or read; the shell's own words where it was refused. */
  readonly content: string;
  readonly pod: string;
  readonly podUid: string;
  readonly node: string;
  readonly restarts: number;
  /** The claim's volume that holds the path; undefined where the path lies outside all of them. */
  readonly on: { readonly pvUid: string; readonly handle: string; readonly inside: string } | undefined;
}

const cache = new WeakMap<Trace, readonly Touch[]>();

export function touches(trace: Trace): readonly Touch[] {
  let found = cache.get(trace);
  if (found === undefined) {
    found = trace.records.flatMap((record, index) =>
      record.type === 'step' && record.verb === 'exec' ? touchesOf(trace, record, index) : [],
    );
    cache.set(trace, found);
  }
  return found;
}

/** A command that failed without naming a path says nothing of what it wrote. */
function touchesOf(trace: Trace, record: StepRecord, index: number): Touch[] {
  const world = worldAt(trace, index);
  const pod = find(world, 'Pod', trace.scenario.namespace, String(record['pod']))?.object;
  if (pod === undefined) return [];
  const command = String(record['sh'] ?? '');
  const stdout = String(record['stdout'] ?? '');
  const stderr = String(record['stderr'] ?? '');
  if (record['code'] !== 0 && !/\/\S+/.test(stderr)) return [];
  const common = {
    index,
    t: record.t,
    pod: pod.metadata.name,
    podUid: pod.metadata.uid,
    node: pod.spec.nodeName ?? '',
    restarts: pod.status.containerStatuses?.[0]?.restartCount ?? 0,
  };
  const found: Touch[] = [];
  for (const [, content = '', path = ''] of command.matchAll(/echo ([^;&|>]*?) ?>{1,2} ?([^\s;&|]+)/g)) {
    const refusal = stderr.split('\n').find((line) => line.includes(path));
    found.push({ ...common, how: refusal === undefined ? 'wrote' : 'refused', path, content: refusal ?? content.trim(), on: volumeUnder(world, pod, path) });
  }
  for (const [, paths = ''] of command.matchAll(/cat ([^;&|>]+)/g)) {
    for (const path of paths.trim().split(/\s+/).filter((word) => word.startsWith('/'))) {
      if (stderr.includes(path) || stdout === '' || path.startsWith('/proc/')) continue;
      found.push({ ...common, how: 'read', path, content: stdout, on: volumeUnder(world, pod, path) });
    }
  }
  return found;
}

/** One row of `/proc/self/mountinfo` that a command in a pod printed. */
export interface MountRow {
  readonly index: number;
  readonly t: number;
  readonly podUid: string;
  readonly mountPath: string;
  /** The per-mount options: `rw,relatime`. */
  readonly options: string;
}

const rowsOf = new WeakMap<Trace, readonly MountRow[]>();

/** Every such row in a trace. */
export function mountRows(trace: Trace): readonly MountRow[] {
  let found = rowsOf.get(trace);
  if (found === undefined) {
    found = trace.records.flatMap((record, index): MountRow[] => {
      if (record.type !== 'step' || record.verb !== 'exec') return [];
      const rows = String(record['stdout'] ?? '').split('\n').filter((row) => /^\d+ \d+ \d+:\d+ /.test(row));
      if (rows.length === 0) return [];
      const pod = find(worldAt(trace, index), 'Pod', trace.scenario.namespace, String(record['pod']))?.object;
      return rows.map((row) => {
        const fields = row.split(' ');
        return { index, t: record.t, podUid: pod?.metadata.uid ?? '', mountPath: fields[4] ?? '', options: fields[5] ?? '' };
      });
    });
    rowsOf.set(trace, found);
  }
  return found;
}

/** A command in a pod that found a raw volume's path to be a block device. */
export interface DeviceLook {
  readonly index: number;
  readonly t: number;
  readonly podUid: string;
  readonly path: string;
}

/** Every such look: the command names the path, and prints the `b` with which `ls -l` begins a block device's row. */
export function deviceLooks(trace: Trace): readonly DeviceLook[] {
  let found = looksOf.get(trace);
  if (found === undefined) looksOf.set(trace, (found = readLooks(trace)));
  return found;
}
const looksOf = new WeakMap<Trace, readonly DeviceLook[]>();

function readLooks(trace: Trace): DeviceLook[] {
  return trace.records.flatMap((record, index): DeviceLook[] => {
    if (record.type !== 'step' || record.verb !== 'exec' || !/^b(?:[rw-]{9}\b.*)?$/m.test(String(record['stdout'] ?? ''))) return [];
    const pod = find(worldAt(trace, index), 'Pod', trace.scenario.namespace, String(record['pod']))?.object;
    const paths = (pod?.spec.containers ?? []).flatMap((container) => (container.volumeDevices ?? []).map((device) => device.devicePath));
    return paths.filter((path) => new RegExp(`ls -\\w*l\\w* ${path}\\b`).test(String(record['sh'] ?? ''))).map((path) => ({ index, t: record.t, podUid: pod?.metadata.uid ?? '', path }));
  });
}

/** The claim's volume that a path of the pod lies on, by the longest mount path above it. */
function volumeUnder(world: World, pod: Pod, path: string): Touch['on'] {
  const mount = pod.spec.containers
    .flatMap((container: Container) => container.volumeMounts ?? [])
    .filter((entry) => path === entry.mountPath || path.startsWith(`${entry.mountPath}/`))
    .sort((a, b) => b.mountPath.length - a.mountPath.length)[0];
  const volume = pod.spec.volumes?.find((entry) => entry.name === mount?.name);
  const claim = claimOf(pod, volume?.name ?? '');
  if (mount === undefined || claim === undefined) return undefined;
  const pv = volumeOfClaim(world, pod.metadata.namespace, claim);
  if (pv === undefined) return undefined;
  return { pvUid: pv.metadata.uid, handle: handleOf(pv), inside: `${mount.subPath ?? ''}${path.slice(mount.mountPath.length)}` };
}

/** The claim behind a pod's volume; a generic ephemeral volume's claim is named after pod and volume. */
export function claimOf(pod: Pod, volume: string): string | undefined {
  const found = pod.spec.volumes?.find((entry) => entry.name === volume);
  if (found?.ephemeral !== undefined) return `${pod.metadata.name}-${volume}`;
  return found?.persistentVolumeClaim?.claimName;
}

export function volumeOfClaim(world: World, namespace: string | undefined, claim: string): PersistentVolume | undefined {
  const pvc = find(world, 'PersistentVolumeClaim', namespace, claim)?.object;
  return ofKind(world, 'PersistentVolume').find(
    ({ object }) => object.metadata.name === pvc?.spec.volumeName && object.spec.claimRef?.uid === pvc?.metadata.uid,
  )?.object;
}

/** What the driver calls the volume; where there is no driver, the directory it is. */
export function handleOf(pv: PersistentVolume): string {
  return pv.spec.csi?.volumeHandle ?? pv.spec.hostPath?.path ?? pv.spec.local?.path ?? '';
}
