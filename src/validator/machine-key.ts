/** Keys of machine instances, canonical: the same instance has the same key in a simulated run and in a recorded log. */
import type { Names } from './names.ts';
import type { VolumeSource } from './witness.ts';

/** What a machine instance is about, with the exact life of a pod where a log line names its uid. */
export type InstanceKey =
  | { readonly about: 'claim' | 'volume' | 'attachment' | 'node' | 'object'; readonly name: string }
  | { readonly about: 'pod'; readonly name?: string | undefined; readonly uid?: string | undefined }
  | {
      readonly about: 'podVolume';
      readonly pod?: string | undefined;
      readonly uid?: string | undefined;
      /** Where a line names neither pod nor uid: the pod with this volume on this node. */
      readonly onNode?: string | undefined;
      readonly volume: string;
    }
  | { readonly about: 'device'; readonly node: string | undefined; readonly uniqueName: string };

const aboutOf: Readonly<Record<string, InstanceKey['about']>> = {
  'claim-binding': 'claim',
  provisioning: 'claim',
  'protection-claim': 'claim',
  resize: 'claim',
  volume: 'volume',
  'volume-deletion': 'volume',
  'protection-volume': 'volume',
  scheduling: 'pod',
  preemption: 'pod',
  'taint-eviction': 'pod',
  'pod-worker': 'pod',
  container: 'podVolume',
  'kubelet-volume': 'podVolume',
  attach: 'device',
  'kubelet-device': 'device',
  attacher: 'attachment',
  'node-lifecycle': 'node',
};

/** Reads the key that the engine writes into a `state` record of this machine. */
export function keyFromEngine(machine: string, key: string): InstanceKey {
  const about = aboutOf[machine] ?? 'object';
  if (about === 'pod') return { about, name: key };
  if (about === 'podVolume') {
    const cut = key.lastIndexOf('/');
    return { about, pod: key.slice(0, cut), volume: key.slice(cut + 1) };
  }
  if (about === 'device') {
    const cut = key.indexOf('/');
    return { about, node: key.slice(0, cut), uniqueName: key.slice(cut + 1) };
  }
  return { about, name: key };
}

/** The canonical text of a key at a record of its trace. */
export function canonicalKey(key: InstanceKey, index: number, names: Names): string {
  switch (key.about) {
    case 'claim':
      return names.idOf({ kind: 'PersistentVolumeClaim', ...split(key.name) }, index);
    case 'volume':
      return names.idOf({ kind: 'PersistentVolume', name: key.name, namespace: '' }, index);
    case 'attachment':
      return names.idOf({ kind: 'VolumeAttachment', name: key.name, namespace: '' }, index);
    case 'pod':
      return names.idOf({ kind: 'Pod', uid: key.uid, ...split(key.name ?? '') }, index);
    case 'podVolume':
      return podVolumeKey(key, index, names);
    case 'device':
      return deviceKey(key, names);
    default:
      return names.text(key.name);
  }
}

/**
 * Whether a recording's log can speak of the instance: the recorder keeps lines on the pods of the run's namespace, and on
 * volumes that were bound to one of its claims (whether also on volumes that were only reserved, no recording tells). Keys of
 * other things always count as known.
 */
export function isKnown(key: InstanceKey, names: Names): boolean {
  if (key.about === 'volume') return names.wasBound(key.name);
  if (key.about !== 'pod' && key.about !== 'podVolume') return true;
  const name = key.about === 'pod' ? key.name : key.pod;
  if (key.about === 'podVolume' && key.onNode !== undefined) return true;
  return names.has({ kind: 'Pod', uid: key.uid, ...split(name ?? '') });
}

function podVolumeKey(key: InstanceKey & { about: 'podVolume' }, index: number, names: Names): string {
  const place = split(key.pod ?? '');
  const uid = podUidOf(key, index, names);
  const pod = names.idOf({ kind: 'Pod', uid, ...place }, index);
  const name = plainVolumeName(key.volume, names);
  const own = uid === undefined ? undefined : names.podVolumeOf(uid, name);
  return `${pod} volume ${own ?? names.text(name)}`;
}

function podUidOf(key: InstanceKey & { about: 'podVolume' }, index: number, names: Names): string | undefined {
  if (key.uid !== undefined) return key.uid;
  if (key.onNode !== undefined) return names.podUidOnNode(key.onNode, key.volume);
  const place = split(key.pod ?? '');
  return names.uidAt('Pod', place.namespace, place.name, index);
}

/** What a pod volume is made of. */
export function sourceOf(key: InstanceKey, index: number, names: Names): VolumeSource | undefined {
  if (key.about !== 'podVolume') return undefined;
  const uid = podUidOf(key, index, names);
  const name = plainVolumeName(key.volume, names);
  return uid === undefined ? undefined : names.volumeSource(uid, names.podVolumeOf(uid, name) ?? name);
}

/** The kubelet calls a volume by its PV, by its name in the pod, or by a unique name: `kubernetes.io/csi/DRIVER^HANDLE`, `kubernetes.io/secret/POD-UID-NAME`. */
function plainVolumeName(name: string, names: Names): string {
  if (name.startsWith('kubernetes.io/csi/')) return names.volumeOfHandle(name.slice(name.indexOf('^') + 1)) ?? name;
  return /^kubernetes\.io\/[^/]+\/[0-9a-f-]{36}-(.+)$/.exec(name)?.[1] ?? name;
}

function deviceKey(key: InstanceKey & { about: 'device' }, names: Names): string {
  const handle = key.uniqueName.slice(key.uniqueName.indexOf('^') + 1);
  const volume = names.volumeOfHandle(handle) ?? (names.handleOf(handle) === undefined ? undefined : handle);
  const view = volume === undefined ? { pods: [] } : names.viewOfVolume(volume);
  return `${key.node === undefined ? '' : `${names.text(key.node, view)} `}${names.text(names.handleOf(handle) ?? handle, view)}`;
}

function split(name: string): { readonly namespace: string; readonly name: string } {
  const cut = name.indexOf('/');
  return { namespace: cut === -1 ? '' : name.slice(0, cut), name: name.slice(cut + 1) };
}
